//go:build linux

package peer

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A family is a process that uses this package, and all below it. They hold one
// end of a pipe, so the other end is at its end when all of them are gone.
type family struct {
	t   *testing.T
	cmd *exec.Cmd
	out *bufio.Reader
	all *os.File
}

func startFamily(t *testing.T, args ...string) *family {
	t.Helper()
	f := &family{t: t}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	f.all = r
	t.Cleanup(func() { r.Close() })
	f.cmd = exec.Command(exe, args...)
	f.cmd.Env = append(os.Environ(), "HEDDLE_TEST_PEER=parent")
	f.cmd.ExtraFiles = []*os.File{w, w} // the keeper has a use of its own for the first
	out, err := f.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	f.out = bufio.NewReader(out)
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	t.Cleanup(func() { f.cmd.Process.Kill() })
	return f
}

// expect reads a line.
func (f *family) expect(want string) {
	f.t.Helper()
	if got, err := f.out.ReadString('\n'); got != want+"\n" {
		f.t.Fatalf("got %q %v, want %q", got, err, want)
	}
}

// gone waits until no process is left.
func (f *family) gone() {
	f.t.Helper()
	f.cmd.Wait()
	f.all.SetReadDeadline(time.Now().Add(hang))
	if _, err := f.all.Read(make([]byte, 1)); err != io.EOF {
		f.t.Errorf("got %v, want all processes to be gone", err)
	}
}

// TestNothingLeaks ends the parent in all ways, at several moments. Calls of a peer that is fixed, and of the thread that has
// launched it, fail from then on.
func TestNothingLeaks(t *testing.T) {
	for _, how := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGINT} {
		for _, moment := range []string{"at once", "begin", "ready"} {
			for _, fixed := range []string{"free", "fixed"} {
				t.Run(fmt.Sprintf("%v %s %s", how, moment, fixed), func(t *testing.T) {
					f := startFamily(t, "stays", fixed)
					if moment != "at once" {
						f.expect("begin")
					}
					if moment == "ready" {
						f.expect("ready")
					}
					if err := f.cmd.Process.Signal(how); err != nil {
						t.Fatal(err)
					}
					f.gone()
				})
			}
		}
	}
	t.Run("exit", func(t *testing.T) {
		f := startFamily(t, "exits", "free")
		f.expect("begin")
		f.expect("ready")
		f.gone()
	})
}

// TestCloseEndsAll: what leaves its group, session, parent and environment ends
// with the group at the latest; the others with their run.
func TestCloseEndsAll(t *testing.T) {
	g := newGroup(t, helper(Server, "family", "{addr}"))
	keeper := g.keeper.cmd.Process.Pid
	r := g.shared["server"]
	run, all := r.members(), descendants(keeper)
	if len(run) != 3 || len(all) != 4 {
		t.Errorf("got processes %v of the run and %v in all, want 3 and 4", run, all)
	}
	r.close()
	if got := r.members(); len(got) != 0 {
		t.Errorf("got %v left of the run, want none", got)
	}
	left := descendants(keeper)
	if len(left) != 1 {
		t.Errorf("got %v below the keeper, want the one that has left everything", left)
	}
	g.Close()
	for _, pid := range append(left, keeper) {
		if pid == keeper {
			<-g.keeper.ended
		}
		if alive(pid) {
			cmd, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
			t.Errorf("process %d is left: %q", pid, cmd)
		}
	}
}

// TestNoDescriptorsLeak: many histories leave no sockets or pipes open.
func TestNoDescriptorsLeak(t *testing.T) {
	count := func() int {
		list, _ := filepath.Glob("/proc/self/fd/*")
		return len(list)
	}
	before := 0
	for i := range 3 {
		g, err := NewGroup([]Spec{helper(Server, "echo", "{addr}"), helper(Client, "client", "{addr}", "hello")})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			talkBriefly(t, g)
		}
		g.Close()
		for _, r := range g.runs {
			<-r.out.ended
		}
		<-g.keeper.ended
		if n := count(); i == 0 {
			before = n
		} else if n != before {
			t.Errorf("got %d descriptors after group %d, want %d", n, i, before)
		}
	}
}
