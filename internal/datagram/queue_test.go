package datagram

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"testing"
)

func same(a, b string) bool { return a == b }

// sent returns n different packets.
func sent(n int) []string {
	var list []string
	for i := range n {
		list = append(list, string(rune('p'+i)))
	}
	return list
}

// received enumerates what a receiver gets: all packets are there, and it takes
// one after the other. Each sequence of choices is one entry.
func received(d Direction, packets []string) (list []string) {
	var q Queue[string]
	for _, p := range packets {
		q = q.Put(p)
	}
	var walk func(q Queue[string], got string)
	walk = func(q Queue[string], got string) {
		if len(q) == 0 {
			list = append(list, got)
		}
		for _, w := range q.Receive(d, same) {
			if w.Lost {
				walk(w.Rest, got)
			} else {
				walk(w.Rest, got+w.Packet)
			}
		}
	}
	walk(q, "")
	return list
}

// flushed enumerates what leaves a send buffer, which algorithm 3 of paper 004
// empties at each packet down to Window-1 packets, and at last.
func flushed(d Direction, packets []string) (list []string) {
	var send func(q Queue[string], packets []string, out string)
	flush := func(q Queue[string], down int, out string, then func(Queue[string], string)) {
		for _, order := range q.Flush(down, same) {
			q, out := q, out
			for _, i := range order {
				out += q[i].Packet
				q = q.Take(i)
			}
			then(q, out)
		}
	}
	send = func(q Queue[string], packets []string, out string) {
		if len(packets) == 0 {
			flush(q, 0, out, func(_ Queue[string], out string) { list = append(list, out) })
			return
		}
		for _, times := range d.Times() {
			flush(q.Add(packets[0], times, d.Places()), d.Places()-1, out, func(q Queue[string], out string) {
				send(q, packets[1:], out)
			})
		}
	}
	send(nil, packets, "")
	return list
}

// bruteForce returns all sequences by their definition: every word over the packets
// with allowed numbers of letters in which letter k comes first when at least
// k-Window of the letters that occur have come for the last time.
func bruteForce(d Direction, packets []string) map[string]bool {
	all := map[string]bool{}
	most := 0
	for _, n := range d.Times() {
		most = max(most, n)
	}
	var walk func(word string)
	walk = func(word string) {
		if allowed(d, packets, word) {
			all[word] = true
		}
		for _, p := range packets {
			if strings.Count(word, p) < most {
				walk(word + p)
			}
		}
	}
	walk("")
	return all
}

func allowed(d Direction, packets []string, word string) bool {
	k := 0 // among those that occur
	for _, p := range packets {
		if !slices.Contains(d.Times(), strings.Count(word, p)) {
			return false
		}
		first := strings.Index(word, p)
		if first < 0 {
			continue
		}
		k++
		done := 0
		for _, o := range packets {
			if last := strings.LastIndex(word, o); last >= 0 && last < first {
				done++
			}
		}
		if done < k-d.Places() {
			return false
		}
	}
	return true
}

var directions = []string{
	"", "multiply=1,0", "multiply=1,0,2", "multiply=1,2", "multiply=2", "multiply=0,3", "multiply=0",
	"window=2", "multiply=1,0 window=2", "multiply=1,0,2 window=2", "multiply=2,1 window=2",
	"window=3", "multiply=1,0 window=3", "multiply=1,0,2 window=3", "multiply=2 window=3", "window=9", "multiply=1,3 window=9",
}

func direction(t *testing.T, text string) Direction {
	s, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return s.Send
}

// TestSequences: both directions enumerate exactly the sequences of the definition,
// each once, and their number is the one that Count computes.
func TestSequences(t *testing.T) {
	total := 0
	for _, text := range directions {
		d := direction(t, text)
		for n := range 6 {
			packets := sent(n)
			if slices.Max(d.Times()) > 1 && n > 3 {
				continue // millions
			}
			want := slices.Sorted(maps.Keys(bruteForce(d, packets)))
			for side, got := range map[string][]string{"receive": received(d, packets), "send": flushed(d, packets)} {
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("%q, %d packets, %s: got %d sequences %.200v, want %d %.200v", text, n, side, len(got), got, len(want), want)
				}
			}
			if got := Count(d, n); got.Cmp(big.NewInt(int64(len(want)))) != 0 {
				t.Errorf("%q, %d packets: got a count of %v, want %d", text, n, got, len(want))
			}
			total += len(want)
		}
	}
	if total < 3500 {
		t.Errorf("got %d sequences in all: too few to say anything", total)
	}
}

