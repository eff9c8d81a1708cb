//go:build linux

package peer

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/iocache"
)

func init() {
	// Leaves itself behind twice, each in a session of its own, before it listens.
	helpers["daemon"] = func(args []string) {
		if n := os.Getenv("DAEMON"); len(n) < 2 {
			cmd := exec.Command(os.Args[0], args...)
			cmd.Env = append(os.Environ(), "DAEMON="+n+"x")
			cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
			if err := cmd.Start(); err != nil {
				fmt.Println(err)
				os.Exit(96)
			}
			os.Exit(0)
		}
		time.Sleep(5 * time.Millisecond)
		serveLines(args[0], func(c *net.TCPConn, line string) { fmt.Fprintf(c, "%s\n", line) })
	}
}

// TestDaemon: a server that has left its parents is looked at like another one, while others of its kind come and go.
func TestDaemon(t *testing.T) {
	g := newGroup(t, helper(Server, "daemon", "{addr}"))
	for range 20 {
		p, err := g.Start(iocache.HistoryID{Peer: "server", Whole: true})
		if err != nil {
			t.Fatal(err)
		}
		l := teller{t, p}
		l.hear("")
		l.say(iocache.Open, out(0), "", "")
		l.say(iocache.Open, out(1), "", "")
		l.say(iocache.Write, out(0), "one\n", "main#0 one")
		l.say(iocache.Write, out(1), "two\n", "main#1 two")
		p.Stop()
	}
}
