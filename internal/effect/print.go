package effect

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Print writes all rows as two tables, one of natives and one of system calls.
//
// "*0:8" is the eight bytes to which argument 0 points, "near end of 0" what is behind
// the descriptor in argument 0.
func Print(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', 0)
	fmt.Fprintln(t, "NATIVE\tSTOPS\tACTS ON\tWHY")
	for _, r := range Natives() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.Name, r.Stop, actsText(r.Acts)+r.marks(), r.Why)
	}
	fmt.Fprintln(t, "any other visible one\tif seen\teverything\tIt has no row.")
	if err := t.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(t, "\nSYSTEM CALL\tABOUT\tACTS ON\tWHY")
	for _, c := range Calls() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", c.Name, c.About, c.actsText(), c.Why)
	}
	fmt.Fprintln(t, "any other\tany\teverything\tIt has no row.")
	return t.Flush()
}

// marks are what the row says besides.
func (r *Row) marks() string {
	var list []string
	for _, m := range [...]struct {
		on   bool
		word string
	}{{r.Memory, "memory alone"}, {r.Atomic, "atomic"}, {r.Begins, "begins"}} {
		if m.on {
			list = append(list, m.word)
		}
	}
	for _, arg := range r.Publishes {
		list = append(list, fmt.Sprintf("publishes %d", arg))
	}
	if len(list) == 0 {
		return ""
	}
	return " (" + strings.Join(list, ", ") + ")"
}

// actsText says what the call acts on for keepers and, if that is not the same, for others.
func (c *Call) actsText() string {
	if c.What(false) == c.What(true) {
		return actsText(c.Kept)
	}
	return actsText(c.Kept) + " | made by the program itself: " + whats[Anything]
}

func (a About) String() string {
	return [...]string{"any", "none", "0", "0 1", "0 2", "4", "listed"}[a]
}
