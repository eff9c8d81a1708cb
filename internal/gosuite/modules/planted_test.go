package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestPlants reads the list that is used: modules enough, all of them in
// modules.txt, each kind of fault, and tests of ours that are there.
func TestPlants(t *testing.T) {
	list, err := parsePlants(plants)
	if err != nil {
		t.Fatal(err)
	}
	known, err := parse(modules)
	if err != nil {
		t.Fatal(err)
	}
	in, kind, used := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, p := range list {
		in[p.module], kind[p.kind], used[p.ours] = true, true, true
		if !slices.ContainsFunc(known, func(m *module) bool { return m.path == p.module }) {
			t.Errorf("%s is not in modules.txt", p.module)
		}
		if p.ours == "" {
			continue
		}
		if data, err := tests.ReadFile("testdata/planted/" + p.ours); err != nil || !strings.Contains(string(data), "func "+p.test+"(") {
			t.Errorf("%s: no %s in %s: %v", p.module, p.test, p.ours, err)
		}
	}
	if len(list) < 12 || len(in) < 10 || len(kind) != len(kinds) {
		t.Errorf("got %d plants in %d modules, of %d kinds", len(list), len(in), len(kind))
	}
	files, err := tests.ReadDir("testdata/planted")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !used[f.Name()] {
			t.Errorf("no plant uses %s", f.Name())
		}
	}
}

func TestParsePlants(t *testing.T) {
	list, err := parsePlants("# comment\na.org/b ./c wake-up TestX ours_test.go\n\tc/d.go T.f: g(a) (2 of 3) =>\n\tc/d.go f: x: 1 => y: 2\n\tmissed: so\n")
	if err != nil {
		t.Fatal(err)
	}
	p := list[0]
	want := []edit{{"c/d.go", "T.f", "g(a)", "", 2, 3}, {"c/d.go", "f", "x: 1", "y: 2", 1, 1}}
	if len(list) != 1 || p.module != "a.org/b" || p.pkg != "./c" || p.kind != "wake-up" || p.test != "TestX" || p.ours != "ours_test.go" || p.missed != "so" || !slices.Equal(p.edits, want) {
		t.Errorf("got %+v", p)
	}
	for _, bad := range []string{"m . race T\n", "m . bug T\n\ta.go f: x =>\n", "m race T\n\ta.go f: x =>\n", "\ta.go f: x =>\n", "m . race T\n\ta.go f: x\n",
		"m . race T\n\ta.go f: x (3 of 2) =>\n", "m . race T\n\ta.go: x =>\n", "m . race T\n\ta.go f:  =>\n"} {
		if _, err := parsePlants(bad); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// TestEdit changes the place that is meant and no other, or nothing.
func TestEdit(t *testing.T) {
	const source = `package p

func f() { lock(); lock() }

func (t *T[K]) f() { lock(); f(); lock(); lock() }

func (t T) g() { f() }
`
	e := edit{"a.go", "T.f", "lock()", "", 2, 3}
	got, err := e.apply(source)
	if want := strings.Replace(source, "f(); lock();", "f(); ;", 1); err != nil || got != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
	for _, bad := range []edit{
		{"a.go", "T.f", "lock()", "", 1, 2}, // of another version
		{"a.go", "T.g", "lock()", "", 1, 1},
		{"a.go", "h", "lock()", "", 1, 1},
		{"a.go", "T.h", "lock()", "", 1, 1},
	} {
		if got, err := bad.apply(source); err == nil {
			t.Errorf("%v: no error, got\n%s", &bad, got)
		}
	}
}

// TestCopyFor has the fault in the one copy and our test in both.
func TestCopyFor(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{"go.mod": "module m\n", "a.go": "package m\n\nfunc f() { g() }\n"} {
		if err := os.WriteFile(from+"/"+name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	p := plant{pkg: ".", ours: "xid_test.go", edits: []edit{{"a.go", "f", "g()", "h()", 1, 1}}}
	for _, faulty := range []bool{true, false} {
		if err := p.copyFor(to, from, faulty); err != nil {
			t.Fatal(err)
		}
		code, err := os.ReadFile(to + "/a.go")
		if err != nil || strings.Contains(string(code), "h()") != faulty {
			t.Errorf("faulty %v: got %v %s", faulty, err, code)
		}
		for _, name := range []string{"planted_test.go", "go.mod"} {
			if _, err := os.Stat(to + "/" + name); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestPlantedPage has what is wrong first, then what is missed with a reason.
func TestPlantedPage(t *testing.T) {
	found := checkedTest{Verdict: "violation", Found: []string{"race: at a.go"}, Steps: 7}
	verified, open := checkedTest{Verdict: "verified"}, checkedTest{Verdict: "inconclusive", Why: "time"}
	one := func(module, missed string, faulty, sound checkedTest) looked {
		return looked{&plant{module: module, kind: "race", test: "TestX", edits: []edit{{"a.go", "f", "g()", "", 1, 1}}, missed: missed}, faulty, sound}
	}
	text, errs := plantedPage([]looked{
		one("good", "", found, verified),
		one("also", "", found, open),
		one("late", "too large", open, open),
		one("lost", "", open, verified),
		one("false", "", found, found),
		one("unsound", "a reason", verified, verified),
	}, "abc")
	var order []string
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(line, "| "); ok && strings.Contains(line, "a.go") {
			name, _, _ = strings.Cut(name, " ")
			order = append(order, name)
		}
	}
	if want := []string{"lost", "false", "unsound", "late", "good", "also"}; !slices.Equal(order, want) {
		t.Errorf("got the order %v, want %v\n%s", order, want, text)
	}
	if len(errs) != 3 || !strings.Contains(text, "6 plants in 6 modules: 3 found, 3 not") || !strings.Contains(text, "too large") {
		t.Errorf("got %q and\n%s", errs, text)
	}
}
