package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/report"
)

// MetBounds returns what limits the claim "verified" only because of what the programs of systems have done in
// some state.
func (s *Spec) MetBounds(list []lts.System) []report.Setting {
	var some, all bool
	for _, sys := range list {
		if x, ok := sys.(interface{ Asked() (some, all bool) }); ok {
			a, b := x.Asked()
			some, all = some || a, all || b
		}
	}
	met := thingsIn(list)
	bounds := s.boundsOf(met)
	if met.Has(drive.MetTurns) && s.Model.MapOrder {
		bounds = append(bounds, turnsBound)
	}
	if met.Has(drive.MetClock) {
		bounds = append(bounds, clockBound)
	}
	if met.Has(drive.MetMemory) {
		bounds = append(bounds, memoryBound)
	}
	if met.Has(drive.MetProcessors) {
		bounds = append(bounds, processorsBound)
	}
	if met.Has(drive.MetGoroutines) {
		bounds = append(bounds, goroutinesBound)
	}
	if met.Has(drive.MetNumbers) {
		bounds = append(bounds, numbersBound)
	}
	if met.Has(drive.MetFileTimes) {
		bounds = append(bounds, fileTimesBound)
	}
	if met.Has(drive.MetGlance) {
		bounds = append(bounds, glanceBound)
	}
	if met.Has(drive.MetCalls) {
		bounds = append(bounds, callsBound)
	}
	if met.Has(drive.MetDatagrams) {
		bounds = append(bounds, s.datagramBound()...)
	}
	if met.Has(drive.MetFiles) {
		bounds = append(bounds, filesBound)
	}
	if met.Has(drive.MetProfile) {
		bounds = append(bounds, profileBound)
	}
	if met.Has(drive.MetSystem) {
		bounds = append(bounds, systemBound)
	}
	if met.Has(drive.MetFinalizers) {
		bounds = append(bounds, finalizerBound)
	}
	if some {
		bounds = append(bounds, s.signalBound(all))
	}
	return bounds
}

// thingsIn returns what the programs of systems have met that bounds are about.
func thingsIn(list []lts.System) (met drive.Met) {
	for _, sys := range list {
		x, ok := sys.(interface{ MetThings() drive.Met })
		if !ok {
			return ^drive.Met(0) // it does not say
		}
		met |= x.MetThings()
	}
	return met
}

