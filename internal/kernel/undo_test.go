package kernel

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/kernel/files"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/kernel/undo"
)

// TestUndo goes forward and back with random steps on files. Nothing of it may
// reach the host.
func TestUndo(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		defer os.RemoveAll(dir)
		stage(t, dir)
		k := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}, Dir: dir})
		before := k.AppendKey(nil)
		checkUndo(rt, k, func() func(k *Kernel) string {
			s := drawStep(rt)
			return func(k *Kernel) string { return s(k) }
		})
		if fresh := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}, Dir: dir}); !bytes.Equal(fresh.AppendKey(nil), before) {
			rt.Fatal("a fresh kernel on the same host has another key")
		}
		if data, err := os.ReadFile(dir + "/a"); err != nil || string(data) != "hello, host" {
			rt.Fatalf("the host's file was changed: %q %v", data, err)
		}
	})
}

// TestSocketUndo does the same with sockets.
func TestSocketUndo(t *testing.T) {
	dir := t.TempDir()
	stage(t, dir)
	rapid.Check(t, func(rt *rapid.T) {
		k := New(&host.Real{}, Options{Identity: process.Identity{UID: os.Getuid(), GID: os.Getgid()}, Dir: dir, Settings: sockets.Settings{SocketBuffer: 16}})
		checkUndo(rt, k, func() func(k *Kernel) string {
			s := drawSocketStep(rt, "x")
			return func(k *Kernel) string { return s.do(k) + " " + readiness(k) + k.Refused() }
		})
	})
	if names, err := os.ReadDir(dir); err != nil || len(names) != 3 {
		t.Errorf("the host has %d files, want 3: %v", len(names), err)
	}
}

// checkUndo goes forward at random, with marks on the way, and back to them. The
// state there must be the one that was left, and the same steps from there must
// give the same results again.
func checkUndo(rt *rapid.T, k *Kernel, draw func() func(k *Kernel) string) {
	type point struct {
		mark undo.Mark
		key  []byte
		done int // steps before it
	}
	var points []point
	var steps []func(k *Kernel) string
	var results []string
	for range rapid.IntRange(1, 50).Draw(rt, "steps") {
		if rapid.IntRange(0, 3).Draw(rt, "mark") == 0 {
			points = append(points, point{k.Mark(), k.AppendKey(nil), len(steps)})
		}
		if len(points) > 0 && rapid.IntRange(0, 5).Draw(rt, "back") == 0 {
			i := rapid.IntRange(0, len(points)-1).Draw(rt, "to")
			p := points[i]
			k.Restore(p.mark)
			if !bytes.Equal(k.AppendKey(nil), p.key) {
				rt.Fatalf("state differs after going back to step %d of %d", p.done, len(steps))
			}
			for j := p.done; j < len(steps); j++ { // forward and back once more
				if got := steps[j](k); got != results[j] {
					rt.Fatalf("step %d again:\ngot  %s\nwant %s", j, got, results[j])
				}
			}
			k.Restore(p.mark)
			if !bytes.Equal(k.AppendKey(nil), p.key) {
				rt.Fatalf("state differs after going back twice to step %d", p.done)
			}
			points, steps, results = points[:i+1], steps[:p.done], results[:p.done]
		}
		s := draw()
		steps = append(steps, s)
		results = append(results, s(k))
	}
}

// TestKeyIgnoresOrder makes two files in either order: the states are equal.
func TestKeyIgnoresOrder(t *testing.T) {
	dir := t.TempDir()
	key := func(names ...string) []byte {
		k := New(&host.Real{}, Options{Dir: dir})
		for _, name := range names {
			fd, e := k.Openat(files.AtCwd, name, linux.O_CREAT|linux.O_WRONLY, 0o644)
			if e != 0 {
				t.Fatal(e)
			}
			k.Write(fd, []byte(name))
			k.Close(fd)
		}
		return k.AppendKey(nil)
	}
	if !bytes.Equal(key("x", "y"), key("y", "x")) {
		t.Error("the order of creation shows in the key")
	}
	if bytes.Equal(key("x", "y"), key("x")) {
		t.Error("a file does not show in the key")
	}
}

// TestInputAgain reads standard input, goes back and reads it again.
func TestInputAgain(t *testing.T) {
	k := New(&host.Real{Stdin: strings.NewReader("hello")}, Options{})
	m := k.Mark()
	for range 2 {
		buf := make([]byte, 3)
		var got string
		for {
			n, e := k.Read(0, buf)
			if e != 0 {
				t.Fatal(e)
			}
			if n == 0 {
				break
			}
			got += string(buf[:n])
		}
		if got != "hello" {
			t.Errorf("got %q want %q", got, "hello")
		}
		k.Restore(m)
	}
}

// A brokenDoor fails to open files.
type brokenDoor struct{ host.Real }

func (*brokenDoor) Open(dir host.File, path string, flags int, mode uint32) (host.File, linux.Errno) {
	return nil, linux.EIO
}

// TestFault sees what a program sees of a host that fails.
func TestFault(t *testing.T) {
	dir := t.TempDir()
	stage(t, dir)
	for _, through := range []bool{false, true} {
		k := New(&brokenDoor{}, Options{Dir: dir, Through: through})
		fd, e := k.Openat(files.AtCwd, "a", linux.O_RDONLY, 0)
		if e == 0 {
			_, e = k.Read(fd, make([]byte, 10))
		}
		if e != linux.EIO {
			t.Errorf("through %v: got %v want %v", through, e, linux.EIO)
		}
	}
}

// TestUndoWorkingDirectory: the working directory is opened when it is first needed. If its name means another directory
// by then, it means the first one again when the state goes back.
func TestUndoWorkingDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.Mkdir(dir+"/now", 0o755), os.WriteFile(dir+"/now/first", nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	k := New(&host.Real{}, Options{Dir: dir + "/now"})
	m := k.Mark()
	rename := host.Change{Op: host.Rename, Path: dir + "/now", To: dir + "/old"}
	mkdir := host.Change{Op: host.Mkdir, Path: dir + "/now", Mode: 0o755}
	if e1, e2 := k.Changeat(rename, files.AtCwd, files.AtCwd), k.Changeat(mkdir, files.AtCwd, files.AtCwd); e1 != 0 || e2 != 0 {
		t.Fatal(e1, e2)
	}
	if _, e := k.Statat(files.AtCwd, "first", 0); e != linux.ENOENT {
		t.Errorf("in the new directory: got %v want %v", e, linux.ENOENT)
	}
	k.Restore(m)
	if _, e := k.Statat(files.AtCwd, "first", 0); e != 0 {
		t.Errorf("back in the old one: got %v", e)
	}
}
