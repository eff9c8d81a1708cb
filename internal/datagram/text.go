package datagram

import (
	"fmt"
	"strings"
)

// Text returns a queue as a line, packets by their names: p is one that arrives once
// more, p×2 one that arrives twice, ?p one that is not decided about. A window of
// more than one stands behind a slash.
func (q Queue[P]) Text(name func(P) string) string {
	var list []string
	for _, x := range q {
		text := name(x.Packet)
		switch {
		case x.Undecided():
			text = "?" + text
		case x.Left > 1:
			text += fmt.Sprintf("×%d", x.Left)
		}
		if x.Window > 1 {
			text += fmt.Sprintf("/%d", x.Window)
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}
