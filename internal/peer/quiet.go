//go:build linux

package peer

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A sample is what all threads of a run do, each at its own moment.
type sample []thread

func compareThreads(a, b thread) int {
	return cmp.Or(cmp.Compare(a.pid, b.pid), cmp.Compare(a.tid, b.tid))
}

// sleeping returns what a thread does that has slept since the sample was taken.
func (s sample) sleeping(t *thread) (thread, bool) {
	i, ok := slices.BinarySearchFunc(s, *t, compareThreads)
	if !ok || s[i].state != 'S' || s[i].switches != t.switches {
		return thread{}, false
	}
	return s[i], true
}

// same reports whether no thread has run between two samples. A thread that
// sleeps in both and was not switched in between has slept all the time. Since
// all of the first sample was taken before all of the second, there was a moment
// at which all threads slept together.
func (s sample) same(later sample) bool {
	return slices.EqualFunc(s, later, func(a, b thread) bool {
		return a.pid == b.pid && a.tid == b.tid && a.state == 'S' && b.state == 'S' &&
			a.switches == b.switches && a.call == b.call && a.args == b.args
	})
}

// idle reports whether no thread goes on by itself and one at least waits for
// input: if all waited for each other, nothing could wake them. It returns the
// timed waits that are not too long to be waited for.
func (s sample) idle(patience time.Duration, h *habits) (timers []timer, ok bool) {
	some := false
	for i := range s {
		t := &s[i]
		w := t.wait()
		if w.kind == goesOn || w.kind == naps && !s.parked(t) {
			return nil, false
		}
		some = some || w.kind == input
		key := habit{t.name, t.call}
		if w.timed && w.timeout <= patience && !h.knows(key, w.timeout) {
			timers = append(timers, timer{key, w.timeout})
		}
	}
	return timers, some
}

// parked reports whether all other threads of a thread's process wait where none holds up another: what
// looks whether one does so has nothing to do.
func (s sample) parked(t *thread) bool {
	return !slices.ContainsFunc(s, func(other thread) bool {
		if other.pid != t.pid || other.tid == t.tid {
			return false
		}
		switch other.call {
		case unix.SYS_FUTEX, sysEpollWait, unix.SYS_EPOLL_PWAIT, unix.SYS_EPOLL_PWAIT2:
			return other.state != 'S'
		}
		return true
	})
}

// ticks reports whether a thread waits with a timeout up to d.
func (s sample) ticks(d time.Duration) bool {
	return slices.ContainsFunc(s, func(t thread) bool {
		w := t.wait()
		return w.timed && w.timeout <= d
	})
}

func (s sample) String() string {
	var text []string
	for i := range s {
		if line := s[i].String(); !slices.Contains(text, line) {
			text = append(text, line)
		}
	}
	if len(text) == 0 {
		return "it has no threads"
	}
	return strings.Join(text, ", ")
}

// A habit is a thread of some name that waits for input with a timeout, again
// and again.
type habit struct {
	thread string
	call   int64
}

type timer struct {
	habit
	timeout time.Duration
}

// Habits are the timed waits from which nothing has come, with the timeout for
// each. Such a wait, or a longer one, is no sign of an answer to come. Habits are
// those of a peer, not of a run, so they are learned once.
type habits struct {
	mu       sync.Mutex
	min      map[habit]time.Duration
	restless bool // it was never seen at rest after it had begun to listen
	answers  map[string]answering
	again    map[string]bool // datagrams that it has said again without being asked
}

// An answering is what was seen of a peer that was asked something while it had a timer: whether it has answered, as often as
// that was seen, and not by way of the timer. Who has done so three times is taken to do so again: a timer that
// goes on and on, like that of redis, leaves less than its period after each request, and would be waited for each time.
type answering struct {
	times int
	spoke bool
	other bool // it did so in different ways, or late
}

// prompt reports whether a peer that was asked this, and has spoken since or not, is known to say nothing more because of a timer.
func (h *habits) prompt(asked string, spoke bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	a := h.answers[asked]
	return a.times >= 3 && !a.other && a.spoke == spoke
}

// answered notes that a peer that was asked something has said nothing more, or that it has, after it seemed to wait for a timer.
func (h *habits) answered(asked string, spoke, late bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.answers == nil {
		h.answers = make(map[string]answering)
	}
	a := h.answers[asked]
	a.other = a.other || late || a.times > 0 && a.spoke != spoke
	a.times, a.spoke = a.times+1, spoke
	if len(h.answers) < maxAnswers || a.times > 1 {
		h.answers[asked] = a
	}
}

// repeat notes that a peer has said a datagram again without being asked.
func (h *habits) repeat(frame []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.again == nil {
		h.again = make(map[string]bool)
	}
	if len(h.again) < maxAnswers {
		h.again[string(frame)] = true
	}
}

// repeats reports whether a peer is known to say a datagram again without being asked.
func (h *habits) repeats(frame []byte) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.again[string(frame)]
}

// maxAnswers bounds how many requests, and how many datagrams, are remembered.
const maxAnswers = 1 << 12

func (h *habits) isRestless() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.restless
}

func (h *habits) knows(key habit, timeout time.Duration) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	least, ok := h.min[key]
	return ok && timeout >= least
}

func (h *habits) learn(t timer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.min == nil {
		h.min = make(map[habit]time.Duration)
	}
	if least, ok := h.min[t.habit]; !ok || t.timeout < least {
		h.min[t.habit] = t.timeout
	}
}

// A vigil waits for timers: since when they were seen.
type vigil map[habit]vigilEntry

type vigilEntry struct {
	since   time.Time
	rest    time.Duration // of the time since then, that in which the peer was at rest
	longest time.Duration
}

// unrest is how long a vigil lasts longer at most because the peer was not at rest all the time.
const unrest = time.Second

// over reports whether all timers were given the time to run out three times, in
// which the peer has said nothing. They are then habits, with the longest timeout that was seen: shorter ones are what was left of
// it after a request, or when the peer was slow, and an answer that takes that long is not to be missed. Only the time counts in which the
// peer was at rest, as it was for so long when it is looked at now: what it does after a timer may take longer than the timer if the machine is busy.
func (v vigil) over(timers []timer, now time.Time, rest time.Duration, h *habits) bool {
	over := true
	for _, t := range timers {
		e, ok := v[t.habit]
		if !ok {
			e = vigilEntry{since: now, longest: t.timeout}
		} else {
			e.rest += rest
		}
		e.longest = max(e.longest, t.timeout)
		v[t.habit] = e
		if need := 3*e.longest + 10*time.Millisecond; e.rest < need && now.Sub(e.since) < need+unrest {
			over = false
			continue
		}
		h.learn(timer{t.habit, e.longest})
	}
	return over
}
