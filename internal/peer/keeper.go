//go:build linux

package peer

import (
	"encoding/json"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/fork"
	"github.com/heddle-mc/heddle/internal/intercept"
)

// The keeper is a process between Heddle and its peers: Heddle's own binary,
// started once more. It launches peers and is the subreaper of everything below
// them, so that no process can leave its tree. It has one socket to Heddle. When
// that is at its end, whatever has ended Heddle, the keeper kills the tree.
//
//	heddle ──socket──► keeper ──► sh -c CMD ──► ...
//	                          └─► sh -c CMD ──► ...
const keeperName = "heddle-peer-keeper"

// An order is what Heddle wants of the keeper. The file of a start, which goes
// with it, becomes the standard output of the peer.
type order struct {
	Kill bool     `json:",omitempty"` // else start
	ID   int      // of the run
	Path string   `json:",omitempty"`
	Argv []string `json:",omitempty"`
	Env  []string `json:",omitempty"`
	Dir  string   `json:",omitempty"`

	Fixed bool `json:",omitempty"` // it is to repeat itself

	Freeze bool `json:",omitempty"` // make a template of the run
	Copy   int  `json:",omitempty"` // instead of a command: start the run as a copy of this one, which is frozen
}

// A notice is what the keeper has to say of a run.
type notice struct {
	Kind   noticeKind
	ID     int
	PID    int    `json:",omitempty"` // of started
	Status int    `json:",omitempty"` // of exited, as wait(2) has it
	Err    string `json:",omitempty"` // of failed, and of killed if something is left
}

type noticeKind uint8

const (
	started noticeKind = iota + 1
	failed             // not started
	exited             // the process that was started has ended; others may be left
	killed             // no process of the run is left
	over               // no process of any run is left, and the keeper ends
	frozen             // it is a template, or why it is none
	watches            // calls of what is launched are watched, or why not; with the descriptor to listen at
)

// init makes a keeper of a process that was started as one. This happens here,
// and not in main, so that every binary with this package can be a keeper,
// tests included.
func init() {
	if len(os.Args) == 1 && os.Args[0] == keeperName && os.Getenv("HEDDLE_KEEPER") == "1" {
		// A peer gets SIGKILL when the thread that launched it ends. That must
		// not happen before the process ends, so all are launched by the first thread. It does nothing
		// else: its calls are watched, too, and fail when Heddle is gone.
		runtime.LockOSThread()
		unix.CloseOnExec(keeperSocket)
		if text := os.Getenv("HEDDLE_WATCH"); text != "" {
			var what watching
			json.Unmarshal([]byte(text), &what)
			watchPeers(keeperSocket, what)
		}
		// Peers inherit this: a thread that sleeps for 20 µs is back after little more,
		// instead of 70, and is waited for so much shorter.
		unix.Prctl(unix.PR_SET_TIMERSLACK, 1, 0, 0, 0)
		launches := make(chan func())
		go func() {
			keep(keeperSocket, launches)
			os.Exit(0)
		}()
		for launch := range launches {
			launch()
		}
	}
}

// keeperSocket is the descriptor of the keeper's socket.
const keeperSocket = 3

// maxOrder bounds an order: the environment is most of it.
const maxOrder = 192 << 10

type keeping struct {
	sock int
	runs map[int]int // root process by run
	ids  map[int]int // and back

	templates map[int]*fork.Template // by run

	children <-chan os.Signal // tells that a child has ended
	launches chan<- func()    // done by the first thread
}

func keep(sock int, launches chan<- func()) {
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		os.Exit(1)
	}
	// Signals that are meant for Heddle must not end the keeper first.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	k := &keeping{sock: sock, runs: make(map[int]int), ids: make(map[int]int), templates: make(map[int]*fork.Template), children: children, launches: launches}
	type packet struct {
		order order
		out   int
		err   error
	}
	orders := make(chan packet)
	go func() {
		for {
			o, out, err := receive(sock)
			orders <- packet{o, out, err}
			if err != nil {
				return
			}
		}
	}()
	for {
		select {
		case p := <-orders:
			switch {
			case p.err != nil:
				k.killAll()
				k.tell(notice{Kind: over})
				return
			case p.order.Kill:
				k.kill(p.order.ID)
			case p.order.Freeze:
				k.freeze(p.order.ID)
			case p.order.Copy != 0:
				k.copy(&p.order)
			default:
				k.start(&p.order, p.out)
			}
		case <-children:
			k.reap()
		}
	}
}

