package spec

// A Library makes the function symbols of the language, each once for the sorts
// at which it is used.
type Library struct {
	Sorts *Sorts
	made  map[libraryKey]*Func
}

type libraryKey struct {
	op Op
	of *Sort
}

// NewLibrary returns an empty library.
func NewLibrary(sorts *Sorts) *Library { return &Library{Sorts: sorts, made: map[libraryKey]*Func{}} }

// Func returns the symbol of a function at a sort.
func (l *Library) Func(op Op, name string, of *Sort) *Func {
	k := libraryKey{op, of}
	f := l.made[k]
	if f == nil {
		f = &Func{Name: name, Of: of, Op: op}
		l.made[k] = f
	}
	return f
}
