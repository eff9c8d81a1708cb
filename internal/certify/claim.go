package certify

import (
	"fmt"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/plain"
)

// A Claim is what is to be shown of a program. Whoever examines a certificate makes it,
// and a certificate of anything else is refused: what it says of itself counts only
// where that is allowed.
type Claim struct {
	Spec *check.Spec
	// Allow names settings that may be as the certificate has them, as NAME, or NAME=VALUE for
	// one value. property=NAME is about a property that need not be looked for, and peers
	// about all that was recorded of peers.
	Allow []string
	// Bounds allows all settings that bound what is searched.
	Bounds bool
}

// The names that Allow has besides those of settings.
const (
	allowProperty = "property"
	allowPeers    = "peers"
)

// An Exception is what a certificate was allowed to have otherwise than it was claimed, as it is told to people.
type Exception struct{ Name, Value string }

func (e Exception) String() string { return e.Name + " " + e.Value }

// given are the settings that whoever examines gives without being asked: where the
// program is, and what it is called. How states are looked at is found out to be right,
// or not, on the way, and properties are a matter of their own.
var given = []string{"dir", "C", "packages", "tags", "test-dir", "views", "properties"}

// ofPeers are the settings about peers.
var ofPeers = []string{"cache", "fixed", "host", "rule", "peers"}

// Bind holds the settings of a certificate against the claim. It returns those under which
// the program is examined, the claim's but for the exceptions, or refuses the certificate.
func (c *Claim) Bind(of *check.Spec) (*check.Spec, []Exception, error) {
	if err := c.known(); err != nil {
		return nil, nil, err
	}
	s := c.Spec.Clone()
	s.Model.Views = of.Model.Views
	var allowed []Exception
	var others []string
	peers := false // something about them is not allowed
	for i := range check.Settings {
		x := &check.Settings[i]
		if x.Recipe == "" || slices.Contains(given, x.Name) {
			continue
		}
		of := of
		if x.Name == "env" { // the folder that a test runs in is the claim's
			of = of.Clone()
			of.Program.Env = inFolder(of.Program.Env, s.Program.Env)
		}
		want, has := x.Text(s), x.Text(of)
		if want == has || x.Name == "cache" && len(of.Peers.Met) == 0 {
			continue
		}
		if c.allows(x, has) || x.Name == "env" && c.allowsEnv(of) {
			if err := x.SetText(s, has); err != nil {
				return nil, nil, Refuse(err)
			}
			allowed = append(allowed, Exception{x.Name, shown(x, of, s.Program.TestDir)})
			continue
		}
		if slices.Contains(ofPeers, x.Name) {
			peers = true
			continue
		}
		others = append(others, fmt.Sprintf("%s is %s, claimed is %s%s", x.Name, shown(x, of, s.Program.TestDir), shown(x, s, s.Program.TestDir), c.hint(x, has)))
	}
	if peers {
		others = append(others, fmt.Sprintf("it rests on what %d peers said, which was recorded, and on what was taken for granted about them (-allow peers)", len(of.Peers.Met)))
	}
	dropped, missing := c.properties(s, of)
	allowed, others = append(allowed, dropped...), append(others, missing...)
	if len(others) > 0 {
		return nil, nil, Refuse(diag.Usagef("it is a certificate of something else: %s", strings.Join(others, "; ")))
	}
	return s, allowed, nil
}

// inFolder returns an environment with the folder of another one.
func inFolder(env, other []string) []string {
	const folder = "PWD="
	is := func(kv string) bool { return strings.HasPrefix(kv, folder) }
	i, j := slices.IndexFunc(env, is), slices.IndexFunc(other, is)
	if i < 0 || j < 0 {
		return env
	}
	env = slices.Clone(env)
	env[i] = other[j]
	return env
}

