package main

import (
	"bytes"
	"hash/fnv"
	"os"
	"testing"

	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestSome checks a tenth of the functions, and all exceptions; make race-suite checks all of them.
func TestSome(t *testing.T) {
	every := uint32(10)
	without := []string{"io_test.go"} // or half of the time would go into loading net/http
	if testlong.On() {
		every, without = 1, nil
	}
	except := exceptions()
	list, err := Check(goroot.Dir(), Options{States: 1000, Without: without, Only: func(name string) bool {
		if except[name] != "" {
			return true
		}
		h := fnv.New32a()
		h.Write([]byte(name))
		return h.Sum32()%every == 0
	}})
	if err != nil {
		t.Fatal(err)
	}
	races := 0
	for _, r := range list {
		delete(except, r.Name)
		if r.Found {
			races++
		}
		if !r.Right() {
			t.Error(r)
		}
	}
	if races < 10 {
		t.Errorf("got %d functions with a race, want many", races)
	}
	for name := range except {
		t.Errorf("there is no function %s, which is an exception", name)
	}
	t.Logf("%d functions, %d with a race", len(list), races)
}

// TestJudge plants wrong answers.
func TestJudge(t *testing.T) {
	for _, test := range []struct {
		r    Result
		want bool
	}{
		{Result{Race: true, Found: true}, true},
		{Result{Race: true}, false},
		{Result{Found: true}, false},
		{Result{}, true},
		{Result{Race: true, Reason: "a limit"}, true},
		{Result{Race: true, Found: true, Reason: "no limit any more"}, false},
		{Result{Race: true, Skipped: true}, true},
		{Result{Race: true, Skipped: true, Reason: "a limit"}, false},
	} {
		if got := test.r.Right(); got != test.want {
			t.Errorf("%v: got right %t, want %t", test.r, got, test.want)
		}
	}
}

// TestExceptions checks that each exception is told of in docs/LIMITS.md.
func TestExceptions(t *testing.T) {
	limits, err := os.ReadFile("../../../docs/LIMITS.md")
	if err != nil {
		t.Fatal(err)
	}
	for name := range exceptions() {
		if !bytes.Contains(limits, []byte(name)) {
			t.Errorf("docs/LIMITS.md does not have %s", name)
		}
	}
}
