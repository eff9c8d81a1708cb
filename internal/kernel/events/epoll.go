package events

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// An epoll is an instance of it. It follows Linux: who is woken goes to the end of
// a list of those that may have something to tell, and a call looks at these in
// turn. One that is level-triggered stays in the list as long as it has something;
// one that is edge-triggered comes back when it is woken again.
type epoll struct {
	process.Plain
	k     *Waits
	epoch uint64
	key   uint64
	ino   uint64
	items []*watch // sorted by descriptor
	list  []*watch // those that may have something to tell, in the order of their waking
}

// A watch is what an epoll knows of one open file. It is replaced, not changed.
type watch struct {
	fd     int
	desc   *process.Desc
	events uint32 // and flags; 0 if it was told once and was to be told once
	data   uint64
	rank   int // among the watches of the same thing: the youngest is woken first
}

// Flags among the events of a watch.
const (
	epollEdge      = 1 << 31
	epollOnce      = 1 << 30
	epollWakeup    = 1 << 29
	epollExclusive = 1 << 28
	epollFlags     = epollEdge | epollOnce | epollWakeup | epollExclusive
)

// An EpollEvent is what epoll tells of one descriptor.
type EpollEvent struct {
	Events uint32
	Data   uint64
}

func (k *Waits) touchEpoll(ep *epoll) {
	if undo.Save(k.Log, ep, &ep.epoch) {
		ep.items, ep.list = slices.Clone(ep.items), slices.Clone(ep.list)
	}
}

// EpollCreate makes an epoll. Flags are those of epoll_create1(2).
func (k *Waits) EpollCreate(flags int) (int, linux.Errno) {
	if flags&^linux.O_CLOEXEC != 0 {
		return -1, linux.EINVAL
	}
	k.touchWatching()
	ep := &epoll{k: k, epoch: k.Stretch(), key: k.NewKey(), ino: k.NewIno()}
	k.watching.epolls = append(slices.Clip(k.watching.epolls), ep)
	return k.Add(ep, flags|linux.O_RDWR)
}

// epoll returns the epoll of a descriptor and the open file of another one, after
// the checks of epoll_ctl(2).
func (k *Waits) epoll(epfd, fd int) (*epoll, *process.Desc, linux.Errno) {
	own, e := k.Desc(epfd)
	if e != 0 {
		return nil, nil, e
	}
	d, e := k.Desc(fd)
	if e != 0 {
		return nil, nil, e
	}
	if _, ok := d.File.(process.Pollable); !ok {
		return nil, nil, linux.EPERM
	}
	ep, ok := own.File.(*epoll)
	if !ok || own.File == d.File {
		return nil, nil, linux.EINVAL
	}
	return ep, d, 0
}

// EpollCtl adds, changes or removes a watch. Op is one of the EPOLL_CTL constants.
func (k *Waits) EpollCtl(epfd, op, fd int, events uint32, data uint64) linux.Errno {
	ep, d, e := k.epoll(epfd, fd)
	if e != 0 {
		return e
	}
	if op != linux.EPOLL_CTL_DEL && events&epollExclusive != 0 {
		return k.Refuse("EPOLLEXCLUSIVE (epoll_ctl)")
	}
	if inner, ok := d.File.(*epoll); ok && op == linux.EPOLL_CTL_ADD && inner.reaches(ep) {
		return linux.ELOOP
	}
	i := slices.IndexFunc(ep.items, func(w *watch) bool { return w.fd == fd && w.desc == d })
	w := &watch{fd: fd, desc: d, events: events | linux.EvAlways, data: data}
	switch op {
	case linux.EPOLL_CTL_ADD:
		if i >= 0 {
			return linux.EEXIST
		}
		k.touchEpoll(ep)
		at := 0
		for at < len(ep.items) && ep.items[at].fd <= fd {
			at++
		}
		k.watches(d.Key(), func(o *watch) { w.rank = max(w.rank, o.rank+1) })
		ep.items = slices.Insert(ep.items, at, w)
	case linux.EPOLL_CTL_MOD:
		if i < 0 {
			return linux.ENOENT
		}
		k.touchEpoll(ep)
		w.rank = ep.items[i].rank
		ep.replace(ep.items[i], w)
	case linux.EPOLL_CTL_DEL:
		if i < 0 {
			return linux.ENOENT
		}
		k.touchEpoll(ep)
		ep.forget(ep.items[i])
		return 0
	default:
		return linux.EINVAL
	}
	k.look(d)
	if w.now() != 0 && !slices.Contains(ep.list, w) { // otherwise it is no news
		ep.push(k, w)
	}
	return 0
}

