package vm

// A PagedStack is a stack of large values that stay where they are: a long way back has
// thousands of them, and to copy them all whenever there is no room for one more
// takes longer than to execute its steps. What is taken off, by making N smaller,
// keeps its slices for whoever comes next.
type PagedStack[T any] struct {
	pages []*[stackPage]T
	N     int // how many there are
}

const stackPage = 32

// Push puts a value on top, which has what was there before.
func (p *PagedStack[T]) Push() *T {
	if p.N == len(p.pages)*stackPage {
		p.pages = append(p.pages, new([stackPage]T))
	}
	p.N++
	return p.At(p.N - 1)
}

// At returns the value above so many others.
func (p *PagedStack[T]) At(i int) *T { return &p.pages[i/stackPage][i%stackPage] }
