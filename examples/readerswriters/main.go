// Readerswriters lets readers share a book and gives each writer the book for
// himself. Writers who wait go before new readers.
//
// The rules are kept by one goroutine, the desk, which owns the counters and
// hears requests only while it can grant them: a channel that is nil is never
// ready. This is what a monitor with guards is in Go. heddle check finds
// nothing: nobody waits for ever, and no reader meets a writer; nor do the
// accesses to the book, which no mutex protects, race. In folder buggy one guard
// is wrong.
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
		if d.writing > 0 || d.waitingWriters > 0 {
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
