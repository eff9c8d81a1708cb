//go:build linux

package peer

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// The test binary is also all peers of the tests: with HEDDLE_TEST_PEER set it
// is the one of that name.
func TestMain(m *testing.M) {
	if name := os.Getenv("HEDDLE_TEST_PEER"); name != "" {
		f := helpers[name]
		if f == nil {
			fmt.Println("no helper", name)
			os.Exit(99)
		}
		f(os.Args[1:])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// hang is how long a test waits for what has to happen: a busy machine takes its time.
const hang = 10 * time.Minute

// helper returns the spec of a helper.
func helper(role Role, name string, args ...string) Spec {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Spec{Role: role, Args: append([]string{exe}, args...), Env: []string{"HEDDLE_TEST_PEER=" + name}, Ready: hang, Answer: hang}
}

// serveUnix says each line again, at a path.
func serveUnix(path string) {
	serve("unix", path, func(c net.Conn) { io.Copy(c, c) })
}

// serveLines answers each line of each connection.
func serveLines(addr string, answer func(c *net.TCPConn, line string)) {
	serve("tcp", addr, func(c net.Conn) {
		for s := bufio.NewScanner(c); s.Scan(); {
			answer(c.(*net.TCPConn), s.Text())
		}
	})
}

// serve has connections answered, each by a goroutine of its own.
func serve(network, addr string, answer func(c net.Conn)) {
	l, err := net.Listen(network, addr)
	if err != nil {
		fmt.Println(err)
		os.Exit(98)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			os.Exit(97)
		}
		go func() {
			defer c.Close()
			answer(c)
		}()
	}
}

var helpers = map[string]func(args []string){
	// Says everything again.
	"echo": func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) { fmt.Fprintf(c, "%s\n", line) })
	},
	// The same, but looks for its address in the environment.
	"echo env": func([]string) {
		serveLines(os.Getenv("HEDDLE_ADDR"), func(c *net.TCPConn, line string) { fmt.Fprintf(c, "%s\n", line) })
	},
	// Listens before it is ready: it has something to do first, and who comes before that is told so.
	"early": func(args []string) {
		l, err := net.Listen("tcp", args[0])
		if err != nil {
			os.Exit(98)
		}
		var ready atomic.Bool
		go func() {
			for begin := time.Now(); time.Since(begin) < 300*time.Millisecond; {
			}
			ready.Store(true)
		}()
		for {
			c, err := l.Accept()
			if err != nil {
				os.Exit(97)
			}
			if ready.Load() {
				fmt.Fprintln(c, "ready")
			} else {
				fmt.Fprintln(c, "too early")
			}
		}
	},
	// Runs only if no other has its file.
	"single": func(args []string) {
		f, err := os.OpenFile(args[1], os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil || syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil {
			fmt.Println("another one runs")
			os.Exit(7)
		}
		serveLines(args[0], func(c *net.TCPConn, line string) { fmt.Fprintf(c, "%s\n", line) })
	},
	// Listens wherever it likes.
	"anywhere": func([]string) {
		serveLines("127.0.0.1:0", func(c *net.TCPConn, line string) { fmt.Fprintf(c, "%s\n", line) })
	},
	// Takes a while, in the ways that a Go program can.
	"slow": func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			switch line {
			case "timer":
				time.Sleep(40 * time.Millisecond)
			case "nanosleep":
				ts := syscall.NsecToTimespec(40e6)
				syscall.Nanosleep(&ts, nil)
			case "compute":
				for end := time.Now().Add(40 * time.Millisecond); time.Now().Before(end); {
				}
			case "child":
				exec.Command("sleep", "0.04").Run()
			case "parts":
				for range 3 {
					io.WriteString(c, "part ")
					time.Sleep(15 * time.Millisecond)
				}
			}
			fmt.Fprintf(c, "%s done\n", line)
		})
	},
	// Looks around every 20 ms, with nothing to see.
	"ticker": func(args []string) {
		go func() {
			for range time.Tick(20 * time.Millisecond) {
			}
		}()
		serveLines(args[0], func(c *net.TCPConn, line string) { fmt.Fprintf(c, "%s\n", line) })
	},
	// Has a timer that runs for an hour, and waits for it and for input in one call.
	"someday": func(args []string) {
		time.AfterFunc(time.Hour, func() { os.Exit(0) })
		serveLines(args[0], func(c *net.TCPConn, line string) { fmt.Fprintf(c, "%s\n", line) })
	},
	// Looks around every 100 ms. Some answers take half of that.
	"slow ticker": func(args []string) {
		go func() {
			for range time.Tick(100 * time.Millisecond) {
			}
		}()
		asked := 0
		serveLines(args[0], func(c *net.TCPConn, line string) {
			if line == "late" {
				fmt.Fprintf(c, "first\n")
				time.Sleep(500 * time.Millisecond)
				fmt.Fprintf(c, "second\n")
				return
			}
			if asked++; line == "slow" || line == "fifth" && asked >= 5 {
				time.Sleep(50 * time.Millisecond)
			}
			fmt.Fprintf(c, "%s\n", line)
		})
	},
	// Speaks by itself when it gets a signal.
	"prompted": func(args []string) {
		prompt := make(chan os.Signal, 1)
		signal.Notify(prompt, syscall.SIGUSR1)
		serveLines(args[0], func(c *net.TCPConn, line string) {
			go func() {
				<-prompt
				fmt.Fprintf(c, "late\n")
			}()
			fmt.Fprintf(c, "%s\n", line)
		})
	},
	// Speaks by itself, a second after the line.
	"late": func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			time.AfterFunc(time.Second, func() { fmt.Fprintf(c, "late\n") })
			fmt.Fprintf(c, "%s\n", line)
		})
	},
	// Does what the line says, and dies of it.
	"doomed": func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			switch line {
			case "status":
				fmt.Fprintln(c, "last words")
				fmt.Println("this is the log")
				os.Exit(3)
			case "signal":
				signal.Reset()
				syscall.Kill(os.Getpid(), syscall.SIGKILL)
				select {}
			case "bye":
				fmt.Fprintln(c, "bye")
				os.Exit(0)
			case "reset":
				c.SetLinger(0)
				c.Close()
			case "spin":
				for n := 0; ; {
					n++
				}
			case "stop":
				syscall.Kill(os.Getpid(), syscall.SIGSTOP)
			case "flood":
				for b := make([]byte, 64<<10); ; {
					if _, err := c.Write(b); err != nil {
						return
					}
				}
			}
		})
	},
	// Ends before it listens.
	"stillborn": func([]string) { fmt.Println("cannot read the configuration"); os.Exit(4) },
	// Runs, but does not listen.
	"deaf": func([]string) { forever() },

	"busy": func([]string) {
		for n := 0; ; n++ { // it is there to take time
		}
	},
	// Counts bytes until the end of the stream, then says how many.
	"count": func(args []string) {
		l, err := net.Listen("tcp", args[0])
		if err != nil {
			os.Exit(98)
		}
		for { // one connection after the other
			c, _ := l.Accept()
			n, err := io.Copy(io.Discard, c)
			fmt.Fprintf(c, "%d %v\n", n, err)
			c.Close()
		}
	},
	// Reads a request, then waits for the next connection and never reads again.
	"unread": func(args []string) {
		l, err := net.Listen("tcp", args[0])
		if err != nil {
			os.Exit(98)
		}
		for {
			l.Accept()
		}
	},
	// A chat of any number: what one says, all the others hear.
	"chat": func(args []string) {
		var all []net.Conn
		lock := make(chan bool, 1)
		serveLines(args[0], func(c *net.TCPConn, line string) {
			lock <- true
			defer func() { <-lock }()
			if line == "hello" {
				all = append(all, c)
				fmt.Fprintln(c, "welcome", len(all))
				return
			}
			for _, o := range all {
				if o != c {
					fmt.Fprintln(o, line)
				}
			}
		})
	},
	// A client: says what its arguments say, and waits for a line after each.
	"client": func(args []string) {
		c, err := net.Dial("tcp", args[0])
		if err != nil {
			fmt.Println(err)
			os.Exit(5)
		}
		r := bufio.NewReader(c)
		for _, text := range args[1:] {
			fmt.Fprintf(c, "%s\n", text)
			line, err := r.ReadString('\n')
			fmt.Printf("got %q %v\n", line, err)
			if err != nil {
				os.Exit(6)
			}
		}
		c.Close()
	},
	// Ends without having connected.
	"absent": func([]string) { fmt.Println("I would rather not") },
	// Connects twice and tells each connection of the other.
	"twice": func(args []string) {
		a, _ := net.Dial("tcp", args[0])
		fmt.Fprintln(a, "first")
		b, _ := net.Dial("tcp", args[0])
		fmt.Fprintln(b, "second")
		line, _ := bufio.NewReader(a).ReadString('\n')
		fmt.Fprintf(b, "a says %s", line)
		io.Copy(io.Discard, b)
	},
	// Connects back: a line is answered on a new connection.
	"back": func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			b, err := net.Dial("tcp", args[1])
			if err != nil {
				fmt.Fprintln(c, err)
				return
			}
			fmt.Fprintf(b, "%s\n", line)
		})
	},
	// Heddle itself: starts a group with a family of processes. It then waits for
	// its end, or ends without a word to the group.
	"parent": func(args []string) {
		fmt.Println("begin")
		spec := helper(Server, "family", "{addr}")
		spec.Fixed = args[1] == "fixed"
		if _, err := NewGroup([]Spec{spec}); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("ready")
		if args[0] == "exits" {
			os.Exit(0)
		}
		forever()
	},
	// A server with a child, a grandchild that has left its session and its
	// parent, and one that has left the environment too. It listens when they run.
	"family": func(args []string) {
		r, w, err := os.Pipe()
		if err != nil {
			os.Exit(96)
		}
		spawn("sleeper", w, nil, nil)
		spawn("desert", w, nil, []string{"keeps"}).Wait()
		spawn("desert", w, nil, []string{"forgets"}).Wait()
		if _, err := io.ReadFull(r, make([]byte, 3)); err != nil {
			os.Exit(95)
		}
		serveLines(args[0], func(c *net.TCPConn, line string) { fmt.Fprintf(c, "%s\n", line) })
	},
	"desert": func(args []string) {
		var env []string
		if args[0] == "keeps" {
			env = os.Environ()
		}
		spawn("sleeper", os.NewFile(3, "pipe"), &syscall.SysProcAttr{Setsid: true}, nil, env...)
	},
	// Before it answers, two of its children pass something to and fro: one of
	// them sleeps at any time, but never both.
	"relay": func(args []string) {
		const script = `mkfifo a b; cat <a >b & exec 3>a 4<b; i=0
			while [ $i -lt 1000 ]; do echo x >&3; read x <&4; i=$((i+1)); done; exec 3>&-; wait; rm a b`
		serveLines(args[0], func(c *net.TCPConn, line string) {
			cmd := exec.Command("sh", "-c", script)
			cmd.Dir = args[1]
			out, err := cmd.CombinedOutput()
			fmt.Fprintf(c, "%s%s\n", line, out)
			if err != nil {
				fmt.Fprintln(c, err)
			}
		})
	},
	// Says that it runs.
	"sleeper": func([]string) {
		os.NewFile(3, "pipe").Write([]byte("x"))
		forever()
	},
}

// spawn starts a helper as a child, whose descriptor 3 is w. Without env it has
// no environment but its name.
func spawn(name string, w *os.File, attr *syscall.SysProcAttr, args []string, env ...string) *exec.Cmd {
	cmd := exec.Command("/proc/self/exe", args...)
	cmd.Args[0] = "heddle-test-" + name
	if attr == nil {
		env = os.Environ()
	}
	cmd.Env, cmd.ExtraFiles, cmd.SysProcAttr = append(env, "HEDDLE_TEST_PEER="+name), []*os.File{w}, attr
	if err := cmd.Start(); err != nil {
		fmt.Println(err)
		os.Exit(94)
	}
	return cmd
}

// forever waits for a signal that does not come.
func forever() {
	c := make(chan os.Signal, 1)
	signal.Notify(c, syscall.SIGUSR1)
	<-c
}
