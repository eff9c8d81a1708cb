package effect

import "strings"

// A Footprint is what a step acts on. The zero Footprint is that of a step that
// nobody else can notice. A token may be in several of the lists.
type Footprint struct {
	Reads  []Token
	Writes []Token
	// Waits are what has to change before a step can be taken that cannot be taken
	// now, or before another way of it is open: whoever writes one of them may let it
	// go on.
	Waits []Token
	// Everything says that anybody may depend on the step, and it on anybody. It is so of
	// steps about which nothing is known.
	Everything bool
}

// Reset empties the footprint, and keeps its room.
func (f *Footprint) Reset() {
	f.Reads, f.Writes, f.Waits, f.Everything = f.Reads[:0], f.Writes[:0], f.Waits[:0], false
}

// Read adds what the step looks at.
func (f *Footprint) Read(t Token) { f.Reads = append(f.Reads, t) }

// Write adds what the step changes, or may change.
func (f *Footprint) Write(t Token) { f.Writes = append(f.Writes, t) }

// Wait adds what the step waits for.
func (f *Footprint) Wait(t Token) { f.Waits = append(f.Waits, t) }

// Put adds a token to the lists of all that is done to it.
func (f *Footprint) Put(how How, t Token) {
	if how&Reads != 0 {
		f.Read(t)
	}
	if how&Writes != 0 {
		f.Write(t)
	}
	if how&Waits != 0 {
		f.Wait(t)
	}
}

// Add adds all of another footprint, as for two operations that one step does.
func (f *Footprint) Add(o *Footprint) {
	f.Reads = append(f.Reads, o.Reads...)
	f.Writes = append(f.Writes, o.Writes...)
	f.Waits = append(f.Waits, o.Waits...)
	f.Everything = f.Everything || o.Everything
}

// Each calls f for every token, in the order of the lists, until it returns false.
func (f *Footprint) Each(yield func(Token) bool) {
	for _, list := range [...][]Token{f.Reads, f.Writes, f.Waits} {
		for _, t := range list {
			if !yield(t) {
				return
			}
		}
	}
}

// Independent reports whether the order of two steps of different goroutines makes no
// difference: neither changes what the other one looks at, changes or waits for. A step that
// acts on everything is independent of none, also not of one that acts on nothing:
// it may end the program.
func Independent(a, b Footprint) bool {
	return !a.Everything && !b.Everything && !disturbs(&a, &b) && !disturbs(&b, &a)
}

// disturbs reports whether a changes what matters to b.
func disturbs(a, b *Footprint) bool {
	for _, w := range a.Writes {
		for _, list := range [...][]Token{b.Reads, b.Writes, b.Waits} {
			for _, t := range list {
				if w.Overlaps(t) {
					return true
				}
			}
		}
	}
	return false
}

// String prints the footprint on one line, "nothing" if it is empty.
func (f Footprint) String() string {
	if f.Everything {
		return "everything"
	}
	var parts []string
	for _, l := range [...]struct {
		verb string
		list []Token
	}{{"reads", f.Reads}, {"writes", f.Writes}, {"waits for", f.Waits}} {
		for _, t := range l.list {
			parts = append(parts, l.verb+" "+t.String())
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, "; ")
}