// TestPaper is the list of paper 004, section III.B: two packets, each lost,
// delivered once or twice.
func TestPaper(t *testing.T) {
	want := strings.Fields("p pp ppq ppqq q qq qqp qqpp pq pqp pqpq qp qpq qpqp qpp pqqp pqq qppq")
	want = append(want, "")
	slices.Sort(want)
	got := received(direction(t, "multiply=1,0,2 window=2"), []string{"p", "q"})
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func factorial(n int) *big.Int { return new(big.Int).MulRange(1, int64(n)) }

// TestFormulas holds Count against the closed forms of its comment.
func TestFormulas(t *testing.T) {
	power := func(b, e int) *big.Int { return new(big.Int).Exp(big.NewInt(int64(b)), big.NewInt(int64(e)), nil) }
	inWindow := func(r, w int) *big.Int {
		if r <= w {
			return factorial(r)
		}
		return new(big.Int).Mul(factorial(w), power(w, r-w))
	}
	check := func(d Direction, n int, want *big.Int) {
		t.Helper()
		if got := Count(d, n); got.Cmp(want) != 0 {
			t.Errorf("%v, %d packets: got %v, want %v", d, n, got, want)
		}
	}
	for n := range 20 {
		check(Direction{Multiply: []int{1, 0, 2}}, n, power(3, n))
		check(Direction{Multiply: []int{3, 1}}, n, power(2, n))
		for w := 1; w <= 6; w++ {
			check(Direction{Window: w}, n, inWindow(n, w))
			sum := new(big.Int)
			for r := range n + 1 {
				sum.Add(sum, new(big.Int).Mul(new(big.Int).Binomial(int64(n), int64(r)), inWindow(r, w)))
			}
			check(Direction{Multiply: []int{0, 1}, Window: w}, n, sum)
		}
	}
	for _, times := range [][]int{{1, 0, 2}, {2}, {1, 3}, {0, 1, 2, 3}} {
		for n := range 7 {
			sum := new(big.Int)
			var walk func(i, all int, under *big.Int)
			walk = func(i, all int, under *big.Int) {
				if i == n {
					sum.Add(sum, new(big.Int).Div(factorial(all), under))
					return
				}
				for _, m := range times {
					walk(i+1, all+m, new(big.Int).Mul(under, factorial(m)))
				}
			}
			walk(0, 0, big.NewInt(1))
			check(Direction{Multiply: times, Window: max(n, 1)}, n, sum)
		}
	}
}

// TestEqualPackets: packets that are the same make no two ways out of one.
func TestEqualPackets(t *testing.T) {
	got := received(Direction{Window: 3}, []string{"p", "p", "p"})
	if fmt.Sprint(got) != "[ppp]" {
		t.Errorf("got %v, want [ppp]", got)
	}
}

// TestSentAndReceived: what the sender's side has decided, the receiver's does not
// decide again.
func TestSentAndReceived(t *testing.T) {
	q := Queue[string](nil).Add("p", 2, 2).Put("q")
	var got []string
	for _, w := range q.Receive(Direction{Multiply: []int{1, 0}, Window: 2}, same) {
		got = append(got, fmt.Sprintf("%s %v: %s", w.Packet, w.Lost, w.Rest.Text(func(p string) string { return p })))
	}
	want := "p false: p/2 q/2; q false: p×2/2; q true: p×2/2"
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
	got = nil
	for _, w := range q.Receive(Direction{}, same) {
		got = append(got, w.Packet+": "+w.Rest.Text(func(p string) string { return p }))
	}
	if text := strings.Join(got, "; "); text != "p: p/2 ?q" {
		t.Errorf("got %s, want p: p/2 ?q", text)
	}
	none := Queue[string](nil).Put("p").Receive(Direction{Multiply: []int{0}}, same)
	if len(none) != 1 || !none[0].Lost || len(none[0].Rest) != 0 {
		t.Errorf("got %v, want one way in which p is lost", none)
	}
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "",
		"multiply=1":                     "",
		"window=1":                       "",
		"multiply=1,0,2 window=2":        "multiply=1,0,2 window=2",
		"send.multiply=1,0":              "send.multiply=1,0",
		"receive.window=3 multiply=1,2":  "send.multiply=1,2 receive.multiply=1,2 receive.window=3",
		"unreachable truncate  window=2": "window=2 truncate unreachable",
		"multiply=1,0 send.multiply=1":   "receive.multiply=1,0",
		"multiply=1,1":                   "error: multiply=1,1: say how many times a packet may arrive, different numbers from 0 to 4",
		"multiply=":                      "error: multiply=: say how many times a packet may arrive, different numbers from 0 to 4",
		"window=0":                       "error: window=0: say how many packets may change places, 1 to 16",
		"windows=2":                      `error: unknown setting "windows=2": say multiply=1,0,2, window=2, truncate or unreachable`,
		"send.truncate":                  `error: unknown setting "truncate": say multiply=1,0,2, window=2, truncate or unreachable`,
		"send.multiply=2 receive.multiply=0,1 lost": `error: unknown setting "lost": say multiply=1,0,2, window=2, truncate or unreachable`,
	} {
		s, err := Parse(text)
		got := s.String()
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		if again, _ := Parse(got); err == nil && again.String() != got {
			t.Errorf("%q: got %q when read again", got, again)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("multiply=1,0,2 window=2 send.multiply=1 truncate")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(s.String())
		if err != nil || again.String() != s.String() {
			t.Errorf("%q: got %q, which is read as %q, %v", text, s, again, err)
		}
	})
}
