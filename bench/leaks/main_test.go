package main

import (
	"strings"
	"testing"
)

// TestLeaks is a small version of make leaks.
func TestLeaks(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds programs and takes seconds")
	}
	text, err := measure(8, 3)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text, "of 8 runs") {
		t.Errorf("got %s, want a table of 8 runs", text)
	}
}