// watchPeers has calls of all peers watched, and of this thread, too: so the descriptor is sent by
// another one.
func watchPeers(sock int, what watching) {
	listener, err := intercept.Install(what.wants())
	n, rights := notice{Kind: watches}, []byte(nil)
	if err != nil {
		n.Err = err.Error()
	} else {
		rights = unix.UnixRights(listener)
	}
	go func() {
		data, _ := json.Marshal(n)
		unix.Sendmsg(sock, data, rights, nil, unix.MSG_NOSIGNAL)
		if err == nil {
			unix.Close(listener) // when Heddle is gone, nobody waits for it
		}
	}()
}

// receive reads an order and the file that goes with it. An error means that
// Heddle is gone.
func receive(sock int) (o order, out int, err error) {
	buf, oob := make([]byte, maxOrder), make([]byte, 64)
	var n, m int
	for {
		if n, m, _, _, err = unix.Recvmsg(sock, buf, oob, unix.MSG_CMSG_CLOEXEC); err != unix.EINTR {
			break
		}
	}
	if err != nil {
		return o, -1, err
	}
	if n == 0 {
		return o, -1, unix.EPIPE
	}
	out = -1
	if messages, err := unix.ParseSocketControlMessage(oob[:m]); err == nil && len(messages) == 1 {
		if fds, err := unix.ParseUnixRights(&messages[0]); err == nil && len(fds) == 1 {
			out = fds[0]
		}
	}
	return o, out, json.Unmarshal(buf[:n], &o)
}

// tell sends a notice. If Heddle is gone, the next order says so.
func (k *keeping) tell(n notice) {
	data, _ := json.Marshal(n)
	unix.Sendmsg(k.sock, data, nil, nil, unix.MSG_NOSIGNAL)
}

// start launches a peer, as the leader of a session of its own.
func (k *keeping) start(o *order, out int) {
	defer unix.Close(out)
	null, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		k.tell(notice{Kind: failed, ID: o.ID, Err: "/dev/null: " + err.Error()})
		return
	}
	defer unix.Close(null)
	var pid int
	k.onFirstThread(func() {
		if o.Fixed {
			defer steady(o.ID)()
		}
		pid, err = syscall.ForkExec(o.Path, o.Argv, &syscall.ProcAttr{
			Dir: o.Dir, Env: o.Env, Files: []uintptr{uintptr(null), uintptr(out), uintptr(out)},
			Sys: &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL},
		})
	})
	if err != nil {
		k.tell(notice{Kind: failed, ID: o.ID, Err: o.Path + ": " + err.Error()})
		return
	}
	k.runs[o.ID], k.ids[pid] = pid, o.ID
	k.tell(notice{Kind: started, ID: o.ID, PID: pid})
}

// How the kernel gives the processor to threads. With batch, a thread that wakes another one goes on itself, and the other
// one comes later.
const (
	normal = 0 // SCHED_OTHER
	batch  = 3 // SCHED_BATCH
)

// schedule chooses for the calling thread.
func schedule(policy uint32) {
	unix.SchedSetAttr(0, &unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: policy}, 0)
}

// freeze makes a template of a run of one process.
func (k *keeping) freeze(id int) {
	n := notice{Kind: frozen, ID: id}
	k.onFirstThread(func() {
		t, err := fork.Freeze(k.runs[id])
		if k.templates[id] = t; err != nil {
			n.Err = err.Error()
		}
	})
	k.tell(n)
}

// copy starts a run as a copy of another.
func (k *keeping) copy(o *order) {
	var pid int
	err := error(unix.ESRCH)
	k.onFirstThread(func() {
		if t := k.templates[o.Copy]; t != nil {
			pid, err = t.Copy()
		}
	})
	if err != nil {
		k.tell(notice{Kind: failed, ID: o.ID, Err: err.Error()})
		return
	}
	k.runs[o.ID], k.ids[pid] = pid, o.ID
	k.tell(notice{Kind: started, ID: o.ID, PID: pid})
}

