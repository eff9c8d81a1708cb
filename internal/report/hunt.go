package report

import (
	"fmt"
	"math"
	"strings"
)

// A Hunt is what is known of a target that was not searched to the end, from searches beside that one.
type Hunt struct {
	// Preemptions is up to how many of them all schedules were followed, and Delays in how many places those differ
	// from the natural one that were; -1 if not even one was.
	Preemptions int `json:"preemptions"`
	Delays      int `json:"delays"`
	// Own is up to how many preemptions of the standard library all schedules were followed, with any number of other code; -1 as well.
	Own   int   `json:"own"`
	Walks int64 `json:"walks"`
	// Chances are the least probabilities with which a bug of one ordered step, of two and so on would have been found.
	Chances  []float64    `json:"chances"`
	Searches []HuntSearch `json:"searches"`
}

// A HuntSearch is one of the searches.
type HuntSearch struct {
	Search      string `json:"search"` // as it is called by -search
	States      int64  `json:"states"`
	Transitions int64  `json:"transitions"`
	Found       bool   `json:"found"`
}

// likely is from which probability on a chance is told in words.
const likely = 0.5

// words says where nothing wrong was seen, "" if there is nothing to say.
func (h *Hunt) words() string {
	if h == nil {
		return ""
	}
	var list []string
	if own := h.Own; own >= h.Preemptions && own >= 0 { // the others are among these
		text := "in any schedule that preempts only code outside the standard library"
		if own > 0 {
			text += ", or inside it up to " + plural(int64(own), "time")
		}
		list = append(list, text)
	} else if h.Preemptions == 0 {
		list = append(list, "in any schedule without preemptions")
	} else if h.Preemptions > 0 {
		list = append(list, "in any schedule with up to "+plural(int64(h.Preemptions), "preemption"))
	}
	if h.Walks > 0 {
		text := "in " + plural(h.Walks, "walk")
		for depth := len(h.Chances); depth > 0; depth-- {
			if p := h.Chances[depth-1]; p >= likely {
				text += fmt.Sprintf(" (a bug of %s would have been found with probability %.2f)", plural(int64(depth), "ordered step"), math.Floor(p*100)/100)
				break
			}
		}
		list = append(list, text)
	}
	if len(list) == 0 {
		return ""
	}
	return ", nor " + strings.Join(list, ", nor ")
}

// by says which of the searches has found something, "" if none has.
func (h *Hunt) by() string {
	if h != nil {
		for _, s := range h.Searches {
			if s.Found {
				return ", by -search=" + s.Search
			}
		}
	}
	return ""
}
