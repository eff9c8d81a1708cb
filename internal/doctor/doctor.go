// Package doctor looks whether a machine has what Heddle needs, and says what to do
// where it has not: a Go toolchain, a cache, a machine for programs, processes that
// can be looked at, memory. It changes nothing but a file in the cache that it removes again.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"go/version"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// A Line is about one thing that is needed.
type Line struct {
	Name string
	OK   bool
	Text string // what was found
	Todo string // what to do, if it is not OK
}

// String returns it as it is printed.
func (l Line) String() string {
	word, text := "ok", l.Text
	if !l.OK {
		word = "warn"
		text += ": " + l.Todo
	}
	return fmt.Sprintf("%-4s  %-7s %s", word, l.Name, text)
}

func ok(name, format string, args ...any) Line {
	return Line{name, true, fmt.Sprintf(format, args...), ""}
}

// A Patient is what is looked at.
type Patient struct {
	Cache string // the folder of compiled code
	// Trial builds and checks a small program in a folder, and says what is wrong.
	Trial func(ctx context.Context, dir string) error
	// Queue is the other command, for work on several machines; empty if it is not there.
	Queue string
}

// Examine looks at everything.
func (p *Patient) Examine(ctx context.Context) []Line {
	out, err := exec.CommandContext(ctx, "go", "env", "GOVERSION", "GOROOT").Output()
	toolchain := goLine(string(out), err, runtime.Version())
	lines := []Line{toolchain, hostLine(runtime.GOOS, runtime.GOARCH), cacheLine(p.Cache)}
	if toolchain.OK {
		lines = append(lines, p.trialLine(ctx))
	} else {
		lines = append(lines, Line{"check", false, "not tried", "a Go toolchain comes first"})
	}
	meminfo, _ := os.ReadFile("/proc/meminfo")
	group, _ := os.ReadFile("/sys/fs/cgroup/memory.max")
	lines = append(lines, peersLine(ctx), memoryLine(string(meminfo), string(group)))
	if p.Queue != "" {
		return append(lines, ok("queue", "%s", p.Queue))
	}
	return append(lines, ok("queue", "heddle-nats is not beside heddle; it is for -distribute and heddle worker only"))
}

// goLine is about the go command, which tells its version and folder, one in a line. Heddle was built with another one perhaps.
func goLine(out string, err error, built string) Line {
	have, root, _ := strings.Cut(strings.TrimSpace(out), "\n")
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return Line{"go", false, "there is no go command in $PATH", "install Go from https://go.dev/dl, and put its folder bin into $PATH"}
	case err != nil:
		return Line{"go", false, "the go command does not work", strings.TrimSpace(fmt.Sprint("go env says ", err))}
	case version.IsValid(have) && version.IsValid(built) && version.Compare(version.Lang(have), version.Lang(built)) > 0:
		return Line{"go", false, fmt.Sprintf("%s is newer than %s, which heddle was built with", have, built), "build heddle with it: go install github.com/heddle-mc/heddle/cmd/heddle@latest"}
	}
	return ok("go", "%s in %s", have, root)
}

// hostLine is about the system and processor.
func hostLine(system, processor string) Line {
	switch host := system + "/" + processor; host {
	case "linux/amd64":
		return ok("host", "%s", host)
	case "linux/arm64", "darwin/arm64", "windows/amd64":
		return ok("host", "%s; programs are checked as on linux/amd64", host)
	default:
		return Line{"host", false, host, "nobody has tried it: use linux, darwin or windows on amd64 or arm64"}
	}
}

// cacheLine is about the folder of compiled code.
func cacheLine(dir string) Line {
	todo := "set $HEDDLE_CACHE to a folder that can be written, or give -nocache and wait longer each time"
	if dir == "" {
		return Line{"cache", false, "there is no folder for compiled code", todo}
	}
	err := os.MkdirAll(dir, 0o777)
	if err == nil {
		name := filepath.Join(dir, "doctor")
		if err = os.WriteFile(name, make([]byte, 1<<16), 0o666); err == nil {
			err = os.Remove(name)
		}
	}
	if err != nil {
		return Line{"cache", false, err.Error(), todo}
	}
	return ok("cache", "%s", dir)
}

// Program is a small one, of which everything is used that a check needs. What it writes has to stay in the machine.
const Program = `package main

import "os"

func main() {
	done := make(chan bool)
	go func() { done <- os.WriteFile("written", nil, 0o666) == nil }()
	if !<-done {
		panic("a file cannot be written")
	}
}
`

func (p *Patient) trialLine(ctx context.Context) Line {
	dir, err := os.MkdirTemp("", "heddle-doctor-")
	if err == nil {
		defer os.RemoveAll(dir)
		err = errors.Join(os.WriteFile(filepath.Join(dir, "main.go"), []byte(Program), 0o666), os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module doctor\n\ngo 1.25\n"), 0o666))
	}
	if err == nil {
		err = p.Trial(ctx, dir)
	}
	if err != nil {
		return Line{"check", false, "a small program cannot be checked", strings.Join(strings.Fields(err.Error()), " ")}
	}
	if _, err := os.Lstat(filepath.Join(dir, "written")); err == nil {
		return Line{"check", false, "a program under check has written a file of this machine", "report that: it is a defect of heddle"}
	}
	return ok("check", "a small program was built and verified; what it wrote stayed in the modelled machine")
}

// enough is how much memory a search of some size takes.
const enough = 2 << 30

// memoryLine is about how much memory is free, by what Linux says of the machine and of the group of processes.
func memoryLine(meminfo, group string) Line {
	free := int64(-1)
	for line := range strings.Lines(meminfo) {
		if f := strings.Fields(line); len(f) == 3 && f[0] == "MemAvailable:" {
			if n, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				free = n << 10
			}
		}
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(group), 10, 64); err == nil && (free < 0 || n < free) {
		free = n
	}
	switch {
	case free < 0:
		return ok("memory", "not known how much is free")
	case free < enough:
		return Line{"memory", false, fmt.Sprintf("%.1f GB are free, and a large search takes more", float64(free)/1e9), "give -mem 1GB, say, so that a search ends and says so, or -store=disk"}
	}
	return ok("memory", "%.1f GB are free", float64(free)/1e9)
}
