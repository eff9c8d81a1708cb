package debug

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/google/go-dap"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/trace"
)

// A Session is one conversation with a client.
type Session struct {
	Trace  *trace.Trace
	System lts.System
	In     *execute.Inspector
	Stale  string // what is to be said about a program that has changed, or ""

	p         *player
	breaks    map[string][]breakpoint // by file
	refs      []ref                   // what numbers of variables mean, from 1 on, good until the program moves
	frames    []frameRef
	threads   []execute.Thread // that the client knows
	interrupt atomic.Bool
	failed    bool // it stands at the finding
	entry     bool // it is to stop at the start
	over      bool
	early     []byte // what the program has printed before the first step

	mu  sync.Mutex
	w   io.Writer
	seq int
}

// A breakpoint is a line, and perhaps a condition.
type breakpoint struct {
	id, line int
	cond     condition
}

// A frameRef is a frame of a stack that the client was told.
type frameRef struct{ thread, index int }

// Serve reads requests and answers them, until the client goes or says that it is over.
func (s *Session) Serve(r io.Reader, w io.Writer) error {
	s.w, s.breaks, s.entry = w, make(map[string][]breakpoint), true
	s.p = newPlayer(s.System, s.In, s.Trace.Path, s.tell)
	defer s.p.close()
	requests, failed := make(chan dap.Message), make(chan error, 1)
	done := make(chan bool)
	defer close(done)
	go func() {
		in := bufio.NewReader(r)
		for {
			m, err := dap.ReadProtocolMessage(in)
			var unknown *dap.DecodeProtocolMessageFieldError
			if err != nil && !errors.As(err, &unknown) {
				failed <- err
				return
			}
			switch m.(type) {
			case *dap.PauseRequest, *dap.DisconnectRequest, *dap.TerminateRequest:
				s.interrupt.Store(true)
			}
			if m == nil {
				m = &dap.Request{ProtocolMessage: dap.ProtocolMessage{Seq: unknown.Seq, Type: "request"}, Command: unknown.FieldValue}
			}
			select {
			case requests <- m:
			case <-done:
				return
			}
		}
	}()
	for !s.over {
		select {
		case m := <-requests:
			if err := s.handle(m); err != nil {
				return err
			}
		case err := <-failed:
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.ErrClosedPipe) {
				return nil
			}
			return err
		}
	}
	return nil
}

// send sends a message.
func (s *Session) send(m dap.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	switch m := m.(type) {
	case dap.ResponseMessage:
		m.GetResponse().Seq, m.GetResponse().Type = s.seq, "response"
	case dap.EventMessage:
		m.GetEvent().Seq, m.GetEvent().Type = s.seq, "event"
	}
	_ = dap.WriteProtocolMessage(s.w, m) // the reader notices that the client is gone
}

func answer(r *dap.Request) dap.Response {
	return dap.Response{RequestSeq: r.Seq, Success: true, Command: r.Command}
}

// refuse answers that a request cannot be done.
func (s *Session) refuse(r *dap.Request, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	e := &dap.ErrorResponse{Response: answer(r)}
	e.Success, e.Message = false, text
	e.Body.Error = &dap.ErrorMessage{Id: 1, Format: strings.NewReplacer("{", "(", "}", ")").Replace(text), ShowUser: true}
	s.send(e)
}

func event(name string) dap.Event { return dap.Event{Event: name} }

