//go:build linux

package intercept

import (
	"bytes"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// On a busy machine who answers has to wait for a processor before it hears of a call. When the call was made can be told
// all the same: the kernel counts how long a thread has waited so.

// A turn reads that of the thread that asks. Its zero value is ready to use.
type turn struct {
	thread int
	file   int
	last   reading
	buf    [64]byte
}

// read returns what is known of the thread now. It names none where the kernel does not tell.
func (t *turn) read() (r reading) {
	thread := unix.Gettid()
	if thread != t.thread {
		t.close()
		fd, err := unix.Open("/proc/self/task/"+strconv.Itoa(thread)+"/schedstat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return r
		}
		t.thread, t.file = thread, fd
	}
	n, err := unix.Pread(t.file, t.buf[:], 0)
	if err != nil {
		return r
	}
	fields := bytes.Fields(t.buf[:n]) // the time on a processor, the time it waited for one, how often it got one
	if len(fields) < 3 {
		return r
	}
	waited, _ := strconv.ParseInt(string(fields[1]), 10, 64)
	r.turns, _ = strconv.ParseInt(string(fields[2]), 10, 64)
	r.waited, r.thread = time.Duration(waited), thread
	return r
}

func (t *turn) close() {
	if t.thread != 0 {
		unix.Close(t.file)
		t.thread = 0
	}
}

// A listening is one wait for a call.
type listening struct {
	turn  *turn
	begun time.Time
	known reading
}

// A reading is what was known of a thread at some time.
type reading struct {
	at     time.Time
	waited time.Duration // for a processor, in its life
	turns  int64         // how often it got one
	thread int
}

// Bounds of what does not matter, and is not worth a look.
const (
	late = time.Millisecond
	soon = 50 * time.Microsecond
	old  = 200 * time.Microsecond
)

// listen is for somebody who begins to wait. Between calls that follow each other at once nothing is read anew.
func (t *turn) listen() listening {
	now := time.Now()
	if now.Sub(t.last.at) > old {
		t.last = t.read()
		t.last.at = now
		now = time.Now()
	}
	return listening{t, now, t.last}
}

// made returns when a call was made that was heard of, at the earliest and at the latest, and whether it may have been there already when the
// wait began.
func (l *listening) made(heard time.Time) (from, to time.Time, before bool) {
	var now reading
	if heard.Sub(l.begun) > late {
		now = l.turn.read()
	}
	return l.madeBy(now, heard)
}

// madeBy is made by what is known of the thread when the call was heard of. If nothing is, the reading names no thread.
func (l *listening) madeBy(now reading, heard time.Time) (from, to time.Time, before bool) {
	from, to = heard, heard
	if now.thread != 0 && now.thread == l.known.thread {
		since := now.waited - l.known.waited - l.begun.Sub(l.known.at) // it was all before, perhaps
		from = heard.Add(-min(max(0, since), heard.Sub(l.begun)))
		if now.turns-l.known.turns <= 1 { // it has waited once, when the call had woken it
			to = from
		}
	}
	return from, to, from.Sub(l.begun) < soon
}
