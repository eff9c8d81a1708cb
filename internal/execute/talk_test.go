package execute

import (
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/kernel/sockets"
)

func TestReadable(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"1\n", `"1\n"`},
		{"\xff\x00", `"\xff\x00"`},
		{strings.Repeat("x", 9), `"xxxxxxxxx"`},
		{"abcdefghij", `"abcdef…hij" (10 bytes)`},
		{"ééééééé", `"ééé…é" (14 bytes)`},
	} {
		if got := readable([]byte(test.in), 9); got != test.want {
			t.Errorf("%q: got %s want %s", test.in, got, test.want)
		}
	}
}

func TestSayTalk(t *testing.T) {
	for _, test := range []struct {
		talk sockets.Talk
		want string // words, and the message
	}{
		{sockets.Talk{Kind: sockets.Connects, Peer: "server", Number: 1, With: "127.0.0.1:2626", At: "127.0.0.1:2626"},
			"connect to server (127.0.0.1:2626) | main > server: connect"},
		{sockets.Talk{Kind: sockets.Connects, With: "127.0.0.1:1", At: "127.0.0.1:1", Err: 111},
			"connect to 127.0.0.1:1: connection refused | 127.0.0.1:1 > main: connection refused"},
		{sockets.Talk{Kind: sockets.Accepts, Peer: "client.1", Number: 1, At: "127.0.0.1:80"},
			"accept client.1 | client.1 > main: connect"},
		{sockets.Talk{Kind: sockets.Writes, Peer: "server", Number: 2, Data: []byte("1\n")},
			`write "1\n" to server (connection 2) | main > server: "1\n" (connection 2)`},
		{sockets.Talk{Kind: sockets.Reads, With: "127.0.0.1:40000", At: "127.0.0.1:80", Data: []byte("A")},
			`read "A" from 127.0.0.1:40000 | 127.0.0.1:80 > main: "A"`},
		{sockets.Talk{Kind: sockets.Reads, Peer: "server", Number: 1},
			"end of file from server | server > main: end of file"},
		{sockets.Talk{Kind: sockets.Reads, With: `""`, At: `""`, Err: 104},
			"read from the other end: connection reset by peer | socket pair > main: connection reset by peer"},
		{sockets.Talk{Kind: sockets.Shuts, Peer: "server", Number: 1}, "end writing to server | main > server: end of file"},
		{sockets.Talk{Kind: sockets.Closes, Peer: "server", Number: 1}, "close the connection with server | main > server: close"},
		{sockets.Talk{Kind: sockets.Resets, Peer: "server", Number: 1}, "reset the connection with server | main > server: reset"},
		{sockets.Talk{Kind: sockets.Listens, At: "127.0.0.1:80"}, "listen at 127.0.0.1:80 |  > : "},
		{sockets.Talk{Kind: sockets.Sends, Peer: "server", Number: 1, Data: []byte("1"), Times: 1}, `send "1" to server | main > server: "1"`},
		{sockets.Talk{Kind: sockets.Sends, With: "127.0.0.1:7", At: "127.0.0.1:7", Data: []byte("1")},
			`send "1" to 127.0.0.1:7, which is lost | main > 127.0.0.1:7: "1", which is lost`},
		{sockets.Talk{Kind: sockets.Sends, Peer: "server", Number: 1, Data: []byte("1"), Times: 2},
			`send "1" to server, which arrives twice | main > server: "1", which arrives twice`},
		{sockets.Talk{Kind: sockets.Sends, Peer: "server", Number: 1, Data: []byte("1"), Err: 111},
			`send "1" to server, which nobody receives there (connection refused) | main > server: "1", which nobody receives there (connection refused)`},
		{sockets.Talk{Kind: sockets.Receives, Peer: "server", Number: 1, Data: []byte("a"), Over: 2, Times: 1, Cut: true},
			`receive "a" from server, of which only the first half fits, which has overtaken 2 others, which will arrive again | ` +
				`server > main: "a", of which only the first half fits, which has overtaken 2 others, which will arrive again`},
		{sockets.Talk{Kind: sockets.Loses, Peer: "server", Number: 1, Data: []byte("a")}, `"a" from server is lost | server > main: "a", which is lost`},
		{sockets.Talk{Kind: sockets.Weathers, Data: []byte("window=2")}, "what may happen to datagrams from now on: window=2 |  > : "},
		{sockets.Talk{Kind: sockets.Weathers}, "datagrams arrive from now on |  > : "},
	} {
		x := sayTalk(&test.talk, "main")
		if got := x.words + " | " + x.message.From + " > " + x.message.To + ": " + x.message.Text; got != test.want {
			t.Errorf("got %s want %s", got, test.want)
		}
	}
}
