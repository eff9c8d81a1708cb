package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/lts"
)

// StacksText returns where the sides of the finding came from, one line a frame, or "". Of frames of the standard library those are
// told that are next to others, and the innermost one.
//
//	write by main.add#2:
//	  bytes.(*Buffer).WriteString  bytes/buffer.go:206
//	  main.add                     main.go:9
//	  started by main.main         main.go:14
func (t *Trace) StacksText() string {
	var b strings.Builder
	for _, s := range t.Stacks {
		if s.Action == lts.Waits {
			s.Frames = outsideLibrary(s.Frames)
		}
		if (len(t.Stacks) == 1 || s.Action == lts.Waits) && ownFrames(s.Frames) < 2 && len(frameRows(s.Frames, "")) < 3 {
			continue // the place of the finding says all of it
		}
		if s.Action == lts.Waits {
			fmt.Fprintf(&b, "%s waits in:\n", s.Actor)
		} else {
			fmt.Fprintf(&b, "%s by %s:\n", s.Action, s.Actor)
		}
		rows := frameRows(s.Frames, "")
		if slices.ContainsFunc(s.Started, func(fr lts.Frame) bool { return !fr.Library }) { // else it is the harness of tests, say
			rows = append(rows, frameRows(s.Started, "started by ")...)
		}
		wide := 0
		for _, r := range rows {
			wide = max(wide, min(width(r[0]), widestFrame))
		}
		for _, r := range rows {
			b.WriteString(strings.TrimRight("  "+pad(r[0], wide)+"  "+r[1], " ") + "\n")
		}
	}
	return b.String()
}

// outsideLibrary leaves out what the library calls where somebody waits in it: the words say that.
func outsideLibrary(list []lts.Frame) []lts.Frame {
	if at := slices.IndexFunc(list, func(fr lts.Frame) bool { return !fr.Library }); at > 0 {
		return list[at:]
	}
	return list
}

// ownFrames counts those that are not of the standard library.
func ownFrames(list []lts.Frame) (n int) {
	for _, fr := range list {
		if !fr.Library {
			n++
		}
	}
	return n
}

// widestFrame bounds the column of functions.
const widestFrame = 48

// frameRows returns functions and places of frames. The first one has a word before it.
func frameRows(list []lts.Frame, word string) (rows [][2]string) {
	for len(list) > 0 && list[len(list)-1].Library && slices.ContainsFunc(list, func(fr lts.Frame) bool { return !fr.Library }) {
		list = list[:len(list)-1] // who has called the user's code says nothing of it
	}
	add := func(fr lts.Frame) {
		rows = append(rows, [2]string{word + fr.Func, place(fr.Pos)})
		word = ""
	}
	for i := 0; i < len(list); {
		end := i + 1
		for end < len(list) && list[i].Library && list[end].Library {
			end++
		}
		add(list[i])
		switch {
		case end-i > 3:
			rows = append(rows, [2]string{fmt.Sprintf("... %d frames of the library", end-i-2), ""})
		case end-i == 3:
			add(list[i+1])
		}
		if end-i > 1 {
			add(list[end-1])
		}
		i = end
	}
	return rows
}
