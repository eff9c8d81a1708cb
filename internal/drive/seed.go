package drive

import "github.com/heddle-mc/heddle/internal/vm"

// Seeds returns how many seeds there are to choose from now: those of the search
// at the first use of random numbers, and one afterwards.
func (m *Machine) Seeds() int {
	if m == nil || m.opts.Random < 2 || m.checked.seeded {
		return 1
	}
	return m.opts.Random
}

// Reseed makes random numbers come from the n-th seed, if none was chosen yet.
func (m *Machine) Reseed(n int) {
	if m.Seeds() > 1 {
		m.Perturb(uint64(n) * 0xbf58476d1ce4e5b9)
		m.checked.seeded = true
	}
}

// Choose returns the largest number of values that a random number may have for all of them to be
// tried. It is 0 of a goroutine of the machine itself, which cannot stop.
func (m *Machine) Choose(g *vm.G) int {
	if m == nil || g.System() {
		return 0
	}
	return m.opts.Choose
}
