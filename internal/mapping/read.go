package mapping

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
)

// A Mapping says which operations of a program are which actions of a model.
type Mapping struct {
	Observe execute.Observe

	name     string
	identity string
	actions  []named // that operations are, one for each rule
	hidden   []named
	inputs   []named // that come from outside: the model may wait for them
}

// named is a name of an action, and where it stands.
type named struct {
	name string
	pos  diag.Pos
}

// Read reads the file of a mapping.
func Read(name string) (*Mapping, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, diag.Usagef("%v", err)
	}
	sum := sha256.Sum256(data)
	r := reader{Mapping: Mapping{name: name, identity: hex.EncodeToString(sum[:16])}}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, diag.Sourcef(diag.Pos{File: name}, "%s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if doc.Kind == 0 {
		return nil, diag.Sourcef(diag.Pos{File: name}, "the file is empty: actions are expected")
	}
	if err := r.file(doc.Content[0]); err != nil {
		return nil, err
	}
	if len(r.Observe.Rules) == 0 {
		return nil, diag.Sourcef(diag.Pos{File: name}, "no operation is an action: actions are expected")
	}
	r.Observe.Ready()
	return &r.Mapping, nil
}

// A reader reads a mapping.
type reader struct{ Mapping }

func (r *reader) pos(n *yaml.Node) diag.Pos {
	return diag.Pos{File: r.name, Line: n.Line, Col: n.Column}
}

// each calls f for the names and values of a mapping.
func (r *reader) each(n *yaml.Node, what string, f func(key, value *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return diag.Sourcef(r.pos(n), "%s: lines of the form name: value are expected", what)
	}
	for i := 0; i < len(n.Content); i += 2 {
		if err := f(n.Content[i], n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// text returns a single value.
func (r *reader) text(n *yaml.Node, what string) (string, error) {
	if n.Kind != yaml.ScalarNode || n.Value == "" {
		return "", diag.Sourcef(r.pos(n), "%s: a value is expected", what)
	}
	return n.Value, nil
}

func (r *reader) file(root *yaml.Node) error {
	return r.each(root, "the file", func(key, value *yaml.Node) error {
		switch key.Value {
		case "actions":
			if value.Kind != yaml.SequenceNode {
				return diag.Sourcef(r.pos(value), "actions: a list is expected")
			}
			for _, n := range value.Content {
				if err := r.rule(n); err != nil {
					return err
				}
			}
			return nil
		case "hide":
			return r.names(value, key.Value, &r.hidden)
		case "inputs":
			return r.names(value, key.Value, &r.inputs)
		case "values":
			return r.each(value, "values", r.values)
		}
		return diag.Sourcef(r.pos(key), "unknown name %q: there are actions, hide, inputs and values", key.Value)
	})
}

// names reads a list of names of actions.
func (r *reader) names(value *yaml.Node, what string, list *[]named) error {
	if value.Kind != yaml.SequenceNode {
		return diag.Sourcef(r.pos(value), "%s: a list of names of actions is expected", what)
	}
	for _, n := range value.Content {
		name, err := r.text(n, what)
		if err != nil {
			return err
		}
		*list = append(*list, named{name, r.pos(n)})
	}
	return nil
}

// values reads the names of the values of a type: a list, for 0 and so on, or
// value: name.
func (r *reader) values(key, value *yaml.Node) error {
	names := map[string]string{}
	if value.Kind == yaml.SequenceNode {
		for i, n := range value.Content {
			text, err := r.text(n, key.Value)
			if err != nil {
				return err
			}
			names[strconv.Itoa(i)] = text
		}
	} else if err := r.each(value, key.Value, func(k, v *yaml.Node) (err error) {
		names[k.Value], err = r.text(v, k.Value)
		return err
	}); err != nil {
		return err
	}
	if r.Observe.Values == nil {
		r.Observe.Values = map[string]map[string]string{}
	}
	r.Observe.Values[key.Value] = names
	return nil
}

// Operations that have names of their own: lines that are printed, messages.
var usualOperations = map[string]execute.ObserveRule{
	"print": {Func: "os.(*File).Write", Text: "arg1", Lines: true,
		If: []execute.ObserveIf{{Place: "arg0.name", Match: regexp.MustCompile(`^/dev/std(out|err)$`)}}},
	"send":    {Func: "net.(*conn).Write", Text: "arg1"},
	"receive": {Func: "net.(*conn).Read", Return: true, Text: "arg1[:result0]"},
}

// rule reads one element of actions.
func (r *reader) rule(n *yaml.Node) error {
	rule := execute.ObserveRule{Pos: r.pos(n)}
	operations := 0
	var at diag.Pos // of the action
	var conds []execute.ObserveIf
	err := r.each(n, "an action", func(key, value *yaml.Node) error {
		if key.Value == "if" {
			return r.each(value, "if", func(k, v *yaml.Node) error {
				re, err := r.regexp(v, k.Value)
				conds = append(conds, execute.ObserveIf{Place: k.Value, Match: re})
				return err
			})
		}
		text, err := r.text(value, key.Value)
		if err != nil {
			return err
		}
		switch key.Value {
		case "call", "return":
			operations++
			rule.Func, rule.Return = text, key.Value == "return"
		case "send-on", "receive-on":
			operations++
			rule.Chan, rule.Send = text, key.Value == "send-on"
		case "in":
			rule.In = text
		case "print", "send", "receive":
			operations++
			pos, action, in := rule.Pos, rule.Action, rule.In
			rule = usualOperations[key.Value]
			rule.Pos, rule.Action, rule.In = pos, action, in
			rule.Match, err = r.regexp(value, key.Value)
		case "text":
			rule.Text = text
		case "match":
			rule.Match, err = r.regexp(value, key.Value)
		case "action":
			rule.Action, at = text, r.pos(value)
		default:
			return diag.Sourcef(r.pos(key), "unknown name %q: there are call, return, print, send, receive, send-on, receive-on, in, if, text, match and action", key.Value)
		}
		return err
	})
	rule.If = append(slices.Clone(rule.If), conds...)
	switch {
	case err != nil:
		return err
	case operations != 1:
		return diag.Sourcef(rule.Pos, "one of call, return, print, send, receive, send-on and receive-on is expected")
	case rule.Action == "":
		return diag.Sourcef(rule.Pos, "action is missing")
	case (rule.Text == "") != (rule.Match == nil):
		return diag.Sourcef(rule.Pos, "text and match go together")
	}
	name, _, _ := strings.Cut(rule.Action, "(")
	r.actions = append(r.actions, named{strings.TrimSpace(name), at})
	r.Observe.Rules = append(r.Observe.Rules, rule)
	return nil
}

func (r *reader) regexp(n *yaml.Node, what string) (*regexp.Regexp, error) {
	text, err := r.text(n, what)
	if err != nil {
		return nil, err
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil, diag.Sourcef(r.pos(n), "%s: %v", what, err)
	}
	return re, nil
}
