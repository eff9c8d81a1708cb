package execute

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Settings shape the graph of a program's states and say what counts as wrong.
type Settings struct {
	Properties  Properties
	Faults      sockets.Faults    // what may happen to connections
	Delays      sockets.Delays    // which calls that do not wait may be early
	Partial     bool              // such calls may transfer a part of the bytes
	Signals     int               // how many signals may come from outside
	Alone       bool              // nobody outside ever talks to the program
	Exact       bool              // keys hold no digests: they are longer and take more time
	Late        drive.Lateness    // how much time may pass while somebody can run
	Ticks       int               // see drive.Options
	Fuel        int64             // see drive.Options
	Cover       bool              // note what is executed
	Trace       bool              // note which functions are executed: see Traced
	Differ      bool              // count what makes states differ
	MapOrder    bool              // iterations over maps begin anywhere
	Choices                       // what the library leaves open
	Known       Known             // guesses and views
	Without     []string          // guesses and views that a search is not to begin with, by name: see Unknown
	Access      bool              // each plain access to shared memory is a step of its own; the program needs AccessPoints
	UDP         datagram.Settings // what may happen to datagrams
	Observe     *Observe          // operations that are told to others, nil for none
	Stop        func() bool       // see drive.Options
	drive.Notes                   // what is noted for lts.Live and for Stacks
	Root        string            // the folder that positions are told relative to, or ""
	made        string            // see folder
	Hosts       sockets.Hosts     // names that the program can look up
}

// Choices say what is tried of what the library leaves open.
type Choices struct {
	Random int // how many seeds of random numbers are tried, 0 or 1 for one
	Choose int // random numbers of at most so many values are choices, 0 for none
	Pool   int // how many items a sync.Pool keeps, but for those of the library; 0 for none
}

// quiet are the functions of whose inside nothing can be seen. The lock of a
// file is given back before anything else happens, and what the process writes
// is not part of its state. That a Cond was not copied is looked at by every
// operation on it, and says nothing to others. Who is told of a signal is looked up under a lock: if others change
// that between the arrival of the signal and the lock, it could as well have come after that, or not
// at all. Only the messages to channels can be seen. Under the same lock it is said which signals are wanted: one
// that comes in the middle of that waits for the lock.
var quiet = []string{
	"os.(*File).Write", "os.(*File).WriteString", "sync.(*copyChecker).check",
	"os/signal.process", "os/signal.enableSignal", "os/signal.disableSignal", "os/signal.ignoreSignal",
}

// A System is a Go program as a transition system. Its steps are those of
// drive.Machine.Steps.
type System struct {
	m          *drive.Machine
	settings   Settings
	start      vm.Mark
	atStart    bool
	first      []diag.Finding // what went wrong on the way to the initial state
	firstRaces []drive.Race   // and the races among that
	library    string         // folder of the standard library's source
	story      narrator
	variables  namer
	things     namer // what stories name only because of what is guessed
	sampler    sampler
	world      *World
	before     []lts.Event // see Before
	observer   *observer   // nil if nothing is observed
	reduction  *reduction  // of the program, or of the group that it belongs to
	alone      [1]*drive.Machine
	folder     folder
	joined     bool // there are other processes beside it
	acts       bool // steps note what they act on
}

