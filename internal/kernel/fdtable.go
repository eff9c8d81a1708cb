package kernel

import (
	"slices"
	"sort"
)

// A slot is an entry of the descriptor table.
type slot struct {
	desc    *desc
	cloexec bool
	poller  *poller // what the runtime's network poller knows of it, or nil
}

// An fdTable holds the open descriptors. Most programs have few small numbers;
// those that are given out by creator (see Kernel.As) are large and far apart.
type fdTable struct {
	low  []slot     // by number
	high []highSlot // sorted by number, from lowFDs on
}

type highSlot struct {
	fd int
	slot
}

// lowFDs is how many descriptors are found by their number, and how many each
// creator has for himself.
const lowFDs = 1024

// at returns the slot of a descriptor, nil if it is free.
func (t *fdTable) at(fd int) *slot {
	switch {
	case fd < 0:
	case fd < len(t.low):
		if t.low[fd].desc != nil {
			return &t.low[fd]
		}
	case fd >= lowFDs:
		if i, ok := t.find(fd); ok {
			return &t.high[i].slot
		}
	}
	return nil
}

func (t *fdTable) find(fd int) (int, bool) {
	i := sort.Search(len(t.high), func(i int) bool { return t.high[i].fd >= fd })
	return i, i < len(t.high) && t.high[i].fd == fd
}

// put fills a free slot.
func (t *fdTable) put(fd int, s slot) {
	if fd >= lowFDs {
		i, _ := t.find(fd)
		t.high = slices.Insert(t.high, i, highSlot{fd, s})
		return
	}
	for fd >= len(t.low) {
		t.low = append(t.low, slot{})
	}
	t.low[fd] = s
}

// clear frees a slot.
func (t *fdTable) clear(fd int) {
	if i, ok := t.find(fd); ok {
		t.high = slices.Delete(t.high, i, i+1)
	} else {
		t.low[fd] = slot{}
	}
}

// free returns the smallest free number from min on.
func (t *fdTable) free(min int) int {
	for t.at(min) != nil {
		min++
	}
	return min
}

// each calls f for the open descriptors, in the order of their numbers.
func (t *fdTable) each(f func(fd int, s *slot)) {
	for fd := range t.low {
		if t.low[fd].desc != nil {
			f(fd, &t.low[fd])
		}
	}
	for i := range t.high {
		f(t.high[i].fd, &t.high[i].slot)
	}
}

func (t *fdTable) clone() fdTable {
	return fdTable{slices.Clone(t.low), slices.Clone(t.high)}
}
