package cli

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net"
	"path/filepath"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/compile"
	"github.com/heddle-mc/heddle/internal/debug"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/trace"
)

var cmdDebug = &command{
	name:  "debug",
	args:  "TRACE",
	short: "step through a counterexample in an editor, forward and backward",
	mixed: true,
	long: `Debug executes a counterexample again for an editor that speaks the Debug Adapter
Protocol. TRACE is a trace.json or the folder that has one. Goroutines are
threads; lines are executed in the order of the counterexample, and the editor
can also step back, or continue backward to the last breakpoint. What was found
is an exception at the end.

The editor is spoken to on standard input and output, or with -listen on a port.
docs/debug.md has a launch.json.`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		d := debugger{replayer: replayer{app: app}}
		d.declare(fs)
		fs.StringVar(&d.listen, "listen", "", "wait for the editor at `address`, such as 127.0.0.1:4711, which must be one of this machine alone")
		return func(ctx context.Context, args []string) (int, error) {
			switch {
			case len(args) == 0:
				return 0, diag.Usagef("no trace given: name a trace.json or its folder")
			case len(args) > 1:
				return 0, diag.Usagef("%d traces given: name one", len(args))
			}
			return d.debug(ctx, args[0])
		}
	},
}

// A debugger has a trace be debugged.
type debugger struct {
	replayer
	listen string
}

// debug makes the program ready and speaks with the editor.
func (d *debugger) debug(ctx context.Context, name string) (int, error) {
	var listener net.Listener
	if d.listen != "" {
		var err error
		if listener, err = listenHere(d.listen); err != nil {
			return 0, err
		}
		defer listener.Close()
	}
	t, p, err := d.ready(ctx, name)
	if err != nil {
		return 0, err
	}
	s := &debug.Session{Trace: t}
	if p.prog.Identity != t.Program {
		s.Stale = "the program has changed since it was checked"
	}
	sys, done, err := p.start(s)
	if err != nil {
		return 0, err
	}
	defer done()
	in := execute.NewInspector(sys, d.locals(ctx, p.spec))
	if in == nil {
		return 0, diag.Usagef("a trace of a program with a model beside it cannot be debugged: use heddle replay")
	}
	s.System, s.In = sys, in
	if listener == nil {
		return d.serve(s, d.app.Stdin, d.app.Stdout)
	}
	fmt.Fprintf(d.app.Stdout, "heddle debug: waits for an editor at %s\n", listener.Addr())
	stop := context.AfterFunc(ctx, func() { listener.Close() })
	defer stop()
	c, err := listener.Accept()
	if err != nil {
		return 0, diag.Usagef("%v", err)
	}
	defer c.Close()
	return d.serve(s, c, c)
}

func (d *debugger) serve(s *debug.Session, r io.Reader, w io.Writer) (int, error) {
	if err := s.Serve(r, w); err != nil {
		return 0, diag.Usagef("%v", err)
	}
	return diag.ExitOK, nil
}

// ready reads a trace and builds its program, which still has to do the steps of the trace.
func (r *replayer) ready(ctx context.Context, name string) (*trace.Trace, *replayed, error) {
	t, err := readTrace(name)
	if err != nil {
		return nil, nil, err
	}
	if t.Settings[model.NameSetting] != "" {
		return nil, nil, diag.Usagef("the trace is that of a model: use heddle replay or heddle sim")
	}
	rec, err := check.ReadRecipe(t.Settings)
	if err != nil {
		return nil, nil, err
	}
	if r.dir != "" {
		if rec.Program.Dir, err = filepath.Abs(r.dir); err != nil {
			return nil, nil, diag.Usagef("%v", err)
		}
	}
	world, err := readTraffic(rec, name)
	if err != nil {
		return nil, nil, err
	}
	p, err := r.build(ctx, rec)
	if err != nil {
		return nil, nil, err
	}
	p.process.World = world
	p.settings.Live = t.Loop > 0
	p.settings.Cover, p.settings.Trace = false, false
	fits, differs, err := p.compare(t)
	if err != nil {
		return nil, nil, err
	}
	if fits < len(t.Path) {
		return nil, nil, differs
	}
	return t, p, p.shows(t)
}

// shows says what is wrong with a trace whose finding does not show any more, nil if it does.
func (p *replayed) shows(t *trace.Trace) error {
	sys, done, err := p.start(nil)
	if err != nil {
		return err
	}
	defer done()
	lts.MustReplay(sys, t.Path)
	switch {
	case t.Finding.Kind == peerTrouble:
	case t.Loop > 0:
		if err := p.goesAround(t); err != nil {
			return diag.Usagef("after step %d: %v: %v", len(t.Path), err, trace.ErrStale)
		}
	case !showsAgain(sys, t.Finding, len(t.Path) > 0):
		return diag.Usagef("after step %d: the finding does not show: %s: %v", len(t.Path), t.Finding.Error(), trace.ErrStale)
	}
	return nil
}

// locals returns a function that tells where the variables of a program are. It is slow: the program is compiled once more.
func (r *replayer) locals(ctx context.Context, spec *check.Spec) func(*bytecode.Program) *compile.Locals {
	known := make(map[*bytecode.Program]*compile.Locals)
	return func(prog *bytecode.Program) *compile.Locals {
		if l, ok := known[prog]; ok {
			return l
		}
		known[prog] = nil
		settings, err := spec.System()
		if err != nil {
			return nil
		}
		src := execute.Source{Context: ctx, Dir: sourceDir(spec), Patterns: spec.Program.Packages, Tags: spec.Program.Tags, Test: spec.Program.Test != "", AccessPoints: settings.Access}
		lists := [][]string{src.Patterns}
		if !src.Test && len(src.Patterns) > 1 && filepath.Ext(src.Patterns[0]) != ".go" { // programs side by side
			lists = nil
			for _, pattern := range src.Patterns {
				lists = append(lists, []string{pattern})
			}
		}
		for _, list := range lists {
			src.Patterns = list
			// A program of which nothing is known about variables can be debugged without them.
			if l, err := execute.Locals(src, prog); err == nil && len(l.Funcs) > 0 {
				known[prog] = l
				break
			}
		}
		return known[prog]
	}
}

// listenHere listens at an address of this machine that nobody outside can reach.
func listenHere(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, diag.Usagef("-listen %s: give an address and a port, as in 127.0.0.1:4711", address)
	}
	if ip := net.ParseIP(host); host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return nil, diag.Usagef("-listen %s: others could reach that: give an address of this machine alone, as in 127.0.0.1:4711", address)
	}
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, diag.Usagef("-listen: %v", err)
	}
	if a, ok := l.Addr().(*net.TCPAddr); !ok || !a.IP.IsLoopback() {
		l.Close()
		return nil, diag.Usagef("-listen %s: others could reach that: give an address of this machine alone, as in 127.0.0.1:4711", address)
	}
	return l, nil
}
