// Readerswriters lets a reader in while a writer writes.
//
// The bug: the guard for new readers looks at the writers who wait and forgets
// the one at work. heddle check reports the invariant that nobody reads while
// somebody writes, and the race between the two for the book. The cure is in the
// folder above: the guard looks at both.
//
// Finding: invariant.
package main

import (
	"fmt"

	"github.com/heddle-mc/heddle/verify"
)

const (
	readers = 4
	writers = 4
)

// A book has two halves that a writer changes one after the other.
type book struct{ left, right int }

type desk struct {
	startRead, endRead               chan struct{}
	wantWrite, startWrite, endWrite  chan struct{}
	reading, writing, waitingWriters int
}

func newDesk(b *book) *desk {
	d := &desk{
		startRead:  make(chan struct{}),
		endRead:    make(chan struct{}),
		wantWrite:  make(chan struct{}),
		startWrite: make(chan struct{}),
		endWrite:   make(chan struct{}),
	}
	verify.Always(func() bool { return d.reading == 0 || d.writing == 0 })
	verify.Always(func() bool { return d.writing <= 1 })
	verify.Step(func() int { return b.right }, func(before, after int) bool {
		return before <= after && after <= before+1
	})
	return d
}

// serve grants requests until everybody has left.
func (d *desk) serve() {
	for present := readers + writers; present > 0; {
		startRead, startWrite := d.startRead, d.startWrite
		if d.waitingWriters > 0 { // BUG: or one is writing
			startRead = nil
		}
		if d.writing > 0 || d.reading > 0 {
			startWrite = nil
		}
		select {
		case <-startRead:
			d.reading++
		case <-d.endRead:
			verify.Assert(d.reading > 0, "a reader left who never came")
			d.reading--
			present--
		case <-d.wantWrite:
			d.waitingWriters++
		case <-startWrite:
			d.waitingWriters--
			d.writing++
		case <-d.endWrite:
			verify.Assert(d.writing == 1, "a writer left who never came")
			d.writing--
			present--
		}
	}
}

func (d *desk) read(b *book) {
	d.startRead <- struct{}{}
	verify.Assert(b.left == b.right, "read half an edition")
	d.endRead <- struct{}{}
}

func (d *desk) write(b *book) {
	d.wantWrite <- struct{}{}
	d.startWrite <- struct{}{}
	verify.Assert(b.left == b.right, "found half an edition")
	b.left++
	b.right++
	d.endWrite <- struct{}{}
}

func main() {
	b := new(book)
	d := newDesk(b)
	for range readers {
		go d.read(b)
	}
	for range writers {
		go d.write(b)
	}
	d.serve()
	fmt.Println("edition", b.right, "is complete")
}
