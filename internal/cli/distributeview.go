package cli

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/heddle-mc/heddle/internal/queue"
)

// A partsView shows the progress of all parts of a job on standard error: on a
// terminal in one line that is written again and again, elsewhere in a line now and
// then.
//
//	./server: 12 of 40 parts, 3 in work by 3 workers, 2 begun again [############4.17.......]
//
// Between the brackets is a place for each part, or for as many as have to share
// one: a dot for one that waits, a digit for the tenths that are done, a # for one
// that is done.
type partsView struct {
	mu    sync.Mutex
	p     progress
	what  string // parts, or searches
	began time.Time
	parts []partView
	done  int
	again int
	seen  map[string]time.Time // when a worker was last heard of
}

type partView struct {
	thousandths int
	working     bool
	done        bool
	attempt     int
}

func newPartsView(w io.Writer, name, what string, total int) *partsView {
	return &partsView{
		p:    progress{w: w, terminal: isTerminal(w), width: terminalWidth(w), name: name},
		what: what, began: time.Now(), parts: make([]partView, total), seen: map[string]time.Time{},
	}
}

// Told notes what a worker says about a part.
func (v *partsView) Told(i int, p queue.Progress) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if i < 0 || i >= len(v.parts) || v.parts[i].done {
		return
	}
	part := &v.parts[i]
	part.working = true
	part.thousandths, _ = strconv.Atoi(string(p.Data)) // it is for people
	part.thousandths = max(0, min(part.thousandths, 999))
	if p.Attempt > part.attempt {
		if p.Attempt > 1 {
			v.again++
		}
		part.attempt = p.Attempt
	}
	if _, ok := v.seen[p.Worker]; ok || len(v.seen) < maxSeen {
		v.seen[p.Worker] = time.Now()
	}
	v.show()
}

// Ended notes that a part is done.
func (v *partsView) Ended(i int) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if i >= 0 && i < len(v.parts) && !v.parts[i].done {
		v.parts[i].done, v.parts[i].working = true, false
		v.done++
		v.show()
	}
}

// show writes the line if it is time to.
func (v *partsView) show() {
	every := progressLine
	if v.p.terminal {
		every = progressTerminal
	}
	now := int64(time.Since(v.began))
	if now-v.p.last < int64(every) {
		return
	}
	v.p.last = now
	if v.p.terminal {
		v.p.rewrite(v.text())
		return
	}
	fmt.Fprintln(v.p.w, v.text())
}

// Clear removes the line from the terminal.
func (v *partsView) Clear() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.p.clear()
}

// maxSeen is how many names of workers are kept: any client can say any number of them.
const maxSeen = 1000

// Say writes a line of its own.
func (v *partsView) Say(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.p.clear()
	fmt.Fprintln(v.p.w, text)
}

// text returns the line.
func (v *partsView) text() string {
	working := 0
	for i := range v.parts {
		if v.parts[i].working {
			working++
		}
	}
	workers := 0
	for _, at := range v.seen {
		if time.Since(at) < 3*progressLine {
			workers++
		}
	}
	text := fmt.Sprintf("%s: %d of %d %s, %d in work by %d workers", v.p.name, v.done, len(v.parts), v.what, working, workers)
	if v.again > 0 {
		text += fmt.Sprintf(", %d begun again", v.again)
	}
	return text + " [" + v.bar(64) + "]"
}

// bar returns the places. Several parts that share one show the mean.
func (v *partsView) bar(width int) string {
	var b strings.Builder
	n := len(v.parts)
	places := min(n, width)
	for i := range places {
		group := v.parts[i*n/places : (i+1)*n/places]
		sum, all := 0, true
		for _, p := range group {
			if p.done {
				sum += 1000
			} else {
				sum, all = sum+p.thousandths, false
			}
		}
		switch waiting := !slices.ContainsFunc(group, func(p partView) bool { return p.done || p.working }); {
		case all:
			b.WriteByte('#')
		case waiting:
			b.WriteByte('.')
		default:
			b.WriteByte(byte('0' + sum/len(group)/100))
		}
	}
	return b.String()
}