// NewSystem starts a program and stops it in its initial state, where more than
// one thing can happen.
func NewSystem(prog *bytecode.Program, p Process, s Settings) (*System, error) {
	p.Isolated, p.faults, p.delays, p.partial, p.udp = true, s.Faults, s.Delays, s.Partial, s.UDP
	p.Public, p.signals, p.hosts = p.Public && !s.Alone, s.Signals, s.Hosts
	if p.Server {
		p.signals = 0
	}
	if s.Access && !prog.AccessPoints {
		return nil, diag.Bugf("a program without access points, to be stopped at each access")
	}
	var watcher *observer
	if s.Observe != nil {
		var err error
		if watcher, prog, err = newObserver(prog, s.Observe); err != nil {
			return nil, err
		}
	}
	p.observer = watcher
	m, err := Start(prog, p)
	if err != nil {
		return nil, err
	}
	library := libraryOf(prog)
	if s.Cover && !s.Trace {
		m.Cover(own(prog, library))
	}
	if s.Trace {
		m.Trace()
	}
	sys := &System{observer: watcher, settings: s, library: library, world: p.World, folder: folderOf(s), joined: p.joined}
	if watcher != nil {
		watcher.sys = sys
	}
	reduction := p.reduction
	if reduction == nil {
		reduction = newReduction(s.Known.Guesses)
	}
	sys.reduction = reduction
	sys.m = drive.New(m, drive.Options{
		Operations: watcher.operations(),
		Exact:      s.Exact,
		Quiet:      quiet,
		Late:       s.Late,
		Ticks:      s.Ticks,
		Fuel:       s.Fuel,
		MapOrder:   s.MapOrder,
		Random:     s.Random,
		Choose:     s.Choose,
		Pool:       s.Pool,
		Access:     s.Access,
		NoBlocks:   !s.Properties.On(Race) && !s.Properties.On(Fatal) && watcher == nil,
		MapBlocks:  !s.Properties.On(Race) && watcher == nil,
		Births:     (p.World != nil || p.joined) && !s.Known.Views.Unnamed || watcher != nil && watcher.names,
		Joined:     p.joined,
		Process:    p.number,
		Ends:       native.Ends,
		Notice:     reduction.noticer(),
		Views:      s.views(),
		Stop:       s.Stop,
		Notes:      s.Notes,
		Public:     p.Public && !p.joined,
		Test:       s.made != "",
		Attended:   p.World != nil || p.joined,
		Listener:   watcher.listener(),
	})
	stop := sys.prepare()
	sys.m.Start()
	stop()
	if p.joined {
		sys.m.Rewinds(keyless{m.Rewind}) // the group tells of the kernels
	} else {
		sys.m.Rewinds(m.Rewind.(rewinder).rebase())
	}
	sys.first = sys.stepFindings(nil)
	sys.firstRaces = slices.Clone(sys.m.Races())
	if watcher != nil {
		watcher.first, watcher.list = watcher.list, nil
	}
	sys.start, sys.atStart = sys.m.Mark(), true
	return sys, nil
}

// views returns how states are looked at. Whoever says otherwise, an end that is no finding is a step of its own.
func (s *Settings) views() drive.Views {
	v := s.Known.Views
	v.Ends = v.Ends || s.Properties.Survives()
	return v
}

// Found returns what turned out about guesses and views, nil if nothing did.
func (s *System) Found() *Found {
	return newFound(s.reduction.found, s.m.Unfit(), s.m.Met().Has(drive.MetLate))
}

// Traced appends the numbers of the functions that were executed since the last call,
// or since the program was started. Settings.Trace must be on.
func (s *System) Traced(dst []uint32) []uint32 { return s.m.Traced(dst) }

// Standing appends the numbers of the functions that goroutines are in the middle of.
func (s *System) Standing(dst []uint32) []uint32 { return s.m.Standing(dst) }

// Outside reports whether the program has looked at files of the host since it was
// started, in any state.
func (s *System) Outside() bool { return s.m.Host.(*kernel.Kernel).Door().(*watchedDoor).looked }

// Close returns the system's memory to the host.
func (s *System) Close() error { return s.m.Close() }

// Machine returns the machine under the system.
func (s *System) Machine() *drive.Machine { return s.m }

// Reset goes to the initial state.
func (s *System) Reset() {
	s.m.Restore(s.start)
	s.atStart = true
	s.story.reset()
	s.variables.forget()
	s.things.forget()
}

// A step is a goroutine, or the clock, and an alternative.
func stepOf(who, alt int) lts.Step        { return lts.Step(who<<16 | alt) }
func splitStep(s lts.Step) (who, alt int) { return int(s >> 16), int(s & 0xffff) }

// Enabled appends the steps that can be taken: goroutines in the order of their
// names, then the clock.
func (s *System) Enabled(dst []lts.Step) []lts.Step {
	steps := s.m.Steps()
	dst = slices.Grow(dst, len(steps)) // there may be very many
	for _, st := range steps {
		dst = append(dst, stepOf(st.Who, st.Alt))
	}
	return dst
}

