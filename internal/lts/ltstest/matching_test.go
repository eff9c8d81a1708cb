package ltstest

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts"
)

// A forgetful system has keys that lack the last byte of the state.
type forgetful struct{ lts.System }

func (f forgetful) AppendKey(dst []byte) []byte {
	dst = f.System.AppendKey(dst)
	return dst[:len(dst)-1]
}

func TestMatching(t *testing.T) {
	for name, toy := range toys() {
		states, complaint := Matching(New(toy.m), New(toy.m), 1000)
		if toy.states >= 0 && states != toy.states || complaint != "" {
			t.Errorf("%s: got %d states, %q, want %d", name, states, complaint, toy.states)
		}
	}
	// Both branches end in a node with one step, but these lead to different nodes.
	hidden := Graph{{1, 0x101}, {2}}
	for range 0x100 {
		hidden = append(hidden, []int{3})
	}
	m := hidden.Model(0, 0)
	_, complaint := Matching(forgetful{New(m)}, forgetful{New(m)}, 1000)
	if !strings.Contains(complaint, "lead to one key") {
		t.Errorf("keys that forget: got %q", complaint)
	}
}