// look is what a call does that asks a file for its events: an epoll forgets those at
// the head of its list that have nothing to tell, up to the first one that has.
func (k *Waits) look(d *process.Desc) {
	ep, ok := d.File.(*epoll)
	for ok && len(ep.list) > 0 {
		k.look(ep.list[0].desc)
		if ep.list[0].now() != 0 {
			break
		}
		k.touchEpoll(ep)
		ep.list = ep.list[1:]
	}
}

// reaches reports whether an epoll watches another one, directly or not.
func (ep *epoll) reaches(other *epoll) bool {
	for _, w := range ep.items {
		if inner, ok := w.desc.File.(*epoll); ok && (inner == other || inner.reaches(other)) {
			return true
		}
	}
	return ep == other
}

// now returns the events that the watch is to tell of.
func (w *watch) now() uint32 { return w.of(w.desc.Events()) }

// of returns those of some events that the watch is to tell of.
func (w *watch) of(events uint32) uint32 { return events & w.events &^ epollFlags }

func (ep *epoll) replace(old, w *watch) {
	for _, list := range [][]*watch{ep.items, ep.list} {
		if i := slices.Index(list, old); i >= 0 {
			list[i] = w
		}
	}
}

func (ep *epoll) forget(w *watch) {
	is := func(o *watch) bool { return o == w }
	ep.items = slices.DeleteFunc(ep.items, is)
	ep.list = slices.DeleteFunc(ep.list, is)
}

// push puts a watch at the end of the list and wakes those who wait.
func (ep *epoll) push(k *Waits, w *watch) {
	if !slices.Contains(ep.list, w) && (!k.Unordered || w.events&epollEdge != 0) {
		k.touchEpoll(ep)
		ep.list = append(ep.list, w)
		if k.Unordered && !slices.ContainsFunc(ep.list, func(w *watch) bool { return w.events&epollEdge == 0 }) {
			ep.settle()
		}
	}
	k.WakeFor(ep.key, linux.EvRead)
}

// Note puts the watches of what was woken into the lists, the youngest first.
func (k *Waits) Note(key uint64, events uint32) {
	type place struct {
		ep *epoll
		w  *watch
	}
	var woken []place
	for _, ep := range k.watching.epolls {
		for _, w := range ep.items {
			if w.desc.Key() != key || w.events&events == 0 {
				continue
			}
			if !w.desc.File.(process.Pollable).Hears(events) {
				continue
			}
			woken = append(woken, place{ep, w})
		}
	}
	slices.SortStableFunc(woken, func(a, b place) int { return b.w.rank - a.w.rank })
	for _, p := range woken {
		p.ep.push(k, p.w)
	}
}

// watches calls a function for all watches of what has a key.
func (k *Waits) watches(key uint64, do func(w *watch)) {
	for _, ep := range k.watching.epolls {
		for _, w := range ep.items {
			if w.desc.Key() == key {
				do(w)
			}
		}
	}
}

// released removes the watches of an open file that nobody has open any more.
func (k *Waits) released(d *process.Desc) {
	for _, ep := range k.watching.epolls {
		for i := len(ep.items) - 1; i >= 0; i-- {
			if w := ep.items[i]; w.desc == d {
				k.touchEpoll(ep)
				ep.forget(w)
			}
		}
	}
}

// refresh puts those into the list that have something to tell though nobody has
// said so: timers, which nobody wakes.
func (ep *epoll) refresh(k *Waits) {
	k.expire()
	first := len(ep.list)
	for _, w := range ep.items {
		if w.events&epollEdge == 0 && w.now() != 0 && !slices.Contains(ep.list, w) {
			k.touchEpoll(ep)
			ep.list = append(ep.list, w)
		}
	}
	if k.Unordered && !slices.ContainsFunc(ep.list[:first], func(w *watch) bool { return w.events&epollEdge == 0 }) {
		slices.SortFunc(ep.list, func(a, b *watch) int { return slices.Index(ep.items, a) - slices.Index(ep.items, b) })
	}
}