// known refuses exceptions that are none.
func (c *Claim) known() error {
	for _, a := range c.Allow {
		name, value, _ := strings.Cut(a, "=")
		switch x := check.Lookup(name); {
		case name == allowPeers:
		case name == allowProperty:
			for p := range strings.SplitSeq(value, ",") {
				if !slices.Contains(execute.AllProperties, execute.Property(p)) {
					return diag.Usagef("-allow %s: unknown property %q", a, p)
				}
			}
		case x == nil || x.Recipe == "" || slices.Contains(given, name):
			return diag.Usagef("-allow %s: no setting of a certificate is called %q", a, name)
		case name == "env" && value != "":
			if _, err := check.Environment([]string{value}, ""); err != nil {
				return diag.Usagef("-allow %s: say env, or env=NAME=VALUE", a)
			}
		case value != "":
			if err := x.SetText(check.New(), value); err != nil {
				return diag.Usagef("-allow %s: %v", a, err)
			}
		}
	}
	return nil
}

// allows reports whether a setting may have a value that was not claimed.
func (c *Claim) allows(x *check.Setting, value string) bool {
	if c.Bounds && x.Reported {
		return true
	}
	for _, a := range c.Allow {
		name, only, one := strings.Cut(a, "=")
		if name == allowPeers && !one && slices.Contains(ofPeers, x.Name) || name == x.Name && (!one || same(x, only, value)) {
			return true
		}
	}
	return false
}

// allowsEnv reports whether a certificate has the variables that were claimed or are allowed by env=NAME=VALUE, and no others.
func (c *Claim) allowsEnv(of *check.Spec) bool {
	extra, some := c.Spec.Program.OwnEnv(), false
	for _, a := range c.Allow {
		if kv, ok := strings.CutPrefix(a, "env="); ok {
			extra, some = append(extra, kv), true
		}
	}
	env, err := check.Environment(extra, c.Spec.Program.TestDir)
	has := slices.Clone(of.Program.Env)
	slices.Sort(env)
	slices.Sort(has)
	return some && err == nil && slices.Equal(env, has)
}

// same reports whether two texts are the same value of a setting.
func same(x *check.Setting, typed, value string) bool {
	s := check.New()
	return typed == value || x.SetText(s, typed) == nil && x.Text(s) == value
}

// hint says how a difference could be allowed.
func (c *Claim) hint(x *check.Setting, value string) string {
	switch {
	case x.Name == "args":
		return " (give the arguments behind --)"
	case x.Name == "test-name", x.Name == "test-args":
		return " (-run, -skip, -short, and arguments behind --)"
	case x.Name == "env", x.Name == "server-package":
		return " (-" + x.Name + ")"
	case x.Reported && value != "" && value == plain.Word(value):
		return fmt.Sprintf(" (-allow %s=%s)", x.Name, value)
	}
	return " (-allow " + x.Name + ")"
}

// properties settles what is looked for: what is claimed, without what a certificate need not have. Races and
// fatal errors are found by what states keep of accesses, so whether they are looked for is part of
// the graph: those that the certificate does not have are missing.
func (c *Claim) properties(s, of *check.Spec) (dropped []Exception, missing []string) {
	var list []string
	for _, p := range execute.AllProperties {
		shapes := p == execute.Race || p == execute.Fatal
		switch has, want := of.Model.Looks(p), s.Model.Looks(p); {
		case want && !has && c.drops(p):
			dropped = append(dropped, Exception{allowProperty, "without " + string(p)})
		case want && !has && shapes:
			missing = append(missing, fmt.Sprintf("%s is not looked for (-allow property=%s)", p, p))
		case want, has && shapes:
			list = append(list, string(p))
		}
	}
	s.Model.LookFor(list)
	return dropped, missing
}

// drops reports whether a certificate may do without a property.
func (c *Claim) drops(p execute.Property) bool {
	return slices.ContainsFunc(c.Allow, func(a string) bool {
		name, value, _ := strings.Cut(a, "=")
		return name == allowProperty && slices.Contains(strings.Split(value, ","), string(p))
	})
}

// shown returns the value of a setting for people: of the environment, what every program has is left out, and
// of peers how many there are. A test runs in a folder.
func shown(x *check.Setting, s *check.Spec, dir string) string {
	switch x.Name {
	case "env":
		s = s.Clone()
		s.Program.TestDir = dir
		s.Program.Env = s.Program.OwnEnv()
	case "peers":
		return fmt.Sprintf("%d recorded", len(s.Peers.Met))
	}
	if text := x.Text(s); text != "" {
		return plain.Word(text)
	}
	return "none"
}