// handle answers a request.
func (s *Session) handle(m dap.Message) error {
	switch r := m.(type) {
	case *dap.InitializeRequest:
		s.initialize(r)
	case *dap.LaunchRequest:
		s.launch(&r.Request, r.Arguments, &dap.LaunchResponse{Response: answer(&r.Request)})
	case *dap.AttachRequest:
		s.launch(&r.Request, r.Arguments, &dap.AttachResponse{Response: answer(&r.Request)})
	case *dap.SetBreakpointsRequest:
		s.setBreakpoints(r)
	case *dap.SetExceptionBreakpointsRequest:
		s.send(&dap.SetExceptionBreakpointsResponse{Response: answer(&r.Request)})
	case *dap.SetFunctionBreakpointsRequest:
		s.send(&dap.SetFunctionBreakpointsResponse{Response: answer(&r.Request)})
	case *dap.BreakpointLocationsRequest:
		s.locations(r)
	case *dap.ConfigurationDoneRequest:
		s.send(&dap.ConfigurationDoneResponse{Response: answer(&r.Request)})
		s.begin()
	case *dap.RestartRequest:
		s.send(&dap.RestartResponse{Response: answer(&r.Request)})
		s.p.back(0)
		s.begin()
	case *dap.ThreadsRequest:
		res := &dap.ThreadsResponse{Response: answer(&r.Request)}
		res.Body.Threads = []dap.Thread{}
		for _, t := range s.In.Threads() {
			res.Body.Threads = append(res.Body.Threads, dap.Thread{Id: t.ID, Name: t.Name})
		}
		s.send(res)
	case *dap.StackTraceRequest:
		s.stackTrace(r)
	case *dap.ScopesRequest:
		s.scopes(r)
	case *dap.VariablesRequest:
		s.variables(r)
	case *dap.EvaluateRequest:
		s.evaluate(r)
	case *dap.ExceptionInfoRequest:
		s.exceptionInfo(r)
	case *dap.PauseRequest:
		s.interrupt.Store(false)
		s.send(&dap.PauseResponse{Response: answer(&r.Request)})
		s.stopped("pause", r.Arguments.ThreadId)
	case *dap.TerminateRequest:
		s.send(&dap.TerminateResponse{Response: answer(&r.Request)})
		s.send(&dap.TerminatedEvent{Event: event("terminated")})
		s.interrupt.Store(false)
	case *dap.DisconnectRequest:
		s.send(&dap.DisconnectResponse{Response: answer(&r.Request)})
		s.over = true
	default:
		return s.handleMove(m)
	}
	return nil
}

// handleMove answers a request that makes the program move.
func (s *Session) handleMove(m dap.Message) error {
	switch r := m.(type) {
	case *dap.ContinueRequest:
		res := &dap.ContinueResponse{Response: answer(&r.Request)}
		res.Body.AllThreadsContinued = true
		s.send(res)
		s.forward(nil, r.Arguments.ThreadId)
	case *dap.ReverseContinueRequest:
		s.send(&dap.ReverseContinueResponse{Response: answer(&r.Request)})
		s.backward(nil, r.Arguments.ThreadId)
	case *dap.NextRequest:
		s.send(&dap.NextResponse{Response: answer(&r.Request)})
		s.forward(s.lines(r.Arguments.ThreadId, func(from, to int) bool { return to <= from }), r.Arguments.ThreadId)
	case *dap.StepInRequest:
		s.send(&dap.StepInResponse{Response: answer(&r.Request)})
		s.forward(s.lines(r.Arguments.ThreadId, func(from, to int) bool { return true }), r.Arguments.ThreadId)
	case *dap.StepOutRequest:
		s.send(&dap.StepOutResponse{Response: answer(&r.Request)})
		s.forward(s.lines(r.Arguments.ThreadId, func(from, to int) bool { return to < from }), r.Arguments.ThreadId)
	case *dap.StepBackRequest:
		s.send(&dap.StepBackResponse{Response: answer(&r.Request)})
		s.backward(s.lines(r.Arguments.ThreadId, func(from, to int) bool { return to <= from }), r.Arguments.ThreadId)
	case dap.RequestMessage:
		s.refuse(r.GetRequest(), "%s is not supported", r.GetRequest().Command)
	}
	return nil
}

func (s *Session) initialize(r *dap.InitializeRequest) {
	res := &dap.InitializeResponse{Response: answer(&r.Request)}
	res.Body = dap.Capabilities{
		SupportsConfigurationDoneRequest:   true,
		SupportsConditionalBreakpoints:     true,
		SupportsEvaluateForHovers:          true,
		SupportsStepBack:                   true,
		SupportsRestartRequest:             true,
		SupportsExceptionInfoRequest:       true,
		SupportsTerminateRequest:           true,
		SupportsBreakpointLocationsRequest: true,
	}
	s.send(res)
	s.send(&dap.InitializedEvent{Event: event("initialized")})
}

// launch reads how to begin. The trace is the one that was named on the command line.
func (s *Session) launch(r *dap.Request, args json.RawMessage, res dap.Message) {
	var own struct {
		StopOnEntry *bool `json:"stopOnEntry"`
	}
	if len(args) > 0 {
		if err := json.Unmarshal(args, &own); err != nil {
			s.refuse(r, "%s: %v", r.Command, err)
			return
		}
	}
	if own.StopOnEntry != nil {
		s.entry = *own.StopOnEntry
	}
	s.send(res)
}