// EpollWait returns what an epoll has to tell, at most max events. It fails with
// EAGAIN if that is nothing; the caller waits on the descriptor's key.
func (k *Waits) EpollWait(epfd, max int) ([]EpollEvent, linux.Errno) {
	d, e := k.Desc(epfd)
	if e != 0 {
		return nil, e
	}
	ep, ok := d.File.(*epoll)
	if !ok || max <= 0 {
		return nil, linux.EINVAL
	}
	ep.refresh(k)
	if len(ep.list) == 0 {
		return nil, linux.EAGAIN
	}
	k.touchEpoll(ep)
	var told []EpollEvent
	var again []*watch
	rest := ep.list
	for len(rest) > 0 && len(told) < max {
		w := rest[0]
		rest = rest[1:]
		k.look(w.desc)
		now := w.desc.Events()
		events, all := w.of(w.desc.Known(now)), w.of(now) // what the program knows, and what there is
		if events != 0 {
			told = append(told, EpollEvent{events, w.data})
		}
		switch {
		case all == 0:
		case events != 0 && w.events&epollOnce != 0:
			off := *w
			off.events = 0
			ep.replace(w, &off)
		case w.events&epollEdge == 0 || events != all: // there is something, or will be
			again = append(again, w)
		}
	}
	ep.list = append(slices.Clone(rest), again...)
	if k.Unordered && len(rest) == 0 {
		ep.settle()
	}
	if len(told) == 0 {
		return nil, linux.EAGAIN
	}
	return told, 0
}

func (ep *epoll) Events() uint32 {
	for _, w := range ep.items {
		if ep.tells(w) && w.now() != 0 {
			return linux.EvRead
		}
	}
	return 0
}

// tells reports whether a watch is one to tell of, if there is something.
func (ep *epoll) tells(w *watch) bool { return w.events&epollEdge == 0 || slices.Contains(ep.list, w) }

// settle brings the list into an order that does not depend on who was woken
// first. Where delays are tried any subset of what is ready is told of, so that the
// order has nothing to add but states.
func (ep *epoll) settle() {
	ep.list = slices.DeleteFunc(ep.list, func(w *watch) bool { return w.events&epollEdge == 0 })
	slices.SortFunc(ep.list, func(a, b *watch) int { return slices.Index(ep.items, a) - slices.Index(ep.items, b) })
}

func (ep *epoll) WaitKey() uint64 { return ep.key }

func (ep *epoll) Stat() (linux.Stat, linux.Errno) {
	return linux.Stat{Mode: 0o600, Nlink: 1, Ino: ep.ino, Blksize: 4096}, 0
}

func (ep *epoll) Close() linux.Errno {
	k := ep.k
	k.touchWatching()
	k.watching.epolls = slices.DeleteFunc(slices.Clone(k.watching.epolls), func(o *epoll) bool { return o == ep })
	return 0
}

// AppendKey writes the watches and, as places among them, the list.
func (ep *epoll) AppendKey(w *keys.Writer) {
	if !w.First(ep) {
		return
	}
	w.Num(uint64(len(ep.items)))
	for _, x := range ep.items {
		older := 0
		if x.rank > 0 {
			ep.k.watches(x.desc.Key(), func(o *watch) {
				if o.rank < x.rank {
					older++
				}
			})
		}
		w.Num(uint64(x.fd), uint64(x.events), x.data, uint64(older))
		if !w.Near {
			x.desc.AppendKey(w)
		}
	}
	w.Num(uint64(len(ep.list)))
	for _, x := range ep.list {
		w.Num(uint64(slices.Index(ep.items, x)))
	}
}

// EpollFDs lists the descriptors that an epoll watches.
func (k *Waits) EpollFDs(fd int) (list []int) {
	if d, e := k.Desc(fd); e == 0 {
		if ep, ok := d.File.(*epoll); ok {
			for _, w := range ep.items {
				list = append(list, w.fd)
			}
		}
	}
	return list
}

// EachTold calls f for the watches of an epoll that it may tell of, with all events that the file has and those that the
// watch is about.
func (k *Waits) EachTold(epfd int, f func(fd int, d *process.Desc, all, events uint32)) {
	d, e := k.Desc(epfd)
	if e != 0 {
		return
	}
	if ep, ok := d.File.(*epoll); ok {
		for _, w := range ep.items {
			if ep.tells(w) {
				events := w.desc.Events()
				f(w.fd, w.desc, events, w.of(events))
			}
		}
	}
}
