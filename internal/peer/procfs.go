//go:build linux

package peer

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"golang.org/x/sys/unix"
)

// tids returns the threads of a process, in order.
func tids(pid int) []int {
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/task", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var list []int
	var names []string
	buf := make([]byte, 4<<10)
	for {
		n, err := unix.Getdents(fd, buf)
		if err != nil || n <= 0 {
			break
		}
		_, _, names = unix.ParseDirent(buf[:n], -1, names[:0])
		for _, name := range names {
			if tid, err := strconv.Atoi(name); err == nil {
				list = append(list, tid)
			}
		}
	}
	return list
}

// taskFile reads a small file of a thread. It does without package os, whose
// files are made for longer lives: peers are looked at often.
func taskFile(pid, tid int, name string) ([]byte, error) {
	path := "/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(tid) + "/" + name
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	data := make([]byte, 0, 4<<10)
	for {
		n, err := unix.Read(fd, data[len(data):cap(data)])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		data = data[:len(data)+n]
		if n < 2<<10 { // the kernel fills pages as far as it can
			return data, nil
		}
		data = slices.Grow(data, 4<<10)
	}
}

// children returns the processes that a thread has launched, or that have become
// its children.
func childrenOf(pid, tid int) []int {
	data, err := taskFile(pid, tid, "children")
	if err == unix.ENOENT && tid == pid && alive(pid) {
		return childrenByParent(pid) // a kernel without these files
	}
	var list []int
	for f := range bytes.FieldsSeq(data) {
		if n, err := strconv.Atoi(string(f)); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// walk goes through the processes below and at some, and calls visit for each of
// their threads.
func walk(pids []int, visit func(pid, tid int)) {
	seen := make(map[int]bool)
	todo := slices.Clone(pids)
	for len(todo) > 0 {
		pid := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[pid] {
			continue
		}
		seen[pid] = true
		for _, tid := range tids(pid) {
			visit(pid, tid)
			todo = append(todo, childrenOf(pid, tid)...)
		}
	}
}

// processes returns some processes and those below them, in order, without those
// that have ended and only wait for their parent to hear of it.
func processes(pids []int) []int {
	var list []int
	walk(pids, func(pid, tid int) {
		if tid == pid && alive(pid) {
			list = append(list, pid)
		}
	})
	slices.Sort(list)
	return list
}

// descendants returns the processes below pid.
func descendants(pid int) []int {
	return slices.DeleteFunc(processes([]int{pid}), func(p int) bool { return p == pid })
}

// childrenByParent looks at all processes that there are.
func childrenByParent(parent int) []int {
	var list []int
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range all {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if s, ok := readStat(pid); err == nil && ok && s.parent == parent {
			list = append(list, pid)
		}
	}
	return list
}

// A stat is what is needed of /proc/PID/stat.
type stat struct {
	state           byte
	parent, session int
}

func readStat(pid int) (s stat, ok bool) {
	data, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return s, false
	}
	f := bytes.Fields(data[bytes.LastIndexByte(data, ')')+1:]) // the name may hold anything
	if len(f) < 4 {
		return s, false
	}
	s.state = f[0][0]
	s.parent, _ = strconv.Atoi(string(f[1]))
	s.session, _ = strconv.Atoi(string(f[3]))
	return s, true
}

// alive reports whether a process has a thread that has not ended.
func alive(pid int) bool {
	s, ok := readStat(pid)
	if !ok || s.state == 'X' {
		return false
	}
	return s.state != 'Z' || len(tids(pid)) > 1
}

// roots returns the processes under which all of a run are: the one that was
// started, and those that have become children of the keeper since their parents
// have ended. The latter are known by their session, or by the mark in their
// environment. If the first has ended, its number may already be that of another
// process. The keeper's children are all those of its first thread, since this
// starts them, and the kernel hands orphans to it.
func roots(keeper, first int, ended bool, token string) []int {
	var list []int
	if !ended {
		list = append(list, first)
	}
	for _, p := range childrenOf(keeper, keeper) {
		if p != first && belongs(p, first, token) {
			list = append(list, p)
		}
	}
	return list
}

// between reports whether a process is about to execute a program, or to end: it has no memory for a moment, and so no
// environment and no arguments, and nobody can say to whom it and its children belong.
func between(pid int) bool {
	dir := "/proc/" + strconv.Itoa(pid)
	env, _ := os.ReadFile(dir + "/environ") // an error if there is no memory, since Linux 6.15
	args, _ := os.ReadFile(dir + "/cmdline")
	return len(env)+len(args) == 0 && alive(pid)
}

func belongs(pid, root int, token string) bool {
	s, ok := readStat(pid)
	if !ok {
		return false
	}
	if s.session == root {
		return true
	}
	env, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	return slices.ContainsFunc(bytes.Split(env, []byte{0}), func(e []byte) bool { return string(e) == token })
}
