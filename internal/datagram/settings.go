package datagram

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Settings say what the network may do, in each direction and besides.
type Settings struct {
	Send, Receive Direction
	// Truncate lets a packet of more than one byte find a buffer that is too small
	// for it: the receiver gets the first half.
	Truncate bool
	// Unreachable lets a packet of a connected socket find no receiver, so that a
	// message of ICMP comes back: the next call fails with ECONNREFUSED.
	Unreachable bool
}

// A Direction says what may happen to the packets that are sent, or received.
type Direction struct {
	Multiply []int // how many times a packet may arrive, in the order in which that is tried; nil for once
	Window   int   // how many packets may change places; 0 and 1 for none
}

// Reliable reports whether each packet arrives once and in order.
func (d Direction) Reliable() bool {
	return (len(d.Multiply) == 0 || len(d.Multiply) == 1 && d.Multiply[0] == 1) && d.Window <= 1
}

// Times returns how many times a packet may arrive.
func (d Direction) Times() []int {
	if len(d.Multiply) == 0 {
		return once
	}
	return d.Multiply
}

var once = []int{1}

// Places returns the window, which is at least 1.
func (d Direction) Places() int { return max(d.Window, 1) }

// Reliable reports whether nothing can happen to packets.
func (s Settings) Reliable() bool {
	return s.Send.Reliable() && s.Receive.Reliable() && !s.Truncate && !s.Unreachable
}

// Most that can be asked for: the number of ways grows with the factorial of them.
const (
	maxTimes  = 4
	maxWindow = 16
)

// Parse reads settings such as
//
//	multiply=1,0,2 window=2
//	send.multiply=1,0 receive.window=3 truncate unreachable
//
// Without a direction a setting is for both; one with a direction comes after it,
// wherever it stands. An empty text is a network that does nothing.
func Parse(text string) (Settings, error) {
	var s Settings
	var own []string
	for field := range strings.FieldsSeq(text) {
		switch {
		case field == "truncate":
			s.Truncate = true
		case field == "unreachable":
			s.Unreachable = true
		case strings.HasPrefix(field, "send."), strings.HasPrefix(field, "receive."):
			own = append(own, field)
		default:
			if err := s.Send.set(field); err != nil {
				return s, err
			}
			s.Receive = s.Send
		}
	}
	for _, field := range own {
		to, rest := &s.Send, ""
		if name, ok := strings.CutPrefix(field, "send."); ok {
			rest = name
		} else {
			to, rest = &s.Receive, strings.TrimPrefix(field, "receive.")
		}
		if err := to.set(rest); err != nil {
			return s, err
		}
	}
	return s, nil
}

// set reads one setting of a direction.
func (d *Direction) set(field string) error {
	name, value, ok := strings.Cut(field, "=")
	switch {
	case !ok || name != "multiply" && name != "window":
		return fmt.Errorf("unknown setting %q: say multiply=1,0,2, window=2, truncate or unreachable", field)
	case name == "window":
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 || n > maxWindow {
			return fmt.Errorf("window=%s: say how many packets may change places, 1 to %d", value, maxWindow)
		}
		d.Window = n
		return nil
	}
	d.Multiply = nil
	for text := range strings.SplitSeq(value, ",") {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > maxTimes || slices.Contains(d.Multiply, n) {
			return fmt.Errorf("multiply=%s: say how many times a packet may arrive, different numbers from 0 to %d", value, maxTimes)
		}
		d.Multiply = append(d.Multiply, n)
	}
	return nil
}

// String returns the settings as Parse reads them.
func (s Settings) String() string {
	var list []string
	if send, receive := s.Send.text(""), s.Receive.text(""); slices.Equal(send, receive) {
		list = send
	} else {
		list = append(s.Send.text("send."), s.Receive.text("receive.")...)
	}
	if s.Truncate {
		list = append(list, "truncate")
	}
	if s.Unreachable {
		list = append(list, "unreachable")
	}
	return strings.Join(list, " ")
}

func (d Direction) text(prefix string) (list []string) {
	if !d.once() {
		var times []string
		for _, n := range d.Multiply {
			times = append(times, strconv.Itoa(n))
		}
		list = append(list, prefix+"multiply="+strings.Join(times, ","))
	}
	if d.Window > 1 {
		list = append(list, fmt.Sprintf("%swindow=%d", prefix, d.Window))
	}
	return list
}

// once reports whether each packet arrives once.
func (d Direction) once() bool { return slices.Equal(d.Times(), once) }
