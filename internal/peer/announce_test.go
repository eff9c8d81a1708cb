//go:build linux

package peer

import (
	"errors"
	"fmt"
	"io"
	"net"
	"testing"

	"github.com/heddle-mc/heddle/internal/iocache"
)

func init() {
	// Opens a port for each line, where it says the line to who comes first, and announces it as the line says.
	helpers["announces"] = func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return
			}
			port := l.Addr().(*net.TCPAddr).Port
			switch line {
			case "PASV":
				fmt.Fprintf(c, "227 (127,0,0,1,%d,%d).\n", port>>8, port&0xff)
			case "EPSV":
				fmt.Fprintf(c, "229 (|||%d|)\n", port)
			case "none":
				fmt.Fprintf(c, "%d0 x%d 12345 %d.5\n", port, port, port)
			default:
				fmt.Fprintf(c, "port=%d at 127.0.0.1:%d.\n", port, port)
			}
			go func() {
				defer l.Close()
				if c, err := l.Accept(); err == nil {
					io.WriteString(c, line+"\n")
					c.Close()
				}
			}()
		})
	}
}

func otherPort(port, n int) iocache.Name {
	return iocache.Name{Dir: iocache.Out, Creator: iocache.AtPort(port) + "main", N: n}
}

// TestAnnounced: the program sees the same numbers in each run, and reaches the ports by them.
func TestAnnounced(t *testing.T) {
	whole := iocache.HistoryID{Peer: "server", Whole: true}
	for range 2 {
		g := newGroup(t, helper(Server, "announces", "{addr:21}"))
		first, err := new(portMap), error(nil)
		first.first, first.count = g.standIns(0)
		p, err := first.number(1, out(0))
		if err != nil {
			t.Fatal(err)
		}
		l := start(t, g, whole)
		l.hear("")
		l.say(iocache.Open, out(0), "", "")
		l.say(iocache.Write, out(0), "PASV\n", fmt.Sprintf("main#0 227 (127,0,0,1,%d,%d).", p>>8, p&0xff))
		l.say(iocache.Write, out(0), "EPSV\n", fmt.Sprintf("main#0 229 (|||%d|)", p+1))
		l.say(iocache.Write, out(0), "RTSP\n", fmt.Sprintf("main#0 port=%d at 127.0.0.1:%d.", p+2, p+2))
		name := otherPort(p+1, 0)
		l.say(iocache.Open, name, "", fmt.Sprintf("%v EPSV|%v eof", name, name))
		name = otherPort(p, 0)
		l.say(iocache.Open, name, "", fmt.Sprintf("%v PASV|%v eof", name, name))
		// It takes one connection only, and none at ports that it does not have.
		l.say(iocache.Open, otherPort(p, 1), "", fmt.Sprintf("%v refused ECONNREFUSED", otherPort(p, 1)))
		l.say(iocache.Open, otherPort(p+3, 0), "", fmt.Sprintf("%v refused ECONNREFUSED", otherPort(p+3, 0)))
	}
}

// TestAnnouncedApart: a connection by itself does not know what was announced on another one.
func TestAnnouncedApart(t *testing.T) {
	g := newGroup(t, helper(Server, "announces", "{addr:21}"))
	name := otherPort(firstStandIn, 0)
	l := start(t, g, iocache.HistoryID{Peer: "server", Conn: name})
	err := l.p.Do(iocache.Request{Kind: iocache.Open, Conn: name})
	if peer, why := iocache.Depends(err); peer != "server" || why == "" {
		t.Errorf("got %v, want that connections depend on each other", err)
	}
}

// TestOthersNotMeant: a port of somebody else on this machine is none of the peer.
func TestOthersNotMeant(t *testing.T) {
	stranger, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer stranger.Close()
	g := newGroup(t, helper(Server, "echo", "{addr:21}"))
	l := start(t, g, iocache.HistoryID{Peer: "server", Whole: true})
	l.hear("")
	name := otherPort(stranger.Addr().(*net.TCPAddr).Port, 0)
	l.say(iocache.Open, name, "", name.String()+" refused ECONNREFUSED")
}

func TestReplacePorts(t *testing.T) {
	ports := map[int]int{40000: 25601, 8021: 25602}
	for text, want := range map[string]string{
		"":                         "",
		"40000":                    "25601",
		"40000\r\n8021 40000":      "25601\r\n25602 25601",
		"at 127.0.0.1:40000.":      "at 127.0.0.1:25601.",
		"(|||40000|)":              "(|||25601|)",
		`{"port":40000}`:           `{"port":25601}`,
		"server_port=40000-40001":  "server_port=25601-40001",
		"(127,0,0,1,156,64)":       "(127,0,0,1,100,1)",
		"=127,0,0,1,31,85":         "=127,0,0,1,100,2",
		"140000 400001 x40000":     "140000 400001 x40000",
		"40000.5 1.40000 40000x":   "40000.5 1.40000 40000x",
		"1,127,0,0,1,156,64":       "1,127,0,0,1,156,64",
		"127,0,0,1,156,64,1":       "127,0,0,1,156,64,1",
		"(127,0,0,1,256,64) 70000": "(127,0,0,1,256,64) 70000",
		"40000,8021":               "40000,8021",
		"\xff40000":                "\xff40000",
	} {
		got, err := replacePorts([]byte(text), func(p int) (int, error) { return ports[p], nil })
		if string(got) != want || err != nil {
			t.Errorf("%q: got %q, %v, want %q", text, got, err, want)
		}
	}
	full := errors.New("full")
	if _, err := replacePorts([]byte("40000"), func(int) (int, error) { return 0, full }); err != full {
		t.Errorf("got %v, want %v", err, full)
	}
}
