package check

import (
	"bytes"
	"flag"
	"io"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
)

// each calls f for each field of a Spec that is a value.
func each(v reflect.Value, name string, f func(name string, v reflect.Value)) {
	for i := range v.NumField() {
		x, name := v.Field(i), name+"."+v.Type().Field(i).Name
		if x.Kind() == reflect.Struct {
			each(x, name, f)
		} else {
			f(name, x)
		}
	}
}

// fill gives a field a value that is not its default.
func fill(v reflect.Value, text string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 7)
	case reflect.Uint64:
		v.SetUint(v.Uint() + 7)
	case reflect.Slice:
		if v.Type() == reflect.TypeFor[List]() {
			v.Set(reflect.ValueOf(List{text, "b c"}))
		} else {
			v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		}
	}
}

// TestSpecText: a Spec is read as it was written, each of its fields, and equal ones have equal texts.
func TestSpecText(t *testing.T) {
	want := New()
	each(reflect.ValueOf(want).Elem(), "", func(name string, v reflect.Value) {
		before := want.Text()
		fill(v, "x"+name)
		if bytes.Equal(before, want.Text()) {
			t.Errorf("%s is not written", name)
		}
	})
	got, err := Read(want.Text())
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if c := want.Clone(); !reflect.DeepEqual(c, want) || !bytes.Equal(c.Text(), want.Text()) {
		t.Errorf("got %+v, want %+v", c, want)
	}
	if _, err := Read([]byte("{")); diag.ExitCode(err) != diag.ExitUsage {
		t.Errorf("got %v, want a usage error", err)
	}
}

// TestSettings: each field of a Spec has one setting, and nothing has two names.
func TestSettings(t *testing.T) {
	s := New()
	fields := map[any]string{}
	each(reflect.ValueOf(s).Elem(), "", func(name string, v reflect.Value) { fields[v.Addr().Interface()] = name })
	seen := map[string]bool{}
	for i := range Settings {
		x := &Settings[i]
		for _, name := range []string{x.Name, "recipe " + x.Recipe} {
			if seen[name] && name != "recipe " {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
		}
		switch p := x.At(s).(type) {
		case looked, effective, olderTime:
		case *names:
			delete(fields, any((*List)(p)))
		default:
			if fields[p] == "" {
				t.Errorf("setting %s has no field, or one that another one has", x.Name)
			}
			delete(fields, p)
		}
	}
	delete(fields, any(&s.Model.Off))      // what the settings of properties switch off
	delete(fields, any(&s.Peers.Declared)) // a list of its own in heddle.yaml
	for _, name := range fields {
		t.Errorf("field %s has no setting", name)
	}
}

// TestFlags: what is typed is in the Spec, and in its recipe if the graph depends on it.
func TestFlags(t *testing.T) {
	s := New()
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	s.Declare(fs)
	if err := fs.Parse(strings.Fields("-partial -random 3 -leak=false -property leak,panic,race -time quiescent -states 5 -mem 2K -env A=b -env C=d -nonblocking read")); err != nil {
		t.Fatal(err)
	}
	e, err := s.System()
	if err != nil || !e.Partial || e.Random != 3 || e.Late != drive.Punctual || e.Properties.On(execute.Leak) || !e.Properties.On(execute.Panic) || e.Properties.On(execute.Exit) {
		t.Errorf("got %+v, %v", e, err)
	}
	o, err := s.Options()
	if err != nil || o.Limits.States != 5 || o.Limits.Memory != 2048 {
		t.Errorf("got %+v, %v", o, err)
	}
	s.Program.Packages = List{"./p"}
	want := map[string]string{"partial": "true", "random": "3", "late": "0s", "properties": `["panic","race"]`,
		"env": `["A=b","C=d"]`, "nonblocking": "read", "packages": `["./p"]`}
	if got := s.Recipe(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	again, err := ReadRecipe(want)
	if err != nil || !reflect.DeepEqual(again.Recipe(), want) || again.Hash() != s.Hash() {
		t.Errorf("got %v, %v, want %v", again, err, want)
	}
	if words := len(s.Bounds(&e)); words != 1 { // calls that do not wait
		t.Errorf("got %v", s.Bounds(&e))
	}
	if bounds := s.PossibleBounds(nil); len(bounds) != 19 { // order of maps, random numbers, timers, moves of the clock, pools, the clock itself, memory, processors, goroutines, times of files, glances, calls, datagrams, files, pointers, profiles, files of the system, finalizers, signals
		t.Errorf("got %v", bounds)
	}
}

// TestRecipe: what shapes the graph tells recipes apart, and what does not shape it does not.
func TestRecipe(t *testing.T) {
	base := New()
	base.Program.Packages = List{"./p"}
	for i := range Settings {
		x := &Settings[i]
		s := base.Clone()
		switch p := x.At(s).(type) {
		case *List:
			*p = append(*p, `"`)
		case *Fixing:
			*p = "true"
		case *names, looked, effective, olderTime:
			continue
		default:
			fill(reflect.ValueOf(p).Elem(), "q")
		}
		if x.Recipe == "cache" {
			continue // where there are peers
		}
		m := s.Recipe()
		if same := reflect.DeepEqual(m, base.Recipe()); same == (x.Recipe != "") {
			t.Errorf("%s: got the same recipe: %v, want that only if it has a name there", x.Name, same)
		}
		again, err := ReadRecipe(m)
		if err != nil || !reflect.DeepEqual(again.Recipe(), m) {
			t.Errorf("%s: got %v, %v, want %v", x.Name, again, err, m)
		}
	}
	for _, bad := range []map[string]string{{}, {"packages": "p"}, {"packages": `["p"]`, "colour": "red"}, {"packages": `["p"]`, "random": "x"}} {
		if s, err := ReadRecipe(bad); diag.ExitCode(err) != diag.ExitUsage {
			t.Errorf("%v: got %+v, %v, want a usage error", bad, s, err)
		}
	}
}

// TestSize reads sizes.
func TestSize(t *testing.T) {
	for _, test := range []struct {
		text string
		want int64
	}{
		{"0", 0}, {"17", 17}, {"17B", 17}, {"2K", 2048}, {"2KB", 2000}, {"3MiB", 3 << 20}, {"3M", 3 << 20},
		{"1GB", 1e9}, {"1 GiB", 1 << 30}, {"2TB", 2e12},
		{"3g", 3 << 30}, {"3gb", 3e9}, {"3gib", 3 << 30}, {"3Gib", 3 << 30}, {"500m", 500 << 20}, {" 2 kb ", 2000}, {"17b", 17},
		{"1.5GB", 15e8}, {"1.5g", 3 << 29}, {"0.5k", 512},
		{"", -1}, {"B", -1}, {"x", -1}, {"-1", -1}, {"-1.5g", -1}, {"1.2.3g", -1}, {".", -1}, {"1e3", -1}, {"0x1.8g", -1}, {"9999999TiB", -1}, {"9999999.0t", -1},
	} {
		s := Size(-1)
		err := s.Set(test.text)
		if int64(s) != test.want || (err == nil) != (test.want >= 0) {
			t.Errorf("%q: got %d, %v, want %d", test.text, int64(s), err, test.want)
		}
	}
}

// TestDocs: the manual names each setting that can be typed.
func TestDocs(t *testing.T) {
	var text []byte
	for _, name := range []string{"check.md", "network.md", "json.md"} {
		data, err := os.ReadFile("../../docs/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, data...)
	}
	for i := range Settings {
		if x := &Settings[i]; x.Doc != "" && !bytes.Contains(text, []byte(x.Name)) {
			t.Errorf("setting %s is not in the manual", x.Name)
		}
	}
}
