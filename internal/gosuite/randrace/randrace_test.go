package main

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestRaces holds Heddle against the race detector on a few programs; make races takes more.
func TestRaces(t *testing.T) {
	if err := Available(); err != nil {
		t.Skip(err)
	}
	n := testlong.Or(12, 300)
	list, err := Compare(1, n, 50)
	if err != nil {
		t.Fatal(err)
	}
	var sum Summary
	sum.Add(list)
	if len(sum.Missed)+len(sum.Open) > 0 {
		t.Error(sum)
	}
	if sum.Both < n/8 || sum.Neither < n/8 {
		t.Errorf("got %s, want more of both sorts", sum)
	}
}

// TestProgram checks that all programs can be read, that equal seeds give equal ones and other seeds others.
func TestProgram(t *testing.T) {
	seen := map[string]bool{}
	for seed := range uint64(200) {
		text, err := Text(seed)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := Text(seed); again != text {
			t.Fatalf("seed %d: got another program the second time", seed)
		}
		seen[strings.ReplaceAll(Program(seed), "\n", " ")] = true
	}
	if len(seen) != 200 {
		t.Errorf("got %d programs of 200 seeds", len(seen))
	}
}