// Take takes a step. Where the program has ended none is left to take: a path that
// was gone before may end early if a peer fails that did not then.
func (s *System) Take(step lts.Step) lts.Label {
	if s.m.Exit() != nil {
		return 0
	}
	who, alt := splitStep(step)
	l := s.label(who, alt)
	s.atStart = false
	if s.observer != nil {
		s.observer.list = s.observer.list[:0]
	}
	if s.acts {
		s.m.NoteActs(true)
		defer s.m.NoteActs(false)
	}
	s.m.TakeStep(who, alt)
	return l
}

// Save marks the current state.
func (s *System) Save() lts.Mark { return lts.Mark(s.m.Mark()) }

// Restore goes back to a mark.
func (s *System) Restore(m lts.Mark) {
	s.m.Restore(vm.Mark(m))
	s.atStart = false
}

// AppendKey appends the canonical encoding of the state.
func (s *System) AppendKey(dst []byte) []byte { return s.m.AppendKey(dst) }

// AppendNextKey appends the key of the state that a step leads to, if that is
// known. Where it is noted what steps execute, each has to be taken.
func (s *System) AppendNextKey(dst []byte, step lts.Step) ([]byte, bool) {
	if s.settings.Trace {
		return dst, false
	}
	who, alt := splitStep(step)
	return s.m.AppendNextKey(dst, who, alt)
}

// NextLabel returns the label of a step that has not been taken.
func (s *System) NextLabel(step lts.Step) lts.Label { return s.label(splitStep(step)) }

const clockLabel lts.Label = 1 << 63

// label is the place of the operation of a step.
func (s *System) label(who, alt int) lts.Label {
	if who == drive.ClockStep {
		return clockLabel
	}
	fn, pc := s.m.PlaceOf(who)
	return lts.Label(fn)<<36 | lts.Label(pc&0xffffff)<<12 | lts.Label(alt&0xfff)
}

// LabelText names a label by function and line.
func (s *System) LabelText(l lts.Label) string {
	if l&clockLabel != 0 {
		return "clock"
	}
	f := &s.m.Prog.Funcs[l>>36]
	line := vm.LineAt(f, int(l>>12&0xffffff))
	text := fmt.Sprintf("%s:%d", f.Name, line.Line)
	if alt := l & 0xfff; alt > 0 {
		text += fmt.Sprintf("/%d", alt)
	}
	return text
}

// Actor returns the goroutine of a step.
func (s *System) Actor(step lts.Step) int {
	who, _ := splitStep(step)
	return who
}

// Mover returns who moved last.
func (s *System) Mover() int { return s.m.Mover() }

// InLibrary reports whether a goroutine stands in the standard library.
func (s *System) InLibrary(who int) bool { return s.m.InLibrary(who) }

// Individual returns the number of a step's goroutine, 0 for the clock.
func (s *System) Individual(step lts.Step) (who uint64, outside bool) {
	i, _ := splitStep(step)
	return individual(s.m, i)
}

// individual returns the number of the i-th goroutine of a machine.
func individual(m *drive.Machine, i int) (who uint64, outside bool) {
	if i == drive.ClockStep {
		return 0, true
	}
	return uint64(m.Goroutines()[i].ID), false
}

// Work returns how much was executed.
func (s *System) Work() int64 { return s.m.Work() }

// Final reports that nothing more is expected: deadlocks and leaks are findings
// of CheckState.
func (s *System) Final() bool { return true }

// Beyond returns why the program cannot be followed.
func (s *System) Beyond() error {
	if e := s.m.Exit(); e != nil && e.Kind == vm.ExitUnsupported {
		return s.world.met(e)
	}
	return s.unmet()
}

// Still reports whether nothing can happen any more: the program has ended, or all of its goroutines wait for good. That it was
// told to stop, or that an assumption does not hold, is something else.
func (s *System) Still() bool {
	return len(s.m.Steps()) == 0 && !s.m.Pruned() && !s.m.Halted() && s.Beyond() == nil
}

