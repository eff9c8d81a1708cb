package process

import (
	"slices"
	"sort"

	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// A slot is an entry of the descriptor table.
type slot struct {
	desc    *Desc
	cloexec bool
	poller  *Poller // what the runtime's network poller knows of it, or nil
}

// An fdTable holds the open descriptors. Most programs have few small numbers;
// those that are given out by creator (see Core.As) are large and far apart.
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

// A Poller is a descriptor that the runtime's network poller watches: the
// kernel half of internal/poll.pollDesc. The epoll instance below it is not
// modelled; what is, is whether a wait would be over.
type Poller struct {
	epoch           uint64
	Desc            *Desc
	Closing         bool
	ReadBy, WriteBy int64 // deadlines of reading and writing, 0 for none
}

// TouchPoller prepares a change of it.
func (k *Core) TouchPoller(p *Poller) { undo.Save(k.Log, p, &p.epoch) }

// PollerOf returns the poller of a descriptor, or nil.
func (k *Core) PollerOf(fd int) *Poller {
	if s := k.table.fds.at(fd); s != nil {
		return s.poller
	}
	return nil
}

// SetPoller gives a descriptor that is open a new poller, or none.
func (k *Core) SetPoller(fd int, on bool) {
	k.touchTable()
	s := k.table.fds.at(fd)
	s.poller = nil
	if on {
		s.poller = &Poller{epoch: k.Stretch(), Desc: s.desc}
	}
}

// AppendTable writes the descriptors and what is behind them.
func (k *Core) AppendTable(w *keys.Writer) {
	k.table.fds.each(func(fd int, s *slot) {
		w.Num(uint64(fd) + 1)
		k.appendSlot(w, s)
	})
	w.Num(0)
}

// AppendFD writes one descriptor and what is behind it.
func (k *Core) AppendFD(w *keys.Writer, fd int) { k.appendSlot(w, k.table.fds.at(fd)) }

func (k *Core) appendSlot(w *keys.Writer, s *slot) {
	w.Flag(s.cloexec)
	if p := s.poller; p == nil {
		w.Num(0)
	} else {
		now := k.Monotonic()
		w.Num(1)
		w.Away(p.ReadBy, now)
		w.Away(p.WriteBy, now)
		w.Flag(p.Closing)
	}
	s.desc.AppendKey(w)
}

// AppendNumbers writes what else the table tells apart.
func (k *Core) AppendNumbers(w *keys.Writer) { w.Num(k.table.random, k.table.noFile) }

// AppendKey writes an open file.
func (d *Desc) AppendKey(w *keys.Writer) {
	if w.First(d) {
		w.Num(uint64(d.Flags), uint64(d.Off))
		d.File.AppendKey(w)
	}
}
