package vm

// A pile is a stack of large values that stay where they are: a deep search has
// thousands of them, and to copy them all whenever there is no room for one more
// takes longer than to execute its steps. What is taken off keeps its slices for
// whoever comes next.
type pile[T any] struct {
	pages []*[pilePage]T
	n     int
}

const pilePage = 32

// push puts a value on top, which has what was there before.
func (p *pile[T]) push() *T {
	if p.n == len(p.pages)*pilePage {
		p.pages = append(p.pages, new([pilePage]T))
	}
	p.n++
	return p.at(p.n - 1)
}

// at returns the value above so many others.
func (p *pile[T]) at(i int) *T { return &p.pages[i/pilePage][i%pilePage] }