// onFirstThread has something done by the thread that is the parent of all peers.
func (k *keeping) onFirstThread(f func()) {
	done := make(chan struct{})
	k.launches <- func() {
		defer close(done)
		f()
	}
	<-done
}

// steady changes what the calling thread hands on to those that it launches, so that they do the same in each
// run: they have one processor, on which their threads take turns in the same way more often, and their
// memory is always at the same addresses. It returns how to go back.
func steady(n int) (restore func()) {
	const query, noRandomAddresses = 0xffffffff, 0x0040000 // ADDR_NO_RANDOMIZE
	var before, one unix.CPUSet
	unix.SchedGetaffinity(0, &before)
	for cpu, left := 0, n%max(before.Count(), 1); cpu < 8*len(before)*8; cpu++ {
		if before.IsSet(cpu) {
			if left--; left < 0 {
				one.Set(cpu)
				break
			}
		}
	}
	unix.SchedSetaffinity(0, &one)
	schedule(batch)
	was, _, _ := unix.RawSyscall(unix.SYS_PERSONALITY, query, 0, 0)
	unix.RawSyscall(unix.SYS_PERSONALITY, was|noRandomAddresses, 0, 0)
	return func() {
		unix.RawSyscall(unix.SYS_PERSONALITY, was, 0, 0)
		schedule(normal)
		unix.SchedSetaffinity(0, &before)
	}
}

// reap takes the status of all children that have ended. It reports whether there
// are no others.
func (k *keeping) reap() (none bool) {
	for {
		var status unix.WaitStatus
		pid, err := unix.Wait4(-1, &status, unix.WNOHANG, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil || pid <= 0 {
			return err == unix.ECHILD
		}
		if id, ok := k.ids[pid]; ok && !status.Stopped() {
			delete(k.ids, pid)
			k.tell(notice{Kind: exited, ID: id, Status: int(status)})
		}
	}
}

// killLimit is how long a process may take to die of SIGKILL.
const killLimit = 5 * time.Second

// kill ends all processes of a run.
func (k *keeping) kill(id int) {
	root := k.runs[id]
	delete(k.runs, id)
	delete(k.templates, id)
	err := k.killUntilNone(func() []int {
		_, running := k.ids[root]
		return processes(roots(os.Getpid(), root, !running, runToken(id)))
	})
	k.tell(notice{Kind: killed, ID: id, Err: err})
}

// killAll ends everything below the keeper: first the sessions that it knows of, then
// what is left. What has lost its parent is a child of the keeper, so when there is no
// child, there is nothing.
func (k *keeping) killAll() {
	for pid := range k.ids {
		unix.Kill(-pid, unix.SIGKILL)
	}
	for end := time.Now().Add(3 * time.Millisecond); time.Now().Before(end); {
		if k.reap() {
			return
		}
		k.childEnds(time.Millisecond)
	}
	k.killUntilNone(func() []int { return descendants(os.Getpid()) })
}

// killUntilNone kills what is found until nothing is, twice in a row: while some processes
// end, the lists of children in /proc may leave others out.
func (k *keeping) killUntilNone(find func() []int) string {
	end := time.Now().Add(killLimit)
	none := 0
	for pause := 100 * time.Microsecond; ; pause = min(2*pause, 10*time.Millisecond) {
		pids := find()
		for _, pid := range pids {
			unix.Kill(pid, unix.SIGKILL)
		}
		if len(pids) > 0 {
			none = 0
		} else {
			none++
		}
		if k.reap() || none == 2 {
			return ""
		}
		if time.Now().After(end) {
			return "a process does not end after SIGKILL"
		}
		k.childEnds(pause)
	}
}

// childEnds waits until a child ends, but not longer than d.
func (k *keeping) childEnds(d time.Duration) {
	select {
	case <-k.children:
	case <-time.After(d):
	}
}
