package execute

import (
	"bytes"
	"io"
	"os"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A Process is what a program is started with.
type Process struct {
	Args   []string // os.Args
	Env    []string // nil means os.Environ()
	Dir    string   // working directory, "" for the current one
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer

	Seed     uint64 // of the schedule, of map order and of math/rand; 0 is the plain one
	MemLimit uint64 // bytes of heap, 0 for the default
	Isolated bool   // what the program does to files stays in the machine's state

	World  *World // whom the program can talk to, nil for nobody
	Public bool   // others may want to talk to it, or it to others: it is no test

	// Server says that it is there for others in its group: nobody but them wants anything of it, so it gets no signals.
	Server bool
	// Servers are, for a group, the arguments of its first members, which are servers.
	Servers [][]string

	faults  sockets.Faults    // see Settings
	delays  sockets.Delays    // the same
	partial bool              // the same
	signals int               // the same
	hosts   sockets.Hosts     // the same
	number  int               // among the processes of a group
	kind    int               // the number of the first one that is alike
	beside  *kernel.Kernel    // of the first process of the group, nil for none
	joined  bool              // it is one of a group
	udp     datagram.Settings // the same

	observer  *observer  // see Settings.Observe
	reduction *reduction // of the group that it belongs to
}

// Start makes a machine that is about to run prog.
func Start(prog *bytecode.Program, p Process) (*vm.Machine, error) {
	opt := kernel.HostOptions()
	opt.Through = !p.Isolated
	opt.Args = p.Args
	opt.Seed = p.Seed
	opt.Executable = "/tmp/go-build/exe/" + prog.Path
	if p.Env != nil {
		opt.Env = p.Env
	}
	if p.Dir != "" {
		opt.Dir = host.FromHost(p.Dir)
	} else if dir, err := os.Getwd(); err == nil {
		opt.Dir = host.FromHost(dir)
	}
	var m *vm.Machine
	opt.Now = func() int64 { return native.WallClock(m) }
	opt.File = func() int64 { return native.FileTime(m) }
	opt.Mono = func() int64 { return m.Now() }
	if p.World != nil {
		opt.Outside = p.World.outside()
	}
	opt.Hosts = p.hosts
	opt.Process, opt.Kind, opt.Faults, opt.Delays, opt.Partial, opt.Network = p.number, p.kind, p.faults, p.delays, p.partial, p.udp
	opt.Public = p.Public
	opt.Names = p.World != nil || p.joined || p.observer != nil && p.observer.names
	k := kernel.New(&watchedDoor{Real: host.Real{Stdin: p.Stdin, Stdout: p.Stdout, Stderr: p.Stderr}}, opt)
	k.Door().(*watchedDoor).looked = false // by the kernel itself
	k.LetArrive(p.signals)
	switch {
	case p.beside != nil:
		k.Join(p.beside)
	case p.joined:
		k.Join(k)
	}
	m, err := vm.New(prog, p.observer.natives(), vm.Options{
		Stdout: p.Stdout, Stderr: p.Stderr, Seed: p.Seed, MemLimit: p.MemLimit, Host: k,
	})
	if err == nil {
		m.Rewind = rewinder{k: k}
	}
	return m, err
}

// A rewinder makes the kernel go back with the machine.
type rewinder struct {
	k    *kernel.Kernel
	base int    // the kernel's position when the base was made
	key  []byte // its key there, nil if there is no base
	buf  *[]byte
}

func (r rewinder) Mark() int        { return int(r.k.Mark()) }
func (r rewinder) Restore(mark int) { r.k.Restore(undo.Mark(mark)) }

// rebase makes the current state of the kernel the one that keys do not tell.
func (r rewinder) rebase() rewinder {
	return rewinder{k: r.k, base: r.k.Position(), key: r.k.AppendKey(nil), buf: new([]byte)}
}

// AppendKey appends the kernel's part of a state's key: nothing where it is as
// in the base.
func (r rewinder) AppendKey(dst []byte) []byte {
	if r.k.Position() == r.base {
		return dst
	}
	*r.buf = r.k.AppendKey((*r.buf)[:0])
	if bytes.Equal(*r.buf, r.key) {
		return dst
	}
	return append(dst, *r.buf...)
}

// Run runs prog to its end under one schedule, and prints what Go prints of a
// panic or a fatal error. That something is not supported is left to the caller
// to say.
func Run(prog *bytecode.Program, p Process) (*vm.Exit, error) {
	m, err := Start(prog, p)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	exit := m.Run()
	if exit.Kind != vm.ExitUnsupported && exit.Text != "" && p.Stderr != nil {
		io.WriteString(p.Stderr, exit.Text)
	}
	return exit, nil
}
