package debug

import (
	"fmt"
	"go/ast"
	"strconv"
	"strings"

	"github.com/google/go-dap"

	"github.com/heddle-mc/heddle/internal/execute"
)

// A condition is that of a breakpoint.
type condition struct{ expr ast.Expr }

// newCondition reads a condition; the empty one always holds.
func newCondition(text string) (condition, error) {
	if strings.TrimSpace(text) == "" {
		return condition{}, nil
	}
	x, err := parse(text)
	return condition{x}, err
}

// A ref is what the number of a variable with parts stands for.
type ref struct {
	list  []execute.Value // a scope
	value execute.Value
	plain []dap.Variable // told already
}

// stackTrace tells the stack of a thread.
func (s *Session) stackTrace(r *dap.StackTraceRequest) {
	res := &dap.StackTraceResponse{Response: answer(&r.Request)}
	res.Body.StackFrames = []dap.StackFrame{}
	all := s.In.Stack(r.Arguments.ThreadId)
	res.Body.TotalFrames = len(all)
	from, to := min(max(r.Arguments.StartFrame, 0), len(all)), len(all)
	if n := r.Arguments.Levels; n > 0 {
		to = min(to, from+n)
	}
	for _, f := range all[from:to] {
		s.frames = append(s.frames, frameRef{r.Arguments.ThreadId, f.Index})
		frame := dap.StackFrame{Id: len(s.frames), Name: f.Func, Line: f.Pos.Line, Column: max(f.Pos.Col, 1)}
		if f.Library {
			frame.PresentationHint = "subtle"
		}
		name := f.Pos.File[strings.LastIndexByte(f.Pos.File, '/')+1:]
		frame.Source = &dap.Source{Name: name, Path: f.Pos.File}
		if f.Library {
			frame.Source.PresentationHint = "deemphasize"
		}
		res.Body.StackFrames = append(res.Body.StackFrames, frame)
	}
	s.send(res)
}

// frame returns a frame that the client was told.
func (s *Session) frame(id int) (frameRef, bool) {
	if id < 1 || id > len(s.frames) {
		return frameRef{}, false
	}
	return s.frames[id-1], true
}

// scopes tells what there is to see of a frame.
func (s *Session) scopes(r *dap.ScopesRequest) {
	f, ok := s.frame(r.Arguments.FrameId)
	if !ok {
		s.refuse(&r.Request, "frame %d is not known any more", r.Arguments.FrameId)
		return
	}
	res := &dap.ScopesResponse{Response: answer(&r.Request)}
	res.Body.Scopes = []dap.Scope{}
	add := func(name, hint string, x ref, n int) {
		if n > 0 {
			s.refs = append(s.refs, x)
			res.Body.Scopes = append(res.Body.Scopes, dap.Scope{Name: name, PresentationHint: hint, VariablesReference: len(s.refs), NamedVariables: n})
		}
	}
	params, others, globals := s.In.Vars(f.thread, f.index, true), s.In.Vars(f.thread, f.index, false), s.In.Globals(f.thread)
	add("Arguments", "arguments", ref{list: params}, len(params))
	add("Locals", "locals", ref{list: others}, len(others))
	add("Package variables", "", ref{list: globals}, len(globals))
	if s.p.at.line == 0 {
		does := []dap.Variable{{Name: "stands before", Value: s.In.Waits(f.thread)}}
		add("Goroutine", "", ref{plain: does}, 1)
	}
	s.send(res)
}

// maxParts is how many parts of a value are told if the client does not say.
const maxParts = 1000

// variables tells the parts of a value or of a scope.
func (s *Session) variables(r *dap.VariablesRequest) {
	n := r.Arguments.VariablesReference
	if n < 1 || n > len(s.refs) {
		s.refuse(&r.Request, "variable %d is not known any more", n)
		return
	}
	x := s.refs[n-1]
	res := &dap.VariablesResponse{Response: answer(&r.Request)}
	res.Body.Variables = append([]dap.Variable{}, x.plain...)
	list := x.list
	if list == nil && x.plain == nil {
		count := r.Arguments.Count
		if count <= 0 {
			count = maxParts
		}
		list = x.value.PartsFrom(r.Arguments.Start, count)
	}
	for _, v := range list {
		res.Body.Variables = append(res.Body.Variables, s.variable(v))
	}
	s.send(res)
}

// variable is how a value is told.
func (s *Session) variable(v execute.Value) dap.Variable {
	out := dap.Variable{Name: v.Name, Value: v.Text(), Type: v.Type()}
	if n, indexed := v.Parts(); n > 0 {
		s.refs = append(s.refs, ref{value: v})
		out.VariablesReference = len(s.refs)
		if indexed {
			out.IndexedVariables = n
		} else {
			out.NamedVariables = n
		}
	}
	return out
}

// find returns a lookup of names in a frame, and of package-level variables with or without the name of their package.
func (s *Session) find(thread, frame int) lookup {
	return func(name string) (execute.Value, bool) {
		for _, params := range []bool{false, true} {
			for _, v := range s.In.Vars(thread, frame, params) {
				if v.Name == name {
					return v, true
				}
			}
		}
		for _, v := range s.In.Globals(thread) {
			short := v.Name[strings.LastIndexByte(v.Name, '/')+1:]
			if _, last, _ := strings.Cut(short, "."); short == name || last == name {
				return v, true
			}
		}
		return execute.Value{}, false
	}
}

// evaluate evaluates an expression, or does what was typed into the console: "to 12" goes to step 12, "story" tells all steps.
func (s *Session) evaluate(r *dap.EvaluateRequest) {
	text := strings.TrimSpace(r.Arguments.Expression)
	res := &dap.EvaluateResponse{Response: answer(&r.Request)}
	if r.Arguments.Context == "repl" {
		if text == "story" {
			res.Body.Result = s.Trace.StepsText(1, len(s.Trace.Steps))
			s.send(res)
			return
		}
		if number, ok := strings.CutPrefix(text, "to "); ok {
			n, err := strconv.Atoi(strings.TrimSpace(number))
			if err != nil || n < 1 || n > len(s.p.path) {
				s.refuse(&r.Request, "to %s: the trace has %d steps", number, len(s.p.path))
				return
			}
			res.Body.Result = fmt.Sprintf("before step %d", n)
			s.send(res)
			s.failed = false
			s.p.goTo(place{n - 1, 0})
			s.stopped("goto", s.p.line.Thread)
			return
		}
	}
	f, ok := s.frame(r.Arguments.FrameId)
	if !ok {
		at := s.p.line
		f = frameRef{at.Thread, at.Depth}
	}
	x, err := parse(text)
	var o operand
	if err == nil {
		o, err = evaluate(x, s.find(f.thread, f.index))
	}
	if err != nil {
		s.refuse(&r.Request, "%v", err)
		return
	}
	res.Body.Result = o.text()
	if o.has {
		v := s.variable(o.value)
		res.Body.Type, res.Body.VariablesReference, res.Body.IndexedVariables, res.Body.NamedVariables = v.Type, v.VariablesReference, v.IndexedVariables, v.NamedVariables
	}
	s.send(res)
}