// begin stops at the start, or goes on from there.
func (s *Session) begin() {
	if s.Stale != "" {
		s.print("important", s.Stale+"\n")
	}
	s.print("stdout", string(s.early))
	s.early = nil
	s.print("console", s.Trace.BeforeText())
	if s.entry {
		s.stopped("entry", s.p.line.Thread)
		return
	}
	s.forward(nil, s.p.line.Thread)
}

// print writes something to the client's console.
func (s *Session) print(category, text string) {
	if text == "" {
		return
	}
	e := &dap.OutputEvent{Event: event("output")}
	e.Body.Category, e.Body.Output = category, text
	s.send(e)
}

// tell tells of a step that begins for the first time.
func (s *Session) tell(step int) {
	if step >= s.Trace.Untold() {
		s.print("console", s.Trace.StepsText(step+1, step+1))
	}
}

// Write is for what the program prints. What it prints again on a way that it has gone before is left out.
func (s *Session) Write(b []byte) (int, error) {
	switch {
	case s.p == nil: // on the way to the start
		s.early = append(s.early, b...)
	case s.p.at.step >= s.p.last.step:
		s.print("stdout", string(b))
	}
	return len(b), nil
}

// setBreakpoints replaces the breakpoints of a file.
func (s *Session) setBreakpoints(r *dap.SetBreakpointsRequest) {
	file := filepath.ToSlash(r.Arguments.Source.Path)
	res := &dap.SetBreakpointsResponse{Response: answer(&r.Request)}
	res.Body.Breakpoints = []dap.Breakpoint{}
	s.breaks[file] = nil
	lines := s.In.Lines(file)
	for _, want := range r.Arguments.Breakpoints {
		b := dap.Breakpoint{Line: want.Line, Source: &r.Arguments.Source}
		i, _ := slices.BinarySearch(lines, want.Line)
		cond, err := newCondition(want.Condition)
		switch {
		case len(lines) == 0:
			b.Message = "the program has no code of this file"
		case i == len(lines):
			b.Message = "there is no code at this line, nor behind it"
		case err != nil:
			b.Message = err.Error()
		default:
			s.seq++
			b.Id, b.Line, b.Verified = s.seq, lines[i], true
			s.breaks[file] = append(s.breaks[file], breakpoint{b.Id, b.Line, cond})
		}
		res.Body.Breakpoints = append(res.Body.Breakpoints, b)
	}
	s.send(res)
}

// locations tells which lines breakpoints can be set at.
func (s *Session) locations(r *dap.BreakpointLocationsRequest) {
	res := &dap.BreakpointLocationsResponse{Response: answer(&r.Request)}
	res.Body.Breakpoints = []dap.BreakpointLocation{}
	if a := r.Arguments; a != nil {
		for _, line := range s.In.Lines(filepath.ToSlash(a.Source.Path)) {
			if line >= a.Line && line <= max(a.Line, a.EndLine) {
				res.Body.Breakpoints = append(res.Body.Breakpoints, dap.BreakpointLocation{Line: line})
			}
		}
	}
	s.send(res)
}

// hit returns the breakpoint at a moment.
func (s *Session) hit(m moment) (id int, ok bool) {
	if !m.fresh {
		return 0, false
	}
	for _, b := range s.breaks[m.File] {
		if b.line == m.Line.Line && (b.cond.expr == nil || holds(b.cond.expr, s.find(m.Thread, m.Depth))) {
			return b.id, true
		}
	}
	return 0, false
}

// lines returns what is wanted of a step of a thread: that it is at another line, in a frame that is deep enough.
func (s *Session) lines(thread int, deep func(from, to int) bool) func(moment) bool {
	from := s.In.At(thread)
	if s.p.line.Thread == thread {
		from = s.p.line
	}
	return func(m moment) bool {
		return m.Thread == thread && deep(from.Depth, m.Depth) && (m.Line.Line != from.Line || m.File != from.File || m.Depth != from.Depth)
	}
}

