package certify

import (
	"errors"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
)

// TestBind holds certificates against claims: each setting that shapes a graph has to be as it is claimed, or
// to be allowed.
func TestBind(t *testing.T) {
	usual := func() *check.Spec {
		s := check.New()
		s.Program.Packages = check.List{"./p"}
		return s
	}
	for i := range check.Settings {
		x := &check.Settings[i]
		value, ok := map[string]string{
			"late": "0s", "ticks": "3", "interleave": "access", "faults": "reset:1", "nonblocking": "none", "partial": "true", "alone": "true",
			"signals": "0", "udp": "multiply=1,0", "maporder": "true", "random": "2", "choose": "0", "pool": "0",
			"args": `["-selftest"]`, "env": `["SAFE=1"]`, "test-name": "TestFine", "test-args": `["p.test"]`, "model": "m.mcrl2", "map": "map.yaml",
			"server-package": `["./server"]`, "cache": "tree", "fixed": "true", "host": `["db"]`, "rule": `["http-date"]`, "peers": `["{}"]`,
		}[x.Name]
		if x.Recipe == "" {
			continue
		}
		if !ok {
			if !strings.Contains(" "+strings.Join(given, " ")+" ", " "+x.Name+" ") {
				t.Errorf("setting %s is neither claimed nor given", x.Name)
			}
			continue
		}
		of := usual()
		if err := x.SetText(of, value); err != nil {
			t.Fatal(x.Name, err)
		}
		if x.Name == "cache" { // it counts where there are peers
			of.Peers.Met = check.List{"{}"}
		}
		_, _, err := (&Claim{Spec: usual()}).Bind(of)
		var refused *Refusal
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), x.Name+" is ") && !strings.Contains(err.Error(), "-allow peers") {
			t.Errorf("%s: got %v, want it refused", x.Name, err)
		}
		for _, allow := range []string{x.Name, x.Name + "=" + x.Text(of)} {
			list := []string{allow}
			if x.Name == "cache" {
				list = append(list, "peers")
			}
			s, allowed, err := (&Claim{Spec: usual(), Allow: list}).Bind(of)
			if err != nil || len(allowed) == 0 || x.Text(s) != x.Text(of) {
				t.Errorf("-allow %s: got %v, %v", allow, allowed, err)
			}
		}
		if _, _, err := (&Claim{Spec: usual(), Allow: []string{x.Name + "=another"}}).Bind(of); err == nil {
			t.Errorf("%s is allowed by another value", x.Name)
		}
		_, _, err = (&Claim{Spec: usual(), Bounds: true}).Bind(of)
		if (err == nil) != x.Reported {
			t.Errorf("-bounds and %s: got %v", x.Name, err)
		}
		if s, allowed, err := (&Claim{Spec: of.Clone()}).Bind(of); err != nil || len(allowed) > 0 || x.Text(s) != x.Text(of) {
			t.Errorf("%s as it is claimed: got %v, %v", x.Name, allowed, err)
		}
	}
}

// TestBindProperties: what is looked for is what is claimed, unless a certificate need not have it.
func TestBindProperties(t *testing.T) {
	all := check.New().Model.Properties()
	without := func(p execute.Property) *check.Spec {
		s := check.New()
		s.Model.Off = append(s.Model.Off, string(p))
		return s
	}
	for _, test := range []struct {
		claim, of *check.Spec
		allow     []string
		want      string // what is looked for is all but this
		refused   bool
	}{
		{check.New(), check.New(), nil, "", false},
		{check.New(), without(execute.Race), nil, "", true},
		{check.New(), without(execute.Fatal), nil, "", true},
		{check.New(), without(execute.Race), []string{"property=race"}, "race", false},
		{check.New(), without(execute.Race), []string{"property=leak,race"}, "race", false},
		{check.New(), without(execute.Race), []string{"property=leak"}, "", true},
		{check.New(), without(execute.Leak), nil, "", false}, // it is looked for all the same
		{check.New(), without(execute.Leak), []string{"property=leak"}, "leak", false},
		{without(execute.Leak), check.New(), nil, "leak", false},
		{without(execute.Race), check.New(), nil, "", false}, // the graph has them
		{without(execute.Race), without(execute.Race), nil, "race", false},
	} {
		s, allowed, err := (&Claim{Spec: test.claim, Allow: test.allow}).Bind(test.of)
		if err != nil {
			if !test.refused {
				t.Errorf("%+v: %v", test, err)
			}
			continue
		}
		var want []string
		for _, p := range all {
			if p != test.want {
				want = append(want, p)
			}
		}
		if got := strings.Join(s.Model.Properties(), " "); test.refused || got != strings.Join(want, " ") || (len(allowed) > 0) != (test.allow != nil) {
			t.Errorf("-allow %v: looks for %s, %v allowed; want all but %q, refused %v", test.allow, got, allowed, test.want, test.refused)
		}
	}
	for _, allow := range []string{"", "dir", "views", "property", "property=", "property=everything", "nothing=1", "search", "late=soon", "random=many", "env=SAFE"} {
		if _, _, err := (&Claim{Spec: check.New(), Allow: []string{allow}}).Bind(check.New()); err == nil {
			t.Errorf("-allow %q is accepted", allow)
		}
	}
}

// TestBindEnvironment: variables are allowed one by one, and none besides.
func TestBindEnvironment(t *testing.T) {
	with := func(extra ...string) *check.Spec {
		s := check.New()
		env, err := check.Environment(extra, "")
		if err != nil {
			t.Fatal(err)
		}
		s.Program.Env = env
		return s
	}
	bare := with("A=1")
	bare.Program.Env = []string{"A=1"}
	for _, test := range []struct {
		of    *check.Spec
		allow []string
		ok    bool
	}{
		{with("A=1"), []string{"env=A=1"}, true},
		{with("A=1", "B=2"), []string{"env=B=2", "env=A=1"}, true},
		{with("A=1", "B=2"), []string{"env=A=1"}, false},
		{with("A=2"), []string{"env=A=1"}, false},
		{with(), []string{"env=A=1"}, true}, // it is what is claimed
		{bare, []string{"env=A=1"}, false},  // the others are missing
		{with("A=1", "B=2"), []string{"env"}, true},
		{with("A=1"), nil, false},
	} {
		if _, _, err := (&Claim{Spec: with(), Allow: test.allow}).Bind(test.of); (err == nil) != test.ok {
			t.Errorf("%v with -allow %v: got %v, want it allowed: %v", test.of.Program.Env, test.allow, err, test.ok)
		}
	}
}
