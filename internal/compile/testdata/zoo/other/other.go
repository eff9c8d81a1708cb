// Package other has names that collide with those of package zoo.
package other

// T is exported and has an unexported method.
type T struct{ x, Y int }

func (T) hidden() int { return 0 }
func (*T) Shown()     {}

// Hidden can be implemented by embedding only.
type Hidden interface {
	Shown()
	hidden() int
}

// Unexported has only unexported methods.
type Unexported interface{ hidden() int }

// Box is generic.
type Box[V any] struct{ V V }

// Get returns the value.
func (b *Box[V]) Get() V { return b.V }
