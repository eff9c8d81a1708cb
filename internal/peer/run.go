//go:build linux

package peer

import (
	"errors"
	"fmt"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A run is one launch of the command of a peer: its processes, the addresses
// that it was told, and the socket at which we listen for it.
type run struct {
	g       *Group
	spec    *Spec
	number  int // of the run among those of the peer, from 1
	id      int // for the keeper
	pid     int
	addr    addressing
	door    *door          // at which it can reach the program, or nil
	real    netip.AddrPort // of a server: where it listens
	udpDoor *door          // at which it sends datagrams to the program, or nil
	realUDP netip.AddrPort // of a server: where it receives datagrams
	out     *output
	roster  roster
	first   []int // the ports that it had when it was ready
	ready   bool  // it listens; Group.mu guards it
	copied  bool  // it was started as a copy of another run, with which it shares its output
	used    bool  // it was connected to, in the name of one of several histories; Group.mu guards it

	mu     sync.Mutex
	status *unix.WaitStatus // of the process that was started, once it has ended
	froze  chan string      // tells whether it is a template, and else why not
	end    chan struct{}    // closed when status is known, or the keeper is gone
	gone   chan struct{}    // closed when no process is left, or the keeper is gone
	stop   sync.Once
}

// launch starts the command of a peer.
func (g *Group) launch(spec *Spec) (*run, error) { return g.launchFor(spec, g.add) }

// launchFor starts the command of a peer, and notes that it did. If somebody takes the port that a server
// was told to listen at before it does, it is started once more with another.
func (g *Group) launchFor(spec *Spec, note func(*run)) (*run, error) {
	const tries = 3
	for try := 1; ; try++ {
		r, err := g.launchOnce(spec, note)
		if err != nil || spec.Role == Client {
			return r, err
		}
		err = r.awaitListening()
		if err == nil {
			r.rest()
			g.fixer.Calm(r.id)
			r.first = r.openPorts()
			g.mu.Lock()
			r.ready = true
			g.mu.Unlock()
			r.enlist()
			return r, nil
		}
		r.close()
		var died *Died
		if try == tries || !errors.As(err, &died) || !r.lostPort() {
			return nil, err
		}
	}
}

func (g *Group) launchOnce(spec *Spec, note func(*run)) (_ *run, err error) {
	r := &run{g: g, spec: spec, froze: make(chan string, 1), end: make(chan struct{}), gone: make(chan struct{})}
	ports, err := spec.ports()
	if err != nil {
		return nil, err
	}
	if len(ports.program) > 0 {
		if r.door, err = g.takeDoor(spec.Name); err != nil {
			return nil, err
		}
		r.addr.program = r.door.addr
	}
	if len(ports.udp) > 0 && spec.Role == Client {
		if r.udpDoor, err = g.takeUDPDoor(spec.Name); err != nil {
			return nil, err
		}
		r.addr.udp = r.udpDoor.addr
	}
	defer func() {
		if err != nil {
			r.givePath()
			g.giveDoor(r.door)
			g.giveDoor(r.udpDoor)
		}
	}()
	if ports.unix != "" {
		if err = r.takePath(ports.unix); err != nil {
			return nil, err
		}
	}
	if spec.Role == Server && spec.streams() {
		if r.addr.listen, err = freePort(); err != nil {
			return nil, err
		}
	}
	if spec.Role == Server && len(ports.udp) > 0 {
		if r.addr.udp, err = freeUDPPort(); err != nil {
			return nil, err
		}
	}
	dir, path, err := spec.place()
	if err != nil {
		return nil, err
	}
	argv := []string{"sh", "-c", direct(r.addr.fill(spec, spec.Command))}
	if len(spec.Args) > 0 {
		argv = nil
		for _, a := range spec.Args {
			argv = append(argv, r.addr.fill(spec, a))
		}
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	var notices <-chan notice
	r.id, notices, err = g.keeper.start(path, argv, mergeEnv(os.Environ(), r.addr.env(spec)), dir, writer, spec)
	if err != nil {
		reader.Close()
		return nil, err
	}
	r.out = capture(reader)
	n, ok := <-notices
	switch {
	case !ok:
		return nil, errKeeper
	case n.Kind == failed:
		return nil, fmt.Errorf("%s: %s", spec.Name, n.Err)
	}
	r.pid = n.PID
	go r.follow(notices)
	note(r)
	return r, nil
}

// direct returns a command for sh -c that does the same as another, without a shell that waits for its end if that is one simple
// command. Not all shells see to that themselves, and a peer of one process can be looked at and copied sooner.
func direct(command string) string {
	first, _, _ := strings.Cut(strings.TrimSpace(command), " ")
	word := strings.Trim(first, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./-") == ""
	keywords := []string{"if", "while", "until", "for", "case", "exec", "eval", "source", "set", "cd", "export", "trap", "ulimit", "umask", "unset", "wait", "time", "."}
	if !word || first == "" || strings.ContainsAny(command, ";&|()`\n\\") || slices.Contains(keywords, first) {
		return command
	}
	return "exec " + command
}

// lostPort reports whether somebody else has a port that the run was told to take.
func (r *run) lostPort() bool {
	return r.addr.listen.IsValid() && taken(r.addr.listen) || r.addr.udp.IsValid() && takenUDP(r.addr.udp)
}

// mergeEnv returns an environment in which later settings replace earlier ones.
func mergeEnv(lists ...[]string) []string {
	var env []string
	at := make(map[string]int)
	for _, e := range slices.Concat(lists...) {
		key, _, _ := strings.Cut(e, "=")
		if i, ok := at[key]; ok {
			env[i] = e
			continue
		}
		at[key] = len(env)
		env = append(env, e)
	}
	return env
}

var (
	errKeeper  = errors.New("the keeper of peers has died")
	errLeaving = errors.New("peers are not needed any more")
)

// follow hears what becomes of a run.
func (r *run) follow(notices <-chan notice) {
	ended := false
	for n := range notices {
		switch n.Kind {
		case exited:
			status := unix.WaitStatus(n.Status)
			r.mu.Lock()
			r.status = &status
			r.mu.Unlock()
			close(r.end)
			ended = true
		case frozen:
			r.froze <- n.Err
		case killed:
			if n.Err != "" {
				r.g.note("%s: %s", r.spec.Name, n.Err)
			}
			if !ended {
				close(r.end)
			}
			close(r.gone)
			return
		}
	}
	if !ended {
		close(r.end)
	}
	close(r.gone)
}

// exit returns the status of the process that was started, or nil.
func (r *run) exit() *unix.WaitStatus {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.status
}

// ending returns the status of the process that was started, nil if it is not known to have ended. The end is looked at first:
// the status is there before it.
func (r *run) ending() (*unix.WaitStatus, error) {
	select {
	case <-r.end:
	default:
		return nil, nil
	}
	if s := r.exit(); s != nil {
		return s, nil
	}
	return nil, errKeeper
}

// members returns the processes of the run that there are.
func (r *run) members() []int { return processes(r.roots()) }

func (r *run) roots() []int {
	return roots(r.g.keeper.cmd.Process.Pid, r.pid, r.exit() != nil, runToken(r.id))
}

// dead reports whether all processes of the run have ended. A look may miss one whose parent ends just
// then, or that has no memory at the moment, as those of a server do that becomes a daemon. So one look is not enough, and as
// long as somebody holds the pipe that all of them began with, somebody is there.
func (r *run) dead() bool {
	if r.exit() == nil || r.lives() {
		return false
	}
	const pause, limit = time.Millisecond, time.Second
	for start, looks := time.Now(), 1; ; looks++ {
		select {
		case <-r.silent():
			if looks > 2 {
				return true
			}
			time.Sleep(pause)
		case <-time.After(pause):
			if time.Since(start) > limit {
				return true // who holds the pipe is none of us
			}
		}
		if r.lives() {
			return false
		}
	}
}

// silent returns a channel that is closed when nobody can write to the output of the run. That of a copy is also the
// output of the template, so nobody knows.
func (r *run) silent() <-chan struct{} {
	if r.copied {
		return r.end
	}
	return r.out.ended
}

// lives reports whether a look finds a process of the run, or one that may be of it.
func (r *run) lives() bool {
	keeper := r.g.keeper.cmd.Process.Pid
	return len(r.members()) > 0 || slices.ContainsFunc(childrenOf(keeper, keeper), between)
}

// awaitListening waits until a server listens: where it was told to, or, if its
// command does not mention that, anywhere.
func (r *run) awaitListening() error {
	told, _ := r.spec.ports()
	if told.unix != "" {
		return r.awaitPath()
	}
	limit := time.Now().Add(r.spec.Ready)
	for pause := 200 * time.Microsecond; ; pause = min(2*pause, 2*time.Millisecond) {
		var list []netip.AddrPort
		if len(told.peer) == 0 || r.g.mayListen(r.addr.listen.Port()) {
			var err error
			if list, err = r.g.listening(r.members()); err != nil {
				return fmt.Errorf("%s: where the peer listens cannot be seen: %w", r.spec.Name, err)
			}
		}
		want := r.addr.listen
		udp := !r.addr.udp.IsValid()
		if !udp {
			bound, err := r.g.boundUDP(r.members())
			if err != nil {
				return fmt.Errorf("%s: where the peer receives cannot be seen: %w", r.spec.Name, err)
			}
			if i := slices.IndexFunc(bound, func(a netip.AddrPort) bool { return a.Port() == r.addr.udp.Port() }); i >= 0 {
				udp, r.realUDP = true, reachable(bound[i])
			} else {
				list, want = bound, r.addr.udp
			}
			if udp && !r.spec.streams() {
				return nil
			}
		}
		i := slices.IndexFunc(list, func(a netip.AddrPort) bool { return a.Port() == r.addr.listen.Port() })
		if i < 0 && len(told.peer) == 0 && len(list) > 0 {
			i = 0
		}
		if i >= 0 && udp {
			r.real = reachable(list[i])
			return nil
		}
		err := r.stillStarting(limit, func() string {
			if want == r.addr.listen {
				list, _ = r.g.listening(r.members()) // elsewhere
			}
			return listens(list, want)
		})
		if err != nil {
			return err
		}
		time.Sleep(pause)
	}
}

// stillStarting returns why a server is not waited for any longer, nil if it may still begin to listen. Doing says what it does instead.
func (r *run) stillStarting(limit time.Time, doing func() string) error {
	switch {
	case r.dead():
		return r.died("before it listened", Talk{})
	case r.g.leaving():
		return errLeaving
	case time.Now().After(limit):
		return &Hung{Peer: r.spec.Name, Limit: r.spec.Ready, Waiting: "listening", Doing: doing(), Output: r.out.String()}
	}
	_, err := r.ending()
	return err
}

// restTime bounds how long a server that listens may go on by itself.
const restTime = 2 * time.Second

// rest waits until a server that listens has nothing to do by itself. Some listen before they are ready, as postgres does while it
// looks at its files, and answer whoever comes too early otherwise. A server that never rests is used as it is,
// and its next runs are not waited for.
func (r *run) rest() {
	h := r.g.habits[r.spec.Name]
	if r.spec.Delay > 0 || r.g.blind(r.spec) > 0 || h.isRestless() {
		return
	}
	limit := time.Now().Add(restTime)
	for pause := 200 * time.Microsecond; time.Now().Before(limit); pause = min(2*pause, 2*time.Millisecond) {
		if r.dead() || r.g.leaving() {
			return
		}
		first, err := r.sample()
		if err != nil {
			return // what comes of that is seen when it has to answer
		}
		if _, idle := first.idle(0, h); idle {
			between := time.Now()
			if second, err := r.sample(); err != nil || first.same(second) && r.g.watch.idle() {
				r.g.asleep(second, between)
				return
			}
		}
		time.Sleep(pause)
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.restless = true
}

func listens(list []netip.AddrPort, want netip.AddrPort) string {
	if len(list) == 0 {
		return fmt.Sprintf("it listens nowhere, want %v", want)
	}
	return fmt.Sprintf("it listens at %v, want %v", list, want)
}

// died returns the error for the end of the run.
func (r *run) died(when string, talk Talk) error {
	select {
	case <-r.silent(): // no process is left that could write
	case <-time.After(time.Second): // but one that has left its tree can
	}
	return &Died{Peer: r.spec.Name, Status: r.statusText(), When: when, Talk: talk, Output: r.out.String()}
}

func (r *run) statusText() string {
	switch s := r.exit(); {
	case s == nil:
		return "running"
	case s.Signaled():
		return "signal: " + s.Signal().String()
	default:
		return fmt.Sprintf("exit status %d", s.ExitStatus())
	}
}

// close kills all processes of the run and returns when they are gone.
func (r *run) close() {
	r.stop.Do(func() {
		if r.g.keeper.kill(r.id) == nil {
			<-r.gone
		}
		if r.g.fixer != nil {
			r.g.fixer.End(r.id)
		}
		r.roster.close()
		r.givePath()
		r.g.giveDoor(r.door)
		r.g.giveDoor(r.udpDoor)
	})
}
