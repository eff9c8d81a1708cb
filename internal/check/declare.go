package check

import (
	"cmp"
	"flag"
	"slices"
	"time"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/report"
)

// Lookup returns the setting with a name, nil if there is none.
func Lookup(name string) *Setting {
	if i := slices.IndexFunc(Settings, func(x Setting) bool { return x.Name == name }); i >= 0 {
		return &Settings[i]
	}
	return nil
}

// Declare declares flags for settings, those with the given names or, without any, all that can be
// flags. What is typed goes to s, and what s says is the default.
func (s *Spec) Declare(fs *flag.FlagSet, only ...string) {
	for i := range Settings {
		x := &Settings[i]
		if x.Doc == "" || len(only) > 0 && !slices.Contains(only, x.Name) {
			continue
		}
		declare(fs, x.At(s), x.Name, x.Doc)
	}
}

// Bounds returns what limits the claim "verified", whatever the program does. The settings of the machine are those that
// s.System returns.
func (s *Spec) Bounds(e *execute.Settings) []report.Setting {
	return s.bounds(e, func(x *Setting) bool { return x.Met == 0 })
}

// bounds returns the bounds of some settings.
func (s *Spec) bounds(e *execute.Settings, some func(x *Setting) bool) []report.Setting {
	var rows []*Setting
	for i := range Settings {
		if Settings[i].Bound != nil && some(&Settings[i]) {
			rows = append(rows, &Settings[i])
		}
	}
	slices.SortStableFunc(rows, func(a, b *Setting) int { return cmp.Compare(a.Rank, b.Rank) })
	var list []report.Setting
	for _, x := range rows {
		if words := x.Bound(s, e); words != "" {
			list = append(list, report.Setting{Name: x.Name, Value: x.reported(s), Words: words})
		}
	}
	return list
}

// Reported returns the settings that reports tell.
func (s *Spec) Reported(only ...string) []report.Setting {
	var list []report.Setting
	for i := range Settings {
		if x := &Settings[i]; x.Reported && (len(only) == 0 || slices.Contains(only, x.Name)) {
			list = append(list, report.Setting{Name: x.Name, Value: x.reported(s)})
		}
	}
	return list
}

// reported returns the value of a setting as reports have it.
func (x *Setting) reported(s *Spec) any {
	switch p := x.At(s).(type) {
	case *string:
		return *p
	case *bool:
		return *p
	case *int:
		return *p
	case *int64:
		return *p
	case *uint64:
		return *p
	case *time.Duration:
		return p.String()
	case *Size:
		return int64(*p)
	}
	return x.Text(s)
}

// Looked returns which properties are looked for, as reports have it.
func (s *Spec) Looked() []report.Property {
	var list []report.Property
	for _, p := range execute.AllProperties {
		list = append(list, report.Property{Name: string(p), On: s.Model.Looks(p), Extra: slices.Contains(execute.Optional, p)})
	}
	return list
}
