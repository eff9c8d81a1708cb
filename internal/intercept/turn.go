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

// waited returns how long the thread has waited for a processor in its life, and which it is. Both are 0 where the kernel does not tell.
func (t *turn) waited() (sum time.Duration, thread int) {
	if thread = unix.Gettid(); thread != t.thread {
		t.close()
		fd, err := unix.Open("/proc/self/task/"+strconv.Itoa(thread)+"/schedstat", unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			return 0, 0
		}
		t.thread, t.file = thread, fd
	}
	n, err := unix.Pread(t.file, t.buf[:], 0)
	if err != nil {
		return 0, 0
	}
	_, rest, _ := bytes.Cut(t.buf[:n], []byte(" "))
	for _, digit := range rest {
		if digit < '0' || digit > '9' {
			break
		}
		sum = sum*10 + time.Duration(digit-'0')
	}
	return sum, thread
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
	waited time.Duration
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
		waited, thread := t.waited()
		t.last = reading{now, waited, thread}
		now = time.Now()
	}
	return listening{t, now, t.last}
}

// made returns when a call was made that was heard of, at the latest, and whether it was there already when the wait began.
func (l *listening) made(heard time.Time) (at time.Time, before bool) {
	at = heard
	if heard.Sub(l.begun) > late {
		if waited, thread := l.turn.waited(); thread != 0 && thread == l.known.thread {
			since := waited - l.known.waited - l.begun.Sub(l.known.at) // it was all before, perhaps
			at = heard.Add(-min(max(0, since), heard.Sub(l.begun)))
		}
	}
	return at, at.Sub(l.begun) < soon
}
