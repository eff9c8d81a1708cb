package drive

import (
	"fmt"
	"strings"
)

// A view is a form that states are brought into: it decides which steps there are, how
// goroutines are numbered, or what the key of a state tells. So it is part of
// what the system is. A path means nothing without the views under which it was
// found, and whoever goes along it again needs the same ones. A view that does not
// fit a program is noticed while it is executed (see Found): it is searched again then
// with another one.

// Views say which of them are taken. The zero Views fit every program.
type Views struct {
	// Births belong to the state: who has started a goroutine, and as the how many-th
	// (see Birth). Goroutines are then told apart that are alike otherwise. It is for programs
	// in which several goroutines make calls on numbers of descriptors (see descriptors.go).
	Births bool `json:"births,omitempty"`
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
}

// UsualViews are those that fit most programs, and make the fewest states of them.
var UsualViews = Views{Receipts: true, WaitsBefore: true, Ordered: true}

func (v *Views) names() []struct {
	name string
	on   *bool
} {
	return []struct {
		name string
		on   *bool
	}{{"births", &v.Births}, {"receipts", &v.Receipts}, {"waitsbefore", &v.WaitsBefore}, {"ordered", &v.Ordered}}
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

// without returns the views that are left if some do not fit.
func (v Views) without(unfit Views) Views {
	own, not := v.names(), unfit.names()
	for i := range own {
		*own[i].on = *own[i].on && !*not[i].on
	}
	return v
}

// Known is what a search goes by: which guesses are known to be wrong, and how it looks at
// states. The zero Known makes no guess and takes no view.
type Known struct {
	Refuted *Guesses // nil: none is made
	Views   Views
}

// Unknown is what a search goes by that knows nothing of the program yet: it guesses whatever
// can be guessed.
func Unknown() Known { return Known{new(Guesses), UsualViews} }

// A Found is what turned out in the states that a machine was in.
type Found struct {
	Refuted Guesses `json:"refuted"` // guesses that are wrong
	Unfit   Views   `json:"unfit"`   // views that do not fit
}

// Found returns what turned out in any state that the machine was in, nil if nothing did.
func (m *Machine) Found() *Found {
	f := &m.found
	if f.Refuted.none() && f.Unfit == (Views{}) {
		return nil
	}
	return f
}

// Add adds what turned out elsewhere.
func (f *Found) Add(o *Found) {
	if o != nil {
		f.Refuted.Add(&o.Refuted)
		f.Unfit = Views{}.or(f.Unfit).or(o.Unfit)
	}
}

func (v Views) or(o Views) Views {
	own, more := v.names(), o.names()
	for i := range own {
		*own[i].on = *own[i].on || *more[i].on
	}
	return v
}

// Learn returns what is known after something has turned out, and whether that is more than
// before: then what was searched has to be searched again. That nobody but known
// goroutines makes calls on numbers needs births, and if it is given up, births are not
// needed any more.
func (k Known) Learn(found ...*Found) (next Known, news bool) {
	next = Known{Views: k.Views}
	if k.Refuted != nil {
		next.Refuted = new(Guesses)
		next.Refuted.Add(k.Refuted)
	}
	for _, f := range found {
		if f == nil {
			continue
		}
		if next.Refuted != nil {
			news = next.Refuted.Add(&f.Refuted) || news
		}
		next.Views = next.Views.without(f.Unfit)
	}
	if r := next.Refuted; r != nil {
		next.Views.Births = len(r.Users) > 0 && !r.Handed
	}
	return next, news || next.Views != k.Views
}

// receipts reports whether how much a goroutine has received belongs to the state.
func (m *Machine) receipts() bool { return m.opts.Views.Receipts }

// WaitsBefore reports whether nobody is taken to do more than read from a connection from
// which another one waits to read, who so waits before it takes the lock.
func (m *Machine) WaitsBefore() bool { return m != nil && m.opts.Views.WaitsBefore }

// Intruded notes that somebody has done more than read where another one waits to read.
func (m *Machine) Intruded() {
	if m != nil {
		m.found.Unfit.WaitsBefore = true
	}
}

// observesOrdered reports whether observed operations are taken to be ordered.
func (m *Machine) observesOrdered() bool { return m.opts.Views.Ordered }

// Doubt gives up to know who makes calls on which numbers if more of that has turned out since
// before: there may be no end of it.
func (k Known) Doubt(now Known) Known {
	if k.Refuted == nil || now.Refuted == nil || len(now.Refuted.Users) <= len(k.Refuted.Users) {
		return now
	}
	next, _ := now.Learn(&Found{Refuted: Guesses{Handed: true}})
	return next
}
