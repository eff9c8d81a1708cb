package types

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestInclude reads specifications that consist of several files.
func TestInclude(t *testing.T) {
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string // the error, or "" if there is none
	}{
		{"plain", map[string]string{"main": `include "sub/data"; act a: D; init a(d1);`, "sub/data": "sort D = struct d1 | d2;"}, ""},
		{"cycle", map[string]string{"main": `include "b"; act a; init P;`, "b": `include "main"; include "b"; proc P = a;`}, ""},
		{"nested", map[string]string{"main": `include "sub/b"; init a(c);`, "sub/b": `include "c"; act a: Nat;`, "sub/c": "map c: Nat;"}, ""},
		{"missing", map[string]string{"main": "init delta;\n  include \"b\";"}, "main:2:11: include: open b: no such file or directory"},
		{"wrong", map[string]string{"main": `include "b"; init a(true);`, "b": "act a: Nat"},
			"b:1:11: expected ; after the action, found the end of the text"},
		{"sort", map[string]string{"main": `include "b"; init a(true);`, "b": "act a: Nat;"}, "main:1:21: expected Nat, found Bool"},
		{"init", map[string]string{"main": `include "b"; init delta;`, "b": "init tau;"}, "main:1:14: second init: the first is at b:1:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range c.files {
				file := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			_, err := LoadFile(filepath.Join(dir, "main"))
			got := ""
			if err != nil {
				got = strings.ReplaceAll(err.Error(), dir+string(filepath.Separator), "")
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	_, err := Load("t", []byte(`include "b"; init delta;`))
	if want := `t:1:9: include "b": only in a file that is read by its name`; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
