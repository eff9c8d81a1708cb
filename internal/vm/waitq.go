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
	key        waitKey
	cas        int32 // select: number of the case
	next, prev *waiter
	more       *waiter // of the same goroutine; or the next free waiter
}

// A waitList is in order of arrival.
type waitList struct{ head, tail *waiter }

// waitSlots is the size of a table that counts waiters by a hash of their
// object. Most channel operations find a zero there and need no look at a list.
const waitSlots = 1024

// A waitTable holds all wait lists.
type waitTable struct {
	lists map[waitKey]waitList
	count [waitSlots]int32
	free  *waiter
}

func waitSlot(obj mem.Ptr) uint32 { return (uint32(obj>>32) ^ uint32(obj)>>3) % waitSlots }

// add puts g at the end of a list.
func (t *waitTable) add(g *G, obj mem.Ptr, dir waitDir, cas int) {
	if t.lists == nil {
		t.lists = make(map[waitKey]waitList)
	}
	w := t.free
	if w == nil {
		w = new(waiter)
	} else {
		t.free = w.more
	}
	key := waitKey{obj, dir}
	l := t.lists[key]
	*w = waiter{g: g, key: key, cas: int32(cas), prev: l.tail, more: g.waiters}
	g.waiters = w
	if l.tail == nil {
		l.head = w
	} else {
		l.tail.next = w
	}
	l.tail = w
	t.lists[key] = l
	t.count[waitSlot(obj)]++
}

// first is the waiter that came first, nil if there is none.
func (t *waitTable) first(obj mem.Ptr, dir waitDir) *waiter {
	if t.count[waitSlot(obj)] == 0 {
		return nil
	}
	return t.lists[waitKey{obj, dir}].head
}

// drop removes g from all lists it is in.
func (t *waitTable) drop(g *G) {
	for w := g.waiters; w != nil; {
		l := t.lists[w.key]
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
			delete(t.lists, w.key)
		} else {
			t.lists[w.key] = l
		}
		t.count[waitSlot(w.key.obj)]--
		more := w.more
		*w = waiter{more: t.free}
		t.free = w
		w = more
	}
	g.waiters = nil
}

// clear empties all lists. The goroutines' own chains are left to the caller.
func (t *waitTable) clear() {
	clear(t.lists)
	clear(t.count[:])
}

// A runQueue is a ring of runnable goroutines.
type runQueue struct {
	ring []*G // its length is a power of two
	head int
	n    int
}

func (q *runQueue) push(g *G) {
	if q.n == len(q.ring) {
		ring := make([]*G, max(64, 2*len(q.ring)))
		for i := range q.n {
			ring[i] = *q.at(i)
		}
		q.ring, q.head = ring, 0
	}
	*q.at(q.n) = g
	q.n++
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