// Outcomes returns how runs of the programs of systems have gone, in their own words, in order.
func Outcomes(list []lts.System) []string {
	all := make(map[string]bool)
	for _, sys := range list {
		if x, ok := sys.(interface{ Outcomes() map[string]bool }); ok {
			maps.Copy(all, x.Outcomes())
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// boundsOf returns the bounds that are about what was met.
func (s *Spec) boundsOf(met drive.Met) []report.Setting {
	e, err := s.System()
	if err != nil {
		return nil // was asked before
	}
	return s.bounds(&e, func(x *Setting) bool { return x.Met != 0 && met.Has(x.Met) })
}

// PossibleBounds are those of a program of which it is not known what it has done; nil stands for several programs.
func (s *Spec) PossibleBounds(prog *bytecode.Program) []report.Setting {
	met := ^drive.Met(0)
	if prog != nil && !drive.OutsideLibrary(prog, "(*sync.Pool).Put") {
		met &^= drive.MetPool
	}
	bounds := s.boundsOf(met)
	if s.Model.MapOrder {
		bounds = append(bounds, turnsBound)
	}
	if prog == nil || slices.ContainsFunc(looksAtClock, func(name string) bool { return drive.OutsideLibrary(prog, name) }) {
		bounds = append(bounds, clockBound)
	}
	if prog == nil || slices.ContainsFunc(prog.Funcs, func(f bytecode.Func) bool { return slices.Contains(asksForMemory, f.Native) }) {
		bounds = append(bounds, memoryBound)
	}
	if prog == nil || drive.OutsideLibrary(prog, "runtime.NumCPU") || drive.OutsideLibrary(prog, "runtime.GOMAXPROCS") {
		bounds = append(bounds, processorsBound)
	}
	if prog == nil || drive.OutsideLibrary(prog, "runtime.NumGoroutine") {
		bounds = append(bounds, goroutinesBound)
	}
	if prog == nil || drive.OutsideLibrary(prog, "reflect.DeepEqual") && slices.ContainsFunc(prog.Funcs, func(f bytecode.Func) bool { return slices.Contains(opensFiles, f.Name) }) {
		bounds = append(bounds, fileTimesBound)
	}
	if prog == nil || drive.Glances(prog) {
		bounds = append(bounds, glanceBound)
	}
	if prog == nil || slices.ContainsFunc(prog.Funcs, func(f bytecode.Func) bool { return f.Pkg == "net" }) ||
		slices.ContainsFunc(usesDescriptors, func(name string) bool { return drive.OutsideLibrary(prog, name) }) {
		bounds = append(bounds, callsBound)
	}
	if prog == nil || slices.ContainsFunc(sendsDatagrams, func(name string) bool { return drive.OutsideLibrary(prog, name) }) {
		bounds = append(bounds, s.datagramBound()...)
	}
	if prog == nil {
		bounds = append(bounds, filesBound)
	}
	if prog == nil || drive.NumbersPointers(prog) {
		bounds = append(bounds, numbersBound)
	}
	if prog == nil || slices.ContainsFunc(prog.Funcs, func(f bytecode.Func) bool { return slices.Contains(asksForProfiles, f.Native) }) {
		bounds = append(bounds, profileBound)
	}
	if prog == nil || slices.ContainsFunc(prog.Funcs, func(f bytecode.Func) bool { return slices.Contains(opensFiles, f.Name) }) {
		bounds = append(bounds, systemBound)
	}
	if prog == nil || drive.OutsideLibrary(prog, "runtime.SetFinalizer") && drive.OutsideLibrary(prog, "runtime.GC") {
		bounds = append(bounds, finalizerBound)
	}
	if prog == nil || slices.ContainsFunc(prog.Funcs, func(f bytecode.Func) bool { return f.Native == "os/signal.signal_recv" }) {
		bounds = append(bounds, s.signalBound(true))
	}
	return bounds
}

// datagramBound is that of a program which sends datagrams, unless -udp says what may happen to them.
func (s *Spec) datagramBound() []report.Setting {
	if e, err := s.System(); err != nil || !e.UDP.Reliable() {
		return nil
	}
	return []report.Setting{{Name: "datagrams", Value: "once", Words: "each datagram arrives once and in order (-udp says what else may happen)"}}
}

// BoundWords says what limits the claim that nothing is wrong with a program, in the words of a verdict: what the systems of a search have met,
// or all that the program could meet if it is not known.
func (s *Spec) BoundWords(e *execute.Settings, prog *bytecode.Program, list []lts.System) []string {
	met := s.PossibleBounds(prog)
	if list != nil {
		met = s.MetBounds(list)
	}
	var words []string
	for _, b := range append(s.Bounds(e), met...) {
		words = append(words, b.Text())
	}
	return words
}

// turnsBound is that of a program which ranges over maps, with -maporder.
var turnsBound = report.Setting{Name: "maporder", Value: "turned", Words: "maps begin anywhere and go on in one order"}

// clockBound is that of a program which looks at the clock.
var clockBound = report.Setting{Name: "clock", Value: "virtual", Words: "one time of day, and time passes for timers alone"}

// memoryBound is that of a program which asks how much memory there is.
var memoryBound = report.Setting{Name: "memory", Value: "still", Words: "numbers of memory and collections stand still", False: true}

// processorsBound is that of a program which asks how many processors there are.
var processorsBound = report.Setting{Name: "processors", Value: "fixed", Words: "one number of processors"}

// goroutinesBound is that of one which asks how many goroutines there are.
var goroutinesBound = report.Setting{Name: "goroutines", Value: "gone", Words: "goroutines are not counted any more after their last operation"}

// numbersBound is that of one which gets pointers as numbers.
var numbersBound = report.Setting{Name: "pointers", Value: "numbered", Words: "a pointer is one of the numbers that it may be"}

// fileTimesBound is that of one which may compare what package os keeps of a file by reflection.
var fileTimesBound = report.Setting{Name: "filetimes", Value: "one", Words: "files that were changed have one time for reflect.DeepEqual"}

// glanceBound is that of one which sees what others have done without being ordered after it.
var glanceBound = report.Setting{Name: "glances", Value: "order", Words: "len, default and a TryLock that fails order what was before"}

// callsBound is that of one in which accesses are followed by a call that others see.
var callsBound = report.Setting{Name: "calls", Value: "order", Words: "to close, to connect, to send datagrams and to make files order what was before"}

// profileBound is that of a program which asks for what is not measured.
var profileBound = report.Setting{Name: "profiles", Value: "empty", Words: "profiles, traces and most metrics are empty", False: true}

// filesBound is that of several programs of which one changes files.
var filesBound = report.Setting{Name: "files", Value: "apart", Words: "no program sees the files that another one changes"}

// systemBound is that of a program which reads what the host's kernel tells of itself.
var systemBound = report.Setting{Name: "system", Value: "still", Words: "files below /proc and /sys are those of the host, and stand still", False: true}

// finalizerBound is that of a program with several finalizers to call at a time.
var finalizerBound = report.Setting{Name: "finalizers", Value: "ordered", Words: "some finalizers are called in the order in which they were set"}

// looksAtClock are the functions by which a program looks at the clock.
var looksAtClock = []string{"time.Now", "time.Since", "time.Until", "syscall.Gettimeofday", "syscall.Time"}

// opensFiles are the functions by which it opens files.
var opensFiles = []string{"os.OpenFile", "syscall.Open"}

// usesDescriptors are those of package os and others by which it may let others see something without writing it.
var usesDescriptors = []string{"os.Pipe", "os.OpenFile", "os.Create", "os.Mkdir", "os.MkdirAll", "os.WriteFile", "os.Remove", "os.Rename", "os.(*File).Close",
	"syscall.Close", "syscall.Connect", "syscall.Sendto", "syscall.Shutdown", "syscall.Open", "syscall.RawSyscall", "syscall.Syscall", "syscall.Syscall6"}

// sendsDatagrams are those by which it may get a connection that sends datagrams, or send them itself.
var sendsDatagrams = []string{"net.Dial", "net.DialTimeout", "net.(*Dialer).Dial", "net.(*Dialer).DialContext", "net.DialUDP", "net.ListenUDP", "net.ListenPacket", "net.ListenMulticastUDP",
	"net.(*ListenConfig).ListenPacket", "syscall.Sendto", "syscall.Sendmsg", "syscall.SendmsgN", "syscall.Write", "syscall.RawSyscall", "syscall.RawSyscall6", "syscall.Syscall", "syscall.Syscall6"}

// asksForMemory are the natives by which a program asks for them.
var asksForMemory = []string{"runtime.ReadMemStats", "runtime/debug.readGCStats", "runtime/metrics.runtime_readMetrics"}

// asksForProfiles are those by which it asks for what is not measured.
var asksForProfiles = []string{
	"runtime.BlockProfile", "runtime.GoroutineProfile", "runtime.MutexProfile", "runtime.SetCPUProfileRate", "runtime.ThreadCreateProfile",
	"runtime/metrics.runtime_readMetrics", "runtime/pprof.pprof_blockProfileInternal", "runtime/pprof.pprof_goroutineLeakProfileWithLabels",
	"runtime/pprof.pprof_goroutineProfileWithLabels", "runtime/pprof.pprof_mutexProfileInternal", "runtime/pprof.pprof_threadCreateInternal",
}

// signalBound is what -signals leaves out, of a program that asks for some, or for all there are.
func (s *Spec) signalBound(all bool) report.Setting {
	words := "no signals from outside"
	if n := s.Model.Signals; n > 0 {
		words = fmt.Sprintf("at most %d signals from outside", n)
		if n == 1 {
			words = "at most one signal from outside"
		}
		if all {
			words += ", of all only " + kernel.UsualSignals()
		}
	}
	if n := len(s.Program.Servers); n > 0 && s.Model.Signals > 0 {
		words += ", none to servers"
	}
	return report.Setting{Name: "signals", Value: s.Model.Signals, Words: words}
}
