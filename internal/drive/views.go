package drive

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/vm"
)

// A view is a form that states are brought into: it decides which steps there are, how
// goroutines are numbered, or what the key of a state tells. So it is part of
// what the system is. A path means nothing without the views under which it was
// found, and whoever goes along it again needs the same ones. A view that does not
// fit a program is noticed while it is executed (see Unfit): it is searched again then
// with another one.

// Views say which of them are taken. The zero Views fit every program.
type Views struct {
	// Receipts belong to the state: how much each goroutine has received over connections
	// (see progress.go). It does not fit programs that receive without end.
	Receipts bool `json:"receipts,omitempty"`
	// WaitsBefore lets a goroutine that reads from a connection wait before it takes the
	// lock for reading. It does not fit programs in which others do more than
	// read from a connection meanwhile.
	WaitsBefore bool `json:"waitsBefore,omitempty"`
	// Ordered takes observed operations for ordered by the program itself, so that they are no
	// stops (see observe.go). It does not fit programs that leave their order open.
	Ordered bool `json:"ordered,omitempty"`
	// Kept takes it that descriptors which packages keep in objects are used through those
	// objects alone, so that who cannot reach one does not act on it. It does not fit
	// programs that also make calls on their numbers themselves.
	Kept bool `json:"kept,omitempty"`
	// Unnamed takes it that of the processes of a group, and beside live peers, only main goroutines make
	// descriptors and connections. Then the others need no names, and those that are
	// alike are not told apart (see Birth). It does not fit programs in which others make some too.
	Unnamed bool `json:"unnamed,omitempty"`
	// Rests takes it that all goroutines wait again and again, so that it is enough if time passes then (see
	// late.go). It does not fit programs that go around in circles while the clock has to stand still: time passes
	// at any moment in those.
	Rests bool `json:"rests,omitempty"`
	// Arrives takes it that whoever stands before an operation on a channel when time passes because all wait has arrived there.
	// It does not fit programs that look for such a partner without waiting for one: that may be late, as everybody.
	Arrives bool `json:"arrives,omitempty"`
	// Untold takes it that nobody asks for the times of files that the program has changed, so that those are all one time. It
	// does not fit programs that do, and whose paths end there: see filetime.go.
	Untold bool `json:"untold,omitempty"`
	// Wakes lets time.Sleep return at any moment, however late others are for that. It is not one of the usual views: it is
	// for races, since that time has passed orders nothing.
	Wakes bool `json:"wakes,omitempty"`
	// Short ends the steps of goroutines that compute, or go around in circles, after a short while. It is not one of the usual views:
	// it is for hunts, which have other things to do than to see such a step through.
	Short bool `json:"short,omitempty"`
	// Ends makes the end of a program by a panic or a fatal error a step of its own, so that others may do something before it. It is not one of
	// the usual views: it is for searches to which such an end need not be a finding. To the others nothing is worse than that.
	Ends bool `json:"ends,omitempty"`
}

// UsualViews are those that fit most programs, and make the fewest states of them.
var UsualViews = Views{Receipts: true, WaitsBefore: true, Ordered: true, Kept: true, Unnamed: true, Rests: true, Arrives: true, Untold: true}

func (v *Views) names() []struct {
	name string
	on   *bool
} {
	return []struct {
		name string
		on   *bool
	}{{"receipts", &v.Receipts}, {"waitsbefore", &v.WaitsBefore}, {"ordered", &v.Ordered}, {"kept", &v.Kept}, {"unnamed", &v.Unnamed}, {"rests", &v.Rests}, {"arrives", &v.Arrives}, {"untold", &v.Untold}, {"wakes", &v.Wakes}, {"short", &v.Short}, {"ends", &v.Ends}}
}

// String lists the views that are taken, separated by commas. It is empty for none.
func (v Views) String() string {
	var list []string
	for _, x := range v.names() {
		if *x.on {
			list = append(list, x.name)
		}
	}
	return strings.Join(list, ",")
}

// ParseViews reads what String returns.
func ParseViews(text string) (v Views, err error) {
	if text == "" {
		return v, nil
	}
	known := v.names()
next:
	for name := range strings.SplitSeq(text, ",") {
		for _, x := range known {
			if x.name == name && !*x.on {
				*x.on = true
				continue next
			}
		}
		return Views{}, fmt.Errorf("views %q: %q is not known, or there twice", text, name)
	}
	return v, nil
}

// Without returns the views that are left if some do not fit.
func (v Views) Without(unfit Views) Views {
	own, not := v.names(), unfit.names()
	for i := range own {
		*own[i].on = *own[i].on && !*not[i].on
	}
	return v
}

// Or returns the views that are in one of two.
func (v Views) Or(o Views) Views {
	own, more := v.names(), o.names()
	for i := range own {
		*own[i].on = *own[i].on || *more[i].on
	}
	return v
}

// Unfit returns the views that do not fit, as turned out in any state that the machine was in.
func (m *Machine) Unfit() Views { return m.unfit }

// receipts reports whether how much a goroutine has received belongs to the state.
func (m *Machine) receipts() bool { return m.opts.Views.Receipts }

// WaitsBefore reports whether nobody is taken to do more than read from a connection from
// which another one waits to read, who so waits before it takes the lock.
func (m *Machine) WaitsBefore() bool { return m != nil && m.opts.Views.WaitsBefore }

// Intruded notes that somebody has done more than read where another one waits to read.
func (m *Machine) Intruded() {
	if m != nil {
		m.unfit.WaitsBefore = true
	}
}

// KeepsNumbers reports whether descriptors that packages keep in objects are taken to be used
// through those alone.
func (m *Machine) KeepsNumbers() bool { return m != nil && m.opts.Views.Kept }

// ToldNumber notes that the program makes a call itself on a number that is kept in an object.
func (m *Machine) ToldNumber() {
	if m != nil {
		m.unfit.Kept = true
	}
}

// Made notes that a goroutine has made a descriptor, or a connection.
func (m *Machine) Made(g *vm.G) {
	if m != nil && m.opts.Views.Unnamed && m.opts.Attended && of(g).path != "" {
		m.unfit.Unnamed = true
	}
}

// observesOrdered reports whether observed operations are taken to be ordered.
func (m *Machine) observesOrdered() bool { return m.opts.Views.Ordered }
