package report

import (
	"strings"
	"testing"
)

// TestStoryColours: colours add nothing but colours, and the marks of steps have them.
func TestStoryColours(t *testing.T) {
	text := "    1 * main   a.go:3  lock mu\n>   2 - f      a.go:4  x\n!  13   g      a.go:5  y - z\nblocked:\n  main  a.go:3  lock mu\n> context switch   ! preemption\n"
	want := "    1 \x1b[33m*\x1b[0m main   a.go:3  lock mu\n\x1b[2m>   2 - f      a.go:4  x\x1b[0m\n\x1b[36m!\x1b[0m  13   g      a.go:5  y - z\n\x1b[1mblocked:\x1b[0m\n  main  a.go:3  lock mu\n> context switch   ! preemption\n"
	if got := paint(true).story(text); got != want {
		t.Errorf("got\n%q\nwant\n%q", got, want)
	}
	if got := paint(false).story(text); got != text {
		t.Errorf("without colours: got\n%s", got)
	}
	if strings.Count(want, "\x1b[0m") != 4 {
		t.Error("each colour ends on its line")
	}
}
