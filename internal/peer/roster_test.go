//go:build linux

package peer

import (
	"os/exec"
	"slices"
	"syscall"
	"testing"
)

// TestRoster: a roster is listed anew when threads or processes come or go, and only
// then; it lists what going through all processes finds.
func TestRoster(t *testing.T) {
	g := newGroup(t, helper(Server, "family", "{addr}"))
	r := g.shared["server"]
	look := func(what string) []*rosterThread {
		t.Helper()
		s, err := r.sample()
		if err != nil {
			t.Fatal(err)
		}
		var want, got [][2]int
		walk(r.roots(), func(pid, tid int) { want = append(want, [2]int{pid, tid}) })
		slices.SortFunc(want, func(a, b [2]int) int { return slices.Compare(a[:], b[:]) })
		for _, th := range s {
			got = append(got, [2]int{th.pid, th.tid})
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got threads %v, want %v", what, got, want)
		}
		return r.roster.threads
	}
	first := look("first look")
	again := look("second look")
	tids := func(e *rosterThread, f *rosterThread) bool { return e.tid == f.tid }
	if slices.EqualFunc(first, again, tids) && !slices.Equal(first, again) {
		t.Errorf("second look: the roster was listed anew, but no thread has come or gone")
	}
	pids := r.members()
	if err := syscall.Kill(pids[len(pids)-1], syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	for len(r.members()) == len(pids) {
	}
	if after := look("one process less"); slices.Equal(again, after) {
		t.Errorf("one process less: the roster is the old one")
	}
}

// TestCounters: both files that tell how often a thread has run count when it does.
func TestCounters(t *testing.T) {
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	pid := cmd.Process.Pid
	buf := make([]byte, 4<<10)
	echo := func() {
		if _, err := in.Write([]byte("x")); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal(err)
		}
	}
	// rest waits until the process sleeps, as two looks at it show.
	rest := func(e *rosterThread) thread {
		for last := (thread{}); ; {
			th, err := e.look(buf, nil, false)
			switch {
			case err != nil:
				t.Fatal(err)
			case th == last && th.wait().kind == input:
				return th
			}
			last = th
		}
	}
	for _, file := range []string{"schedstat", "status"} {
		e := newRosterThread(pid, pid, buf)
		if file == "status" {
			e.runs.close()
			e.runs, e.status = taskFileAt(pid, pid, "status"), true
		}
		echo()
		before := rest(e)
		echo()
		if after := rest(e); after.switches <= before.switches {
			t.Errorf("%s: got %d after the process has run, want more than %d", file, after.switches, before.switches)
		}
		e.close()
	}
}

// TestProcFile: files are read from their beginning each time, also when no more are
// kept open, and when they are larger than the buffer.
func TestProcFile(t *testing.T) {
	kept := keptFiles.Load()
	defer keptFiles.Store(kept)
	for _, n := range []int64{kept, maxKept} {
		keptFiles.Store(n)
		f := procFile{path: "/proc/self/limits"}
		long, err := f.read(make([]byte, 8<<10))
		if err != nil || len(long) < 200 {
			t.Fatalf("got %d bytes, %v", len(long), err)
		}
		for range 2 {
			if got, err := f.read(make([]byte, 4<<10)); string(got) != string(long) || err != nil {
				t.Errorf("got %q, %v, want %q", got, err, long)
			}
		}
		if open := f.fd > 0; open != (n < maxKept) {
			t.Errorf("with %d open files: got kept %v", n, open)
		}
		f.close()
	}
}

// TestBegin: a group is closed while its servers have not begun to listen.
func TestBegin(t *testing.T) {
	g, err := Begin([]Spec{{Role: Server, Command: "exec sleep 60 # {addr}"}})
	if err != nil {
		t.Fatal(err)
	}
	g.Close()
	if err := g.Ready(); err == nil {
		t.Errorf("got no error of a server that never listened, want one")
	}
	if n := len(descendants(g.keeper.cmd.Process.Pid)); n != 0 {
		t.Errorf("got %d processes left, want none", n)
	}
}

// TestGlance: a process that comes after a glance is seen by the next look. A client
// that is launched by a shell is one.
func TestGlance(t *testing.T) {
	g := newGroup(t, helper(Server, "echo", "{addr}"))
	r := g.shared["server"]
	if _, err := r.sample(); err != nil {
		t.Fatal(err)
	}
	r.roster.threads = r.roster.threads[:1] // as if the others had come since
	glance, err := r.glance()
	if err != nil || len(glance) != 1 {
		t.Fatalf("got %d threads and %v, want those of the roster: 1", len(glance), err)
	}
	r.roster.procs[0].count-- // which has been noticed by nobody
	if next, err := r.glance(); err != nil || len(next) <= 1 {
		t.Errorf("got %d threads and %v, want all", len(next), err)
	}
}
