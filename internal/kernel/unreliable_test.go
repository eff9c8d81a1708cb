package kernel

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	dg "github.com/heddle-mc/heddle/internal/datagram"
	"github.com/heddle-mc/heddle/internal/kernel/host"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// udpPair returns a socket that is bound and one that is connected to it.
func udpPair(t interface{ Fatal(...any) }, k *Kernel) (r, s int) {
	at := sockaddr{ip: own4, port: 4000}.encode(linux.AF_INET)
	var e [4]linux.Errno
	r, e[0] = k.Socket(linux.AF_INET, linux.SOCK_DGRAM|linux.SOCK_NONBLOCK, 0)
	s, e[1] = k.Socket(linux.AF_INET, linux.SOCK_DGRAM|linux.SOCK_NONBLOCK, 0)
	e[2], e[3] = k.Bind(r, at), k.Connect(s, at)
	if e != [4]linux.Errno{} {
		t.Fatal(e)
	}
	return r, s
}

// TestUnreliable sends and receives at random, in random ways, with settings that
// change: the state comes back with the mark, what is received is what the network may
// deliver, and with a reliable network again all arrives.
func TestUnreliable(t *testing.T) {
	texts := []string{"", "multiply=1,0", "multiply=1,0,2", "window=2", "multiply=2,1 window=3", "send.multiply=1,0 receive.window=2", "truncate", "receive.multiply=0,2"}
	var lost, again, over int
	rapid.Check(t, func(t *rapid.T) {
		k := New(&host.Real{}, Options{})
		r, s := udpPair(t, k)
		text := rapid.SampledFrom(texts).Draw(t, "settings")
		settings, err := dg.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		k.SetUDP(settings)
		got, sent := "", 0
		b := make([]byte, 8)
		receive := func() bool {
			n := k.ReceiveWays(r)
			k.Choose(rapid.IntRange(0, n-1).Draw(t, "way"))
			n, e := k.Read(r, b)
			if e == 0 {
				got += string(b[:1])
				if want := 2; n != want && !settings.Truncate {
					t.Fatalf("got %d bytes, want %d", n, want)
				}
			}
			return e == 0
		}
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			m, before := k.Mark(), string(k.AppendKey(nil))
			back, heard, letters := rapid.IntRange(0, 3).Draw(t, "back") == 0, got, sent
			if rapid.Bool().Draw(t, "send") && sent < 6 {
				k.Choose(rapid.IntRange(0, k.SendWays(s, nil)-1).Draw(t, "way"))
				if n, e := k.Write(s, []byte{'a' + byte(sent), '.'}); n != 2 || e != 0 {
					t.Fatalf("write: got %d %v", n, e)
				}
				sent++
			} else {
				receive()
			}
			if back {
				k.Restore(m)
				got, sent = heard, letters
				if string(k.AppendKey(nil)) != before {
					t.Fatal("the state did not come back")
				}
			}
		}
		for k.PollEvents(r, linux.EvIn) != 0 {
			receive()
		}
		how := settings.Send
		if how.Reliable() {
			how = settings.Receive
		}
		if why := forbidden(how, sent, got); why != "" {
			t.Fatalf("%q: %d sent, got %q: %s", text, sent, got, why)
		}
		for i := range sent {
			switch n := strings.Count(got, string(rune('a'+i))); {
			case n == 0:
				lost++
			case n > 1:
				again++
			}
		}
		if !slices.IsSorted([]byte(got)) {
			over++
		}
		k.SetUDP(dg.Settings{})
		k.Write(s, []byte("z."))
		if got = ""; !receive() || got != "z" {
			t.Fatalf("got %q of a network that is reliable again, want z", got)
		}
	})
	if (lost == 0 || again == 0 || over == 0) && !testing.Short() {
		t.Errorf("got %d lost, %d duplicated, %d sequences in another order: too few to say anything", lost, again, over)
	}
}

// forbidden says why a network cannot have delivered some letters: see package
// datagram.
func forbidden(d dg.Direction, sent int, word string) string {
	k := 0
	for i := range sent {
		letter := string(rune('a' + i))
		n := strings.Count(word, letter)
		if !slices.Contains(d.Times(), n) {
			return letter + " does not arrive so often"
		}
		if n == 0 {
			continue
		}
		k++
		done := 0
		for j := range sent {
			if last := strings.LastIndex(word, string(rune('a'+j))); last >= 0 && last < strings.Index(word, letter) {
				done++
			}
		}
		if done < k-d.Places() {
			return letter + " has overtaken too many"
		}
	}
	return ""
}
