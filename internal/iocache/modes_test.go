package iocache

import "testing"

func TestModes(t *testing.T) {
	for _, text := range []string{"tree", "linear", "process", "tree,process:db", "linear,process:a,process:b.1"} {
		if m, err := ParseModes(text); err != nil || m.String() != text {
			t.Errorf("%q: got %v, %v", text, m, err)
		}
	}
	for _, text := range []string{"", "auto", "tree,", "tree,process", "tree,process:", "tree,linear:a"} {
		if m, err := ParseModes(text); err == nil {
			t.Errorf("%q: got %v, want an error", text, m)
		}
	}
	m := Modes{Mode: Tree}.With("b").With("a").With("b")
	if m.String() != "tree,process:a,process:b" || !m.TakesTogether("a") || m.TakesTogether("c") {
		t.Errorf("got %v, with c together: %v", m, m.TakesTogether("c"))
	}
	if p := (Modes{Mode: Process}).With("a"); p.String() != "process" || !p.TakesTogether("c") {
		t.Errorf("got %v", p)
	}
}
