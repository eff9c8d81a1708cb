//go:build linux

package peer

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/heddle-mc/heddle/internal/iocache"
)

func init() {
	// Says everything again, at a socket of the Unix domain.
	helpers["echo unix"] = func(args []string) { serveUnix(args[0]) }
}

// TestUnix: a server at a path is reached there, each run at another one, and no folder is left behind.
func TestUnix(t *testing.T) {
	g := newGroup(t, helper(Server, "echo unix", "{unix:/run/echo.sock}"))
	if got := g.Peers(); len(got) != 1 || got[0].Unix != "/run/echo.sock" || got[0].Port != 0 {
		t.Errorf("got %+v, want one peer at a path", got)
	}
	if got := g.Whole(); len(got) != 1 {
		t.Errorf("got %v, want that answers arrive as a whole", got)
	}
	var dirs []string
	for range 2 {
		l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
		l.hear("")
		l.say(iocache.Open, out(0), "", "")
		l.say(iocache.Write, out(0), "a\n", "main#0 a")
		l.say(iocache.Open, out(1), "", "")
		l.say(iocache.Write, out(1), "b\n", "main#1 b")
		l.say(iocache.Close, out(1), "", "")
		l.say(iocache.Shutdown, out(0), "", "main#0 eof")
		path := l.p.(*live).run.addr.unix
		if _, err := os.Stat(path); err != nil || filepath.Base(path) != "echo.sock" {
			t.Errorf("got %s, %v, want a socket echo.sock", path, err)
		}
		dirs = append(dirs, filepath.Dir(path))
		l.p.Stop()
	}
	g.Close()
	if dirs[0] == dirs[1] || len(dirs[0]) != len(dirs[1]) {
		t.Errorf("got folders %s, want different ones of one length", dirs)
	}
	for _, dir := range dirs {
		if _, err := os.Stat(dir); !os.IsNotExist(err) {
			t.Errorf("%s: got %v, want that it is gone", dir, err)
		}
	}
}
