package certify

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/plain"
	"github.com/heddle-mc/heddle/internal/progcache"
)

// The settings with the guesses that reduction does not make, and with how states are
// looked at.
const (
	assumeName = "assume"
	viewsName  = "views"
)

// identityName is what tells programs, and models, from each other.
const identityName = "identity"

// The names of what a certificate with a graph says besides.
const (
	codeFolder = "folder" // where the program ran
	codeHeddle = "heddle" // the build that made it
)

// Header says what a certificate of a program is about, but for what reduction
// assumes. Folders are no part of it.
func (p *Program) Header(tool string, reduce bool) cert.Header {
	h := cert.Header{
		Kind: cert.Full, Tool: tool, Target: p.Name, Reduce: reduce,
		Program:    []cert.Pair{{Name: identityName, Value: p.Code.Identity}, {Name: "package", Value: p.Package}},
		Properties: p.Spec.Model.Properties(),
	}
	if p.Code.Bytecode != nil {
		code := CodeOf(p.Code.Bytecode)
		h.Program = append(h.Program, code.Program...)
		h.Functions = code.short()
	}
	own := p.Spec.Clone()
	own.Program.Dir, own.Program.ChangeTo, own.Program.TestDir = "", "", ""
	h.Settings = pairs(own.Recipe())
	return h
}

// addGraph adds what the header of a certificate with a graph has to say.
func addGraph(h *cert.Header, code *Code, root string) {
	h.Functions = code.Functions
	h.Program = append(h.Program, cert.Pair{Name: codeFolder, Value: root}, cert.Pair{Name: codeHeddle, Value: progcache.BuildID()})
}

// ModelHeader says what a certificate of a model is about.
func ModelHeader(m *model.Systems, tool string) cert.Header {
	h := cert.Header{
		Kind: cert.Full, Tool: tool, Target: m.Model.Name,
		Program: []cert.Pair{{Name: identityName, Value: m.Model.Identity()}},
	}
	h.Properties = Kinds(m.Spec)
	values := m.Spec.Recipe("", m.Model)
	delete(values, "dir")
	h.Settings = pairs(values)
	return h
}

// Kinds lists what is looked for in a model.
func Kinds(s *model.Spec) (list []string) {
	for _, p := range []struct {
		name string
		on   bool
	}{{model.Deadlock, s.Deadlock}, {model.Action, len(s.Actions) > 0}, {model.Invariant, len(s.Invariants) > 0}, {model.Formula, len(s.Formulas) > 0}} {
		if p.on {
			list = append(list, p.name)
		}
	}
	return list
}

// pairs returns settings in the order of their names.
func pairs(values map[string]string) (list []cert.Pair) {
	for _, name := range slices.Sorted(maps.Keys(values)) {
		list = append(list, cert.Pair{Name: name, Value: values[name]})
	}
	return list
}

// settingsOf returns the settings of a certificate by their names.
func settingsOf(r *cert.Reader) (map[string]string, error) {
	values := map[string]string{}
	for _, p := range r.Header.Settings {
		if _, twice := values[p.Name]; twice {
			return nil, diag.Usagef("setting %s is there twice", plain.Word(p.Name))
		}
		values[p.Name] = p.Value
	}
	return values, nil
}

// programNames are what a certificate may say of a program.
var programNames = []string{identityName, "package", codeGo, codeModules, codeTables, codeStrings, codeLines, codeFolder, codeHeddle}

// readable refuses a header with names that nobody knows, or with properties that are not those of its
// settings: what is told of a certificate is what was understood of it.
func readable(r *cert.Reader) error {
	h := &r.Header
	for i, p := range h.Program {
		if !slices.Contains(programNames, p.Name) || slices.ContainsFunc(h.Program[:i], func(q cert.Pair) bool { return q.Name == p.Name }) {
			return diag.Usagef("the header says %q of a program, or says it twice", p.Name)
		}
	}
	if cert.Lookup(h.Program, identityName) == "" {
		return diag.Usagef("the header does not say which program it is about")
	}
	var looked []string
	if cert.Lookup(h.Settings, model.NameSetting) != "" {
		s, err := ReadModelSpec(r)
		if err != nil {
			return err
		}
		looked = Kinds(s)
	} else {
		s, _, err := ReadSpec(r)
		if err != nil {
			return err
		}
		looked = s.Model.Properties()
	}
	if !slices.Equal(h.Properties, looked) {
		return diag.Usagef("the header names other properties, %q, than its settings do: %q", h.Properties, looked)
	}
	return nil
}

// ReadSpec returns the settings of a certificate of a program, and what its reduction
// goes by.
func ReadSpec(r *cert.Reader) (s *check.Spec, known execute.Known, err error) {
	values, err := settingsOf(r)
	if err != nil {
		return nil, known, Refuse(err)
	}
	text, ok := values[assumeName]
	if !ok {
		return nil, known, Refuse(diag.Usagef("setting %s is missing", assumeName))
	}
	if known, err = execute.ParseKnown(text, values[viewsName]); err != nil {
		return nil, known, Refuse(plainError(diag.Usagef("setting %s: %v", assumeName, err)))
	}
	delete(values, assumeName)
	if s, err = check.ReadRecipe(values); err != nil {
		return nil, known, Refuse(plainError(err))
	}
	return s, known, nil
}

// plainError returns an error about what somebody else has written, of which its text may have a piece, so that it can be shown.
func plainError(err error) error {
	text := err.Error()
	if strings.IndexFunc(text, func(c rune) bool { return c < ' ' || c > '~' }) < 0 {
		return err
	}
	return diag.Usagef("%s", strings.Trim(strconv.QuoteToASCII(text), `"`))
}

// ReadModelSpec does the same for models.
func ReadModelSpec(r *cert.Reader) (*model.Spec, error) {
	values, err := settingsOf(r)
	if err != nil {
		return nil, Refuse(err)
	}
	s, _, err := model.ReadRecipe(values, ".")
	if err != nil {
		return nil, Refuse(plainError(err))
	}
	return s, nil
}
