package main

import (
	"strings"
	"testing"
	"time"
)

// TestMeasure counts the ends of a few servers, and those of a few that do not end in
// no time.
func TestMeasure(t *testing.T) {
	bin, done, err := build("../../examples/evio")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	ends, late := &tally{client: "echo", talk: echo}, &tally{client: "echo", talk: echo}
	if err := ends.measure(bin, 4, 2, time.Minute); err != nil || ends.runs != 4 || ends.hung == 4 {
		t.Errorf("got %d runs, %d hung, %v, want 4, most of which end", ends.runs, ends.hung, err)
	}
	if err := late.measure(bin, 2, 1, 0); err != nil || late.runs != 2 || late.hung == 0 {
		t.Errorf("got %d runs, %d hung, %v, want 2, some of which are too late", late.runs, late.hung, err)
	}
	if text := page([]*tally{ends, late}, 4, 2, 0); strings.Count(text, "| echo |") != 2 {
		t.Errorf("got page %s, want two rows", text)
	}
}
