//go:build linux

package peer

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// A keeper is Heddle's side of the keeper.
type keeper struct {
	cmd  *exec.Cmd
	conn *net.UnixConn

	notWatched error // why calls are not, if they were to be

	mu    sync.Mutex
	next  int
	runs  map[int]chan notice
	fixed map[int]string // names of peers that are to repeat themselves, by run
	gone  bool
	over  chan struct{} // closed when nothing is left that the keeper has launched
	ended chan struct{} // closed when the keeper has ended, too
}

// newKeeper starts a keeper. Calls of all that it launches are told at listener, which is negative if none are
// to be watched, or cannot be.
func newKeeper(watch watching) (_ *keeper, listener int, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, -1, fmt.Errorf("socketpair: %w", err)
	}
	ours, theirs := os.NewFile(uintptr(fds[0]), "keeper"), os.NewFile(uintptr(fds[1]), "keeper")
	defer ours.Close()
	defer theirs.Close()
	unix.SetsockoptInt(fds[0], unix.SOL_SOCKET, unix.SO_SNDBUF, 2*maxOrder)
	cmd := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{keeperName}, Env: []string{"HEDDLE_KEEPER=1", "GOMAXPROCS=2"},
		Dir: "/", ExtraFiles: []*os.File{theirs}, SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if watch != (watching{}) {
		text, _ := json.Marshal(watch) // bools can be written
		cmd.Env = append(cmd.Env, "HEDDLE_WATCH="+string(text))
	}
	conn, err := net.FileConn(ours)
	if err != nil {
		return nil, -1, err
	}
	if err := cmd.Start(); err != nil {
		conn.Close()
		return nil, -1, fmt.Errorf("the keeper of peers cannot be started: %w", err)
	}
	k := &keeper{cmd: cmd, conn: conn.(*net.UnixConn), runs: make(map[int]chan notice), fixed: make(map[int]string), over: make(chan struct{}), ended: make(chan struct{})}
	listener = -1
	if watch != (watching{}) {
		if listener, err = k.listener(); err != nil {
			k.notWatched = err
		}
	}
	go k.listen()
	return k, listener, nil
}

// listener receives the first notice of a keeper that watches.
func (k *keeper) listener() (int, error) {
	buf, oob := make([]byte, 4<<10), make([]byte, 64)
	size, m, _, _, err := k.conn.ReadMsgUnix(buf, oob)
	if err != nil {
		return -1, err // and what follows will say so
	}
	var n notice
	if err := json.Unmarshal(buf[:size], &n); err != nil {
		return -1, err
	}
	if n.Err != "" {
		return -1, errors.New(n.Err)
	}
	messages, err := unix.ParseSocketControlMessage(oob[:m])
	if err != nil || len(messages) != 1 {
		return -1, errors.New("the keeper of peers has sent no descriptor")
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return -1, errors.New("the keeper of peers has sent no descriptor")
	}
	unix.CloseOnExec(fds[0])
	return fds[0], nil
}

// runToken marks the environment of all processes of a run. It has the same length in each run, since
// addresses in memory depend on that.
func runToken(id int) string { return fmt.Sprintf("%s%06d", runKey, id) }

const runKey = "HEDDLE_RUN="

// fixedName returns the name of the peer of a run, if that is to repeat itself, and else "".
func (k *keeper) fixedName(id int) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.fixed[id]
}

// start launches a command, whose output goes to out. The notices of the run
// come on the channel, which is closed if the keeper dies. out is closed.
func (k *keeper) start(path string, argv, env []string, dir string, out *os.File, spec *Spec) (id int, notices <-chan notice, err error) {
	defer out.Close()
	id, ch := k.number()
	if spec.fixed() {
		k.mu.Lock()
		k.fixed[id] = spec.Name
		k.mu.Unlock()
	}
	err = k.send(order{ID: id, Path: path, Argv: argv, Env: mergeEnv(env, []string{runToken(id)}), Dir: dir, Fixed: spec.fixed()}, unix.UnixRights(int(out.Fd())))
	return id, ch, err
}

// number numbers a new run.
func (k *keeper) number() (id int, ch chan notice) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.next++
	ch = make(chan notice, 4) // started, frozen, exited and killed
	if k.gone {
		close(ch)
	} else {
		k.runs[k.next] = ch
	}
	return k.next, ch
}

// copy starts a run as a copy of one that is frozen.
func (k *keeper) copy(of int) (id int, notices <-chan notice, err error) {
	id, ch := k.number()
	return id, ch, k.send(order{ID: id, Copy: of}, nil)
}

// freeze has a run made a template. The notice comes on its channel.
func (k *keeper) freeze(id int) error { return k.send(order{Freeze: true, ID: id}, nil) }

// kill has all processes of a run killed. The notice comes on its channel.
func (k *keeper) kill(id int) error { return k.send(order{Kill: true, ID: id}, nil) }

func (k *keeper) send(o order, oob []byte) error {
	data, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if len(data) > maxOrder {
		return fmt.Errorf("the command and its environment have %d bytes: limit is %d", len(data), maxOrder)
	}
	if _, _, err := k.conn.WriteMsgUnix(data, oob, nil); err != nil {
		return fmt.Errorf("the keeper of peers: %w", err)
	}
	return nil
}

// listen hands out notices.
func (k *keeper) listen() {
	buf := make([]byte, 4<<10)
	for {
		size, err := k.conn.Read(buf)
		var n notice
		if err == nil {
			err = json.Unmarshal(buf[:size], &n)
		}
		k.mu.Lock()
		if err != nil || n.Kind == over {
			k.gone = true
			close(k.over)
			for id, ch := range k.runs {
				close(ch)
				delete(k.runs, id)
			}
			k.mu.Unlock()
			return
		}
		ch := k.runs[n.ID]
		if n.Kind == failed || n.Kind == killed {
			delete(k.runs, n.ID)
		}
		k.mu.Unlock()
		if ch != nil {
			ch <- n
		}
	}
}

// close ends the keeper and with it all that it has launched. It returns when nothing
// of that is left. The keeper itself may take a moment more to end.
func (k *keeper) close() {
	k.conn.CloseWrite()
	<-k.over
	go func() {
		k.cmd.Wait()
		k.conn.Close()
		close(k.ended)
	}()
}