// unmet returns whom the program waits for if nothing else can happen: somebody outside, of whom there
// is none.
func (s *System) unmet() error {
	if s.m.Exit() != nil || s.m.Pruned() || len(s.m.Steps()) > 0 {
		return nil
	}
	g := s.m.Unmet()
	if g == nil {
		return nil
	}
	return fmt.Errorf("%v: %s waits for somebody outside (%s), and nobody comes: name a client with -client, or check both together, heddle check SERVER CLIENT; with -alone nobody ever comes", s.position(g), s.m.EntryName(g), s.waitsFor(g))
}

// Met returns whom the program has met, in whatever states it was in. It is nil of a test, of which nothing else
// is expected.
func (s *System) Met() *kernel.Met {
	if k := s.kernel(); k != nil && k.Public {
		return k.Met()
	}
	return nil
}

// MetThings returns what the program has met that bounds are about, in whatever states it was in.
func (s *System) MetThings() drive.Met {
	met := s.m.Met()
	if k := s.kernel(); k != nil && k.Met().Drew() {
		met |= drive.MetRandom
	}
	if k := s.kernel(); k != nil && k.Met().System() {
		met |= drive.MetSystem
	}
	if k := s.kernel(); k != nil && k.Met().Datagrams() {
		met |= drive.MetDatagrams
	}
	if k := s.kernel(); k != nil && s.joined && k.Met().Wrote() {
		met |= drive.MetFiles
	}
	return met
}

// Outcomes returns how runs of the program have gone, in its own words, in whatever states it was in.
func (s *System) Outcomes() map[string]bool { return s.m.Outcomes() }

// Asked reports whether the program has asked for signals in some state, and whether for all there are.
func (s *System) Asked() (some, all bool) {
	if k := s.kernel(); k != nil {
		return k.Met().Asked()
	}
	return false, false
}

// inLibrary reports whether a file belongs to the standard library, which is
// where users do not look for their faults.
func (s *System) inLibrary(file string) bool { return inLibrary(file, s.library) }

func inLibrary(file, library string) bool {
	return library != "" && strings.HasPrefix(file, library) || strings.Contains(file, "/golang.org/x/sys@")
}

// foundation are the packages of the standard library whose names say less of
// what is done than those of their callers.
var foundation = map[string]bool{
	"sync": true, "sync/atomic": true, "runtime": true, "syscall": true, "net": true, "os": true, "io": true, "bufio": true,
}

// inFoundation reports whether a file belongs to one of those packages, or to one
// that is internal to the standard library.
func (s *System) inFoundation(file string) bool {
	if !s.inLibrary(file) {
		return false
	}
	pkg := path.Dir(strings.TrimPrefix(file, s.library))
	return foundation[pkg] || strings.HasPrefix(pkg, "internal/") || strings.HasPrefix(pkg, "runtime/")
}

// libraryOf returns the folder of the standard library that a program was
// compiled with.
func libraryOf(prog *bytecode.Program) string {
	for _, f := range prog.Files {
		if i := strings.Index(f, "/src/runtime/"); i >= 0 {
			return f[:i+len("/src/")]
		}
	}
	return ""
}

// Reduced appends steps that are enough to follow.
func (s *System) Reduced(dst []lts.Step) []lts.Step {
	s.alone[0] = s.m
	steps := s.reduction.reduced(s.alone[:])
	dst = slices.Grow(dst, len(steps)) // there may be very many
	for _, st := range steps {
		dst = append(dst, stepOf(st.Who, st.Alt))
	}
	return dst
}

// Held reports whether time stands still here only because somebody can run.
func (s *System) Held() bool { return s.m.Held() }

// Runners returns who can run, by the functions that they were started with.
func (s *System) Runners() uint64 { return s.m.Runners() }

// Moved returns who has moved in the last step.
func (s *System) Moved() uint64 { return s.m.Moved() }

// Circles is told that time can stand still forever so.
func (s *System) Circles() { s.m.Circles() }

// Halted reports whether the system has given up in the middle of a step: see Settings.Stop.
func (s *System) Halted() bool { return s.m.Halted() }
