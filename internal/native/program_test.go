package native_test

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/vm"
)

const input = "standard input\n"

// TestPrograms runs the programs of testdata/run natively, in the machine on the
// host's files, and in the machine on files that stay in its state. The output
// must be the same, and the last must leave no trace on the host.
func TestPrograms(t *testing.T) {
	if testing.Short() {
		t.Skip("loads and compiles programs")
	}
	dirs, err := filepath.Glob("testdata/run/*")
	if err != nil {
		t.Fatal(err)
	}
	s, err := load.NewSession(load.Config{Patterns: []string{"fmt", "os", "golang.org/x/sys/unix"}, Intrinsic: native.Has, OwnRuntime: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Setenv("HEDDLE_TEST", "set")
			want, wantCode := natively(t, dir)
			lp, err := s.AddMain(filepath.Join(dir, "main.go"))
			if err != nil {
				t.Fatal(err)
			}
			prog, err := execute.Compile(lp)
			if err != nil {
				t.Fatal(err)
			}
			for _, through := range []bool{true, false} {
				tmp := t.TempDir()
				got, exit := inMachine(t, prog, through, tmp, "arg")
				if exit.Text != "" {
					t.Errorf("through %v: %s", through, exit.Text)
				}
				code := exit.Code
				if got != want || code != wantCode {
					t.Errorf("through %v: exit code %d want %d\ngot:\n%s\nwant:\n%s", through, code, wantCode, got, want)
				}
				if left, _ := os.ReadDir(tmp); len(left) != 0 {
					t.Errorf("through %v: %d files are left on the host", through, len(left))
				}
			}
		})
	}
}

// natively builds and runs a program with the go command.
func natively(t *testing.T, dir string) (out string, code int) {
	t.Helper()
	exe := filepath.Join(t.TempDir(), "exe")
	if text, err := exec.Command("go", "build", "-C", dir, "-o", exe, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	cmd := exec.Command(exe, "arg")
	cmd.Stdin = strings.NewReader(input)
	text, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(text), cmd.ProcessState.ExitCode()
}

// TestRefused pins what the modelled operating system refuses: each case ends
// the run with a message that says what is not supported.
func TestRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("loads and compiles a program")
	}
	prog, err := execute.Build(execute.Source{Dir: "testdata/refuse", Patterns: []string{"."}, NoCache: true})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"lookup":    "looking up the name www.example.org, which is not in the modelled /etc/hosts",
		"outside":   "connection to 192.0.2.1:80, which is outside the modelled machine",
		"datagrams": "datagram to 192.0.2.1:7, which is outside the modelled machine",
		"raw":       "socket of type 3 and protocol 1",
		"exclusive": "EPOLLEXCLUSIVE (epoll_ctl)",
		"mask":      "mask of signals (ppoll)",
		"netlink":   "request of type 26 for the network (netlink)",
		"ancillary": "ancillary data, as for passing descriptors (sendmsg)",
		"ioctl":     "request 0x541b to a socket (ioctl)",
		"sockopt":   "socket option 18 of level 1 (setsockopt)",
		"timelimit": "a call that has to wait, with a time limit (SO_RCVTIMEO or SO_SNDTIMEO)",
		"hostsock":  "a socket of the host",
		"process":   "starting a process (/bin/true)",
		"exec":      "starting a process",
		"signal":    "waiting for a signal from outside",
		"kill":      "signal 15 (terminated) that ends the process",
		"fifo":      "named pipe (system call mknodat)",
		"mapping":   "shared mapping of a file that can be written (mmap)",
		"mapped":    "shared mapping of a file that can be written (mmap)",
		"unknown":   "system call 101 (ptrace)",
	} {
		t.Run(name, func(t *testing.T) {
			tmp := t.TempDir()
			if name == "hostsock" {
				l, err := net.Listen("unix", filepath.Join(tmp, "sock"))
				if err != nil {
					t.Fatal(err)
				}
				defer l.Close()
			}
			_, exit := inMachine(t, prog, false, tmp, name)
			if exit.Kind != vm.ExitUnsupported || !strings.Contains(exit.Msg, want) {
				t.Errorf("got %q (%v) want %q", exit.Msg, exit.Kind, want)
			}
		})
	}
}

// inMachine runs a compiled program with temporary files in tmp.
func inMachine(t *testing.T, prog *bytecode.Program, through bool, tmp, arg string) (out string, exit *vm.Exit) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	var m *vm.Machine
	opt := kernel.HostOptions()
	opt.Through = through
	opt.Args = []string{"exe", arg}
	opt.Env = append(opt.Env, "TMPDIR="+tmp)
	opt.Now = func() int64 { return native.WallClock(m) }
	opt.Mono = func() int64 { return m.Now() }
	k := kernel.New(&host.Real{Stdin: strings.NewReader(input), Stdout: &stdout, Stderr: &stderr}, opt)
	m, err := vm.New(prog, native.Table(), vm.Options{Stdout: &stdout, Stderr: &stderr, Host: k})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	exit = m.Run()
	if stderr.Len() > 0 {
		t.Errorf("through %v: standard error:\n%s", through, &stderr)
	}
	return stdout.String(), exit
}
