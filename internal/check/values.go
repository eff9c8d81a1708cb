package check

import (
	"flag"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/drive"
)

// A List is a setting that may be given several times.
type List []string

func (l *List) String() string { return strings.Join(*l, ", ") }

// Set adds a text.
func (l *List) Set(s string) error {
	*l = append(*l, s)
	return nil
}

// A names is a List that is typed with commas.
type names List

func (l *names) String() string { return strings.Join(*l, ",") }

// Set adds names.
func (l *names) Set(s string) error {
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name != "" {
			*l = append(*l, name)
		}
	}
	return nil
}

// A Size is a number of bytes that is typed as 512MB, 2GiB, 3g or 1.5 gb.
type Size int64

var sizeUnits = []struct {
	suffix string
	bytes  int64
}{
	{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"TiB", 1 << 40},
	{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"TB", 1e12},
	{"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"T", 1 << 40}, {"B", 1},
}

func (s *Size) String() string { return strconv.FormatInt(int64(*s), 10) }

// Set reads a size. Large and small letters are the same.
func (s *Size) Set(text string) error {
	digits, unit := strings.TrimSpace(text), int64(1)
	for _, u := range sizeUnits {
		if n := len(digits) - len(u.suffix); n >= 0 && strings.EqualFold(digits[n:], u.suffix) {
			digits, unit = strings.TrimSpace(digits[:n]), u.bytes
			break
		}
	}
	if strings.Contains(digits, ".") && strings.Trim(digits, ".0123456789") == "" {
		if x, err := strconv.ParseFloat(digits, 64); err == nil && x*float64(unit) < 1<<62 {
			*s = Size(x * float64(unit))
			return nil
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 0 || n > 1<<62/unit {
		return fmt.Errorf("not a size: say 512MB, 2GiB or 3g")
	}
	*s = Size(n * unit)
	return nil
}

// A looked is a property as a flag: it is off if it is in a list.
type looked struct {
	off  *List
	name string
}

// IsBoolFlag says that it may be given without a value.
func (l looked) IsBoolFlag() bool { return true }

func (l looked) String() string {
	if l.off == nil {
		return "" // what package flag compares with, to see whether the default is worth to be told
	}
	return strconv.FormatBool(!contains(*l.off, l.name))
}

// Set switches the property on or off.
func (l looked) Set(s string) error {
	on, err := strconv.ParseBool(s)
	if err != nil {
		return fmt.Errorf("say true or false")
	}
	var rest List
	for _, name := range *l.off {
		if name != l.name {
			rest = append(rest, name)
		}
	}
	if !on {
		rest = append(rest, l.name)
	}
	*l.off = rest
	return nil
}

// A Fixing says whether something is fixed: true, false, or auto if that is found out.
type Fixing string

// IsBoolFlag says that it may be given without a value.
func (f *Fixing) IsBoolFlag() bool { return true }

func (f *Fixing) String() string { return string(*f) }

// Set reads one of three words.
func (f *Fixing) Set(text string) error {
	if text != autoFixed {
		on, err := strconv.ParseBool(text)
		if err != nil {
			return fmt.Errorf("say true, false or auto")
		}
		text = strconv.FormatBool(on)
	}
	*f = Fixing(text)
	return nil
}

// On reports whether it is fixed from the beginning, and Auto whether that is found out.
func (f Fixing) On() bool   { return f == "true" }
func (f Fixing) Auto() bool { return f == autoFixed }

const autoFixed = "auto"

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// declare makes a flag of what p points to.
func declare(fs *flag.FlagSet, p any, name, doc string) {
	switch p := p.(type) {
	case *string:
		fs.StringVar(p, name, *p, doc)
	case *bool:
		fs.BoolVar(p, name, *p, doc)
	case *int:
		fs.IntVar(p, name, *p, doc)
	case *int64:
		fs.Int64Var(p, name, *p, doc)
	case *uint64:
		fs.Uint64Var(p, name, *p, doc)
	case *time.Duration:
		fs.DurationVar(p, name, *p, doc)
	case flag.Value:
		fs.Var(p, name, doc)
	}
}

// A Late is for how long somebody who can run may be kept waiting.
type Late drive.Lateness

func (l *Late) String() string { return drive.Lateness(*l).String() }

// Set reads a duration, or inf.
func (l *Late) Set(text string) error {
	late, err := drive.ParseLateness(text)
	*l = Late(late)
	return err
}

// MarshalText writes it down.
func (l Late) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads what MarshalText has written.
func (l *Late) UnmarshalText(text []byte) error { return l.Set(string(text)) }

// An olderTime is how a Late was said before.
type olderTime struct{ late *Late }

func (t olderTime) String() string {
	switch {
	case t.late == nil:
		return ""
	case *t.late == Late(drive.Unbounded):
		return "free"
	case *t.late == Late(drive.Punctual):
		return "quiescent"
	}
	return "bounded"
}

// Set reads one of two words.
func (t olderTime) Set(text string) error {
	switch text {
	case "free":
		*t.late = Late(drive.Unbounded)
	case "quiescent":
		*t.late = Late(drive.Punctual)
	default:
		return fmt.Errorf("say free or quiescent, or a duration with -late")
	}
	return nil
}
