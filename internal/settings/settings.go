// Package settings reads heddle.yaml, the file beside a package that says how the
// package is to be checked.
//
//	# heddle.yaml
//	states: 2000000
//	late: 20ms
//	leak: false
//	args: [-n, 3]
//	peers:
//	  - server: python3 server.py {addr:2626}
//
// It knows what the file looks like, one mapping of names to values, lists of
// values or, for [Entry.Decode], anything else, and where in it each name stands. It does not know which names there
// are: who applies an [Entry] refuses those that do not exist, with its position.
package settings

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/heddle-mc/heddle/internal/diag"
)

// FileName is the name of the file.
const FileName = "heddle.yaml"

// An Entry is one name with what the file says of it.
type Entry struct {
	Name   string
	Values []string // one, unless the value is a list
	List   bool
	Pos    diag.Pos // of the name
	At     diag.Pos // of the value
	node   *yaml.Node
}

// Nested reports whether the value is more than a value or a list of values. It
// is then read by Decode.
func (e *Entry) Nested() bool {
	return e.Values == nil && (e.node.Kind != yaml.SequenceNode || len(e.node.Content) > 0)
}

// Decode stores the value in what v points to. It refuses names that are not
// there.
func (e *Entry) Decode(v any) error {
	var text bytes.Buffer
	if err := yaml.NewEncoder(&text).Encode(e.node); err != nil {
		return diag.Sourcef(e.At, "%s: %v", e.Name, err)
	}
	d := yaml.NewDecoder(&text)
	d.KnownFields(true)
	if err := d.Decode(v); err != nil {
		return diag.Sourcef(e.At, "%s: %s", e.Name, strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "yaml: "))
	}
	return nil
}

// Find reads the file in a folder. Without one there are no entries.
func Find(dir string) ([]Entry, error) {
	name := filepath.Join(dir, FileName)
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, diag.Usagef("%v", err)
	}
	return Parse(name, data)
}

// Parse reads the text of a file. Errors say where in it they are.
func Parse(name string, data []byte) ([]Entry, error) {
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(data))
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil // nothing but comments
	case err != nil:
		return nil, syntaxError(name, err)
	}
	var second yaml.Node
	if err := d.Decode(&second); err == nil {
		return nil, diag.Sourcef(place(name, &second), "a second document: the file has one")
	} else if !errors.Is(err, io.EOF) {
		return nil, syntaxError(name, err)
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, diag.Sourcef(place(name, root), "a mapping is expected: lines of the form name: value")
	}
	var entries []Entry
	seen := map[string]diag.Pos{}
	for i := 0; i < len(root.Content); i += 2 {
		e, err := entry(name, root.Content[i], root.Content[i+1])
		if err != nil {
			return nil, err
		}
		if first, ok := seen[e.Name]; ok {
			return nil, diag.Sourcef(e.Pos, "%s is set twice: the first is in line %d", e.Name, first.Line)
		}
		seen[e.Name] = e.Pos
		entries = append(entries, e)
	}
	return entries, nil
}

// entry converts one line of the mapping.
func entry(file string, key, value *yaml.Node) (Entry, error) {
	e := Entry{Name: key.Value, Pos: place(file, key), At: place(file, value), node: value}
	if key.Kind != yaml.ScalarNode || key.Value == "" {
		return e, diag.Sourcef(e.Pos, "a name is expected")
	}
	values := []*yaml.Node{value}
	if value.Kind == yaml.SequenceNode {
		e.List, values = true, value.Content
	}
	for _, v := range values {
		if v.Kind == yaml.MappingNode {
			e.Values = nil
			return e, nil
		}
		if v.Kind != yaml.ScalarNode || v.Tag == "!!null" {
			return e, diag.Sourcef(place(file, v), "%s: a value or a list of values is expected", e.Name)
		}
		e.Values = append(e.Values, v.Value)
	}
	return e, nil
}

func place(file string, n *yaml.Node) diag.Pos {
	return diag.Pos{File: file, Line: n.Line, Col: n.Column}
}

// yamlLine is how package yaml begins the errors whose line it knows.
var yamlLine = regexp.MustCompile(`^yaml: line (\d+): `)

// syntaxError gives an error of package yaml its position.
func syntaxError(file string, err error) error {
	pos, text := diag.Pos{File: file}, err.Error()
	if m := yamlLine.FindStringSubmatch(text); m != nil {
		pos.Line, _ = strconv.Atoi(m[1])
		text = text[len(m[0]):]
	}
	return diag.Sourcef(pos, "not YAML: %s", text)
}
