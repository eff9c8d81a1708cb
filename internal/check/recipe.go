package check

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"maps"
	"slices"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
)

// effective is the list of properties that are looked for, as a setting.
type effective struct{ m *Model }

func (e effective) String() string { return listText(e.m.Properties()) }

// Set takes a list as JSON.
func (e effective) Set(text string) error {
	var on List
	if text != "" {
		if err := json.Unmarshal([]byte(text), &on); err != nil {
			return err
		}
	}
	for _, name := range on {
		if !slices.Contains(execute.AllProperties, execute.Property(name)) {
			return diag.Usagef("unknown property %q", name)
		}
	}
	e.m.LookFor(on)
	return nil
}

func listText(l []string) string {
	if len(l) == 0 {
		return ""
	}
	data, _ := json.Marshal(l) // strings can be written
	return string(data)
}

// Text returns the value of a setting as recipes have it. Lists are JSON.
func (x *Setting) Text(s *Spec) string {
	switch p := x.At(s).(type) {
	case *List:
		return listText(*p)
	case effective:
		return p.String()
	default:
		return x.value(s).String()
	}
}

// SetText gives it the value that a recipe has.
func (x *Setting) SetText(s *Spec, text string) error {
	if p, ok := x.At(s).(*List); ok {
		*p = nil
		if text == "" {
			return nil
		}
		return json.Unmarshal([]byte(text), p)
	}
	return x.value(s).Set(text)
}

// value returns a setting as something that can be typed.
func (x *Setting) value(s *Spec) flag.Value {
	p := x.At(s)
	if v, ok := p.(flag.Value); ok {
		return v
	}
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	declare(fs, p, "x", "")
	return fs.Lookup("x").Value
}

// reset gives a setting its default.
func (x *Setting) reset(s *Spec) error {
	switch p := x.At(s).(type) {
	case *List:
		*p = nil
		return nil
	case *names:
		*p = nil
		return nil
	case effective: // of the properties, which have defaults of their own
		return nil
	}
	if x.Default == "" {
		if p, ok := x.At(s).(*string); ok {
			*p = ""
		}
		return nil
	}
	return x.value(s).Set(x.Default)
}

// Recipe returns what is needed to get at the same graph again: the values of the settings that
// shape it, where they are not the default. It is kept in traces and certificates.
func (s *Spec) Recipe() map[string]string {
	m := map[string]string{}
	for i := range Settings {
		x := &Settings[i]
		if x.Recipe == "" || x.Recipe == "cache" && len(s.Peers.Met) == 0 {
			continue
		}
		if text := x.Text(s); text != x.Default {
			m[x.Recipe] = text
		}
	}
	return m
}

// ReadRecipe reads what Recipe returns.
func ReadRecipe(m map[string]string) (*Spec, error) {
	s, known := New(), 0
	if _, ok := m["properties"]; !ok {
		effective{&s.Model}.Set("")
	}
	for i := range Settings {
		x := &Settings[i]
		text, ok := m[x.Recipe]
		if x.Recipe == "" || !ok {
			continue
		}
		known++
		if err := x.SetText(s, text); err != nil {
			return nil, diag.Usagef("trace: setting %s: %v", x.Recipe, err)
		}
	}
	if known < len(m) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			if !slices.ContainsFunc(Settings, func(x Setting) bool { return x.Recipe == name }) {
				return nil, diag.Usagef("trace: unknown setting %q", name)
			}
		}
	}
	if len(s.Program.Packages) == 0 {
		return nil, diag.Usagef("trace: it does not say which package was checked")
	}
	return s, nil
}

// Hash identifies the graph, but for the program: what it depends on besides.
func (s *Spec) Hash() string {
	m := s.Recipe()
	delete(m, "dir")
	delete(m, "C")
	delete(m, "packages")
	data, _ := json.Marshal(m) // strings can be written; names are in order
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:4])
}

// Under returns a Spec with other views.
func (s *Spec) Under(views string) *Spec {
	c := s.Clone()
	c.Model.Views = views
	return c
}
