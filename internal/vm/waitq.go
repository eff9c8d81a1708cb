package vm

import "github.com/heddle-mc/heddle/internal/mem"

// Wait lists say who waits on what. They are derived data: what a goroutine
// waits for follows from its status, its Wait and the instruction it stands at,
// so rebuildWaits can make them anew after the machine has gone back.

// A waitDir tells apart those who wait on one object.
type waitDir uint8

const (
	waitRecv waitDir = iota // on a channel, to receive
	waitSend                // on a channel, to send
	waitObj                 // on any other object, by NativeCall.Park
)

type waitKey struct {
	obj mem.Ptr
	dir waitDir
}

// A waiter is a goroutine's place in one list. A goroutine in a select has one
// for each of its cases.
type waiter struct {
	g          *G
	list       *waitList
	cas        int32 // select: number of the case
	next, prev *waiter
	more       *waiter // of the same goroutine; or the next free waiter
}

// A waitList holds those who wait on one object, in order of arrival.
type waitList struct {
	key        waitKey
	head, tail *waiter
	link       *waitList // the next list in its bucket; or the next free list
}

// A waitTable is a hash table of wait lists, none of them empty. It is one of our
// own because every operation on a channel looks into it.
type waitTable struct {
	buckets   []*waitList // their number is a power of two
	n         int
	freeLists *waitList
	free      *waiter
}

func (t *waitTable) bucket(obj mem.Ptr) **waitList {
	h := (uint64(obj) ^ uint64(obj)>>32) * 0x9e3779b97f4a7c15
	return &t.buckets[h>>32&uint64(len(t.buckets)-1)]
}

// first is the waiter that came first, nil if there is none.
func (t *waitTable) first(obj mem.Ptr, dir waitDir) *waiter {
	if t.n == 0 {
		return nil
	}
	for l := *t.bucket(obj); l != nil; l = l.link {
		if l.key == (waitKey{obj, dir}) {
			return l.head
		}
	}
	return nil
}

// listOf finds or makes a list.
func (t *waitTable) listOf(key waitKey) *waitList {
	if t.n >= len(t.buckets) {
		t.grow()
	}
	b := t.bucket(key.obj)
	for l := *b; l != nil; l = l.link {
		if l.key == key {
			return l
		}
	}
	l := t.freeLists
	if l == nil {
		l = new(waitList)
	} else {
		t.freeLists = l.link
	}
	l.key, l.link = key, *b
	*b = l
	t.n++
	return l
}

// grow doubles the number of buckets.
func (t *waitTable) grow() {
	old := t.buckets
	t.buckets = make([]*waitList, max(64, 2*len(old)))
	for _, l := range old {
		for l != nil {
			link := l.link
			b := t.bucket(l.key.obj)
			l.link, *b = *b, l
			l = link
		}
	}
}

// add puts g at the end of a list.
func (t *waitTable) add(g *G, obj mem.Ptr, dir waitDir, cas int) {
	l := t.listOf(waitKey{obj, dir})
	w := t.free
	if w == nil {
		w = new(waiter)
	} else {
		t.free = w.more
	}
	*w = waiter{g: g, list: l, cas: int32(cas), prev: l.tail, more: g.waiters}
	g.waiters = w
	if l.tail == nil {
		l.head = w
	} else {
		l.tail.next = w
	}
	l.tail = w
}

// drop removes g from all lists it is in.
func (t *waitTable) drop(g *G) {
	for w := g.waiters; w != nil; {
		l := w.list
		if w.prev == nil {
			l.head = w.next
		} else {
			w.prev.next = w.next
		}
		if w.next == nil {
			l.tail = w.prev
		} else {
			w.next.prev = w.prev
		}
		if l.head == nil {
			t.remove(l)
		}
		more := w.more
		*w = waiter{more: t.free}
		t.free = w
		w = more
	}
	g.waiters = nil
}

// remove takes an empty list out of the table.
func (t *waitTable) remove(l *waitList) {
	p := t.bucket(l.key.obj)
	for *p != l {
		p = &(*p).link
	}
	*p = l.link
	*l = waitList{link: t.freeLists}
	t.freeLists = l
	t.n--
}

// clear empties the table. The goroutines' own chains are left to the caller.
func (t *waitTable) clear() {
	clear(t.buckets)
	t.n = 0
}

// A runQueue is a ring of runnable goroutines.
type runQueue struct {
	ring []*G // its length is a power of two
	head int
	n    int
}

func (q *runQueue) push(g *G) {
	q.grow()
	*q.at(q.n) = g
	q.n++
}

// pushFirst puts a goroutine before all others.
func (q *runQueue) pushFirst(g *G) {
	q.grow()
	q.head = (q.head - 1) & (len(q.ring) - 1)
	*q.at(0) = g
	q.n++
}

// grow makes room for one more.
func (q *runQueue) grow() {
	if q.n == len(q.ring) {
		ring := make([]*G, max(64, 2*len(q.ring)))
		for i := range q.n {
			ring[i] = *q.at(i)
		}
		q.ring, q.head = ring, 0
	}
}

// at is the i-th place from the head.
func (q *runQueue) at(i int) **G { return &q.ring[(q.head+i)&(len(q.ring)-1)] }

// take removes the i-th goroutine. The first takes its place.
func (q *runQueue) take(i int) *G {
	p, first := q.at(i), q.at(0)
	g := *p
	*p, *first = *first, nil
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
	return g
}

func (q *runQueue) clear() {
	clear(q.ring)
	q.head, q.n = 0, 0
}
