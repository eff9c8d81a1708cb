package peer

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// tids returns the threads of a process, in order.
func tids(pid int) []int {
	entries, _ := os.ReadDir("/proc/" + strconv.Itoa(pid) + "/task")
	list := make([]int, 0, len(entries))
	for _, e := range entries {
		if n, err := strconv.Atoi(e.Name()); err == nil {
			list = append(list, n)
		}
	}
	return list
}

// taskFile reads a file of a thread.
func taskFile(pid, tid int, name string) ([]byte, error) {
	return os.ReadFile("/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(tid) + "/" + name)
}

// children returns the processes that a thread of pid has launched, or that
// have become its children.
func children(pid int) []int {
	var list []int
	for _, tid := range tids(pid) {
		data, err := taskFile(pid, tid, "children")
		if err != nil {
			if os.IsNotExist(err) && tid == pid {
				return childrenByParent(pid) // a kernel without these files, or pid is gone
			}
			continue
		}
		for _, f := range bytes.Fields(data) {
			if n, err := strconv.Atoi(string(f)); err == nil {
				list = append(list, n)
			}
		}
	}
	return list
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

// descendants returns all processes below pid, in order, without those that
// have ended and only wait for their parent to hear of it.
func descendants(pid int) []int {
	var list []int
	seen := map[int]bool{pid: true}
	todo := children(pid)
	for len(todo) > 0 {
		p := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[p] {
			continue
		}
		seen[p] = true
		if alive(p) {
			list = append(list, p)
		}
		todo = append(todo, children(p)...)
	}
	slices.Sort(list)
	return list
}

// alive reports whether a process has a thread that has not ended.
func alive(pid int) bool {
	s, ok := readStat(pid)
	if !ok || s.state == 'X' {
		return false
	}
	return s.state != 'Z' || len(tids(pid)) > 1
}

// members returns the processes of one run: those below its root, and those
// that have become children of the keeper since their parents have ended. The
// latter are known by their session, or by the mark in their environment. If the
// root has ended, its number may already be that of another process.
func members(keeper, root int, ended bool, token string) []int {
	var list []int
	if !ended {
		list = subtree(root)
	}
	for _, p := range children(keeper) {
		if p != root && belongs(p, root, token) {
			list = append(list, subtree(p)...)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

func subtree(pid int) []int {
	list := descendants(pid)
	if alive(pid) {
		list = append(list, pid)
	}
	return list
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