// forward goes on to where somebody wants to stop: step is nil if only breakpoints matter.
func (s *Session) forward(step func(moment) bool, thread int) {
	hit, at := 0, moment{}
	found := s.p.at == s.p.end() || s.failed
	if !found {
		found = !s.p.forward(func(m moment) bool {
			at = m
			var ok bool
			if hit, ok = s.hit(m); ok {
				return true
			}
			return step != nil && step(m) || s.interrupt.Load()
		})
	}
	switch {
	case found:
		s.atFinding(thread)
	case hit != 0:
		s.stopped("breakpoint", at.Thread, hit)
	case s.interrupt.Swap(false):
		s.stopped("pause", at.Thread)
	default:
		s.stopped("step", at.Thread)
	}
}

// backward does the same into the past.
func (s *Session) backward(step func(moment) bool, thread int) {
	hit := 0
	ok := s.p.backward(func(m moment) bool {
		id, ok := s.hit(m)
		if ok || step != nil && step(m) {
			hit = id
			return true
		}
		return false
	})
	s.failed = false
	switch {
	case !ok:
		s.stopped("entry", s.p.line.Thread)
	case hit != 0:
		s.stopped("breakpoint", s.p.line.Thread, hit)
	default:
		s.stopped("step", s.p.line.Thread)
	}
}

// atFinding stops at the end of the trace.
func (s *Session) atFinding(thread int) {
	who, ok := s.guilty()
	if !ok && s.p.at == s.p.end() && len(s.p.path) > 0 {
		last := s.p.mover
		if !slices.ContainsFunc(s.In.Threads(), func(t execute.Thread) bool { return t.ID == last }) {
			s.p.lastLine() // who has failed is gone
		}
		thread = last
	}
	if ok {
		thread = who
	}
	if s.p.busy {
		thread = s.p.line.Thread
	}
	s.failed = true
	s.stopped("exception", thread)
}

// guilty returns the thread that stands at the place of the finding, if there is one.
func (s *Session) guilty() (thread int, ok bool) {
	pos := s.Trace.Finding.Pos
	for _, t := range s.In.Threads() {
		if l := s.In.At(t.ID); pos.Line > 0 && l.Line == pos.Line && strings.HasSuffix(l.File, pos.File) {
			return t.ID, true
		}
	}
	return 0, false
}

// stopped says that the program stands still.
func (s *Session) stopped(reason string, thread int, breakpoints ...int) {
	s.refs, s.frames = nil, nil
	s.tellThreads()
	if !slices.ContainsFunc(s.threads, func(t execute.Thread) bool { return t.ID == thread }) && len(s.threads) > 0 {
		thread = s.threads[0].ID
	}
	e := &dap.StoppedEvent{Event: event("stopped")}
	e.Body = dap.StoppedEventBody{Reason: reason, ThreadId: thread, AllThreadsStopped: true, HitBreakpointIds: breakpoints}
	step := fmt.Sprintf("before step %d of %d", s.p.at.step+1, len(s.p.path))
	switch {
	case reason == "exception":
		e.Body.Description, e.Body.Text = s.Trace.Finding.Kind, s.Trace.Finding.Error()
	case s.p.at == s.p.end():
		e.Body.Description = "after the last step"
	case s.p.at.line > 0:
		e.Body.Description = fmt.Sprintf("in step %d of %d", s.p.at.step+1, len(s.p.path))
	default:
		e.Body.Description = step
	}
	s.send(e)
}

// tellThreads tells the client of threads that have come and gone.
func (s *Session) tellThreads() {
	now := s.In.Threads()
	tell := func(reason string, list, other []execute.Thread) {
		for _, t := range list {
			if !slices.ContainsFunc(other, func(o execute.Thread) bool { return o.ID == t.ID }) {
				e := &dap.ThreadEvent{Event: event("thread")}
				e.Body = dap.ThreadEventBody{Reason: reason, ThreadId: t.ID}
				s.send(e)
			}
		}
	}
	tell("exited", s.threads, now)
	tell("started", now, s.threads)
	s.threads = now
}

// exceptionInfo tells of the finding.
func (s *Session) exceptionInfo(r *dap.ExceptionInfoRequest) {
	if !s.failed {
		s.refuse(&r.Request, "the trace is not at its end")
		return
	}
	t := s.Trace
	res := &dap.ExceptionInfoResponse{Response: answer(&r.Request)}
	res.Body = dap.ExceptionInfoResponseBody{
		ExceptionId: t.Finding.Kind, Description: t.Finding.Error(), BreakMode: "always",
		Details: &dap.ExceptionDetails{Message: t.Finding.Message, StackTrace: t.CauseText() + t.StacksText() + t.WaitingText()},
	}
	s.send(res)
}
