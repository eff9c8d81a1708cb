package iocache

import (
	"bytes"
	"math/rand"
	"strings"
	"testing"
)

func TestCover(t *testing.T) {
	for _, test := range []struct {
		name, a, b string
		rules      string // those that there are, one a line
		want       string
		why        string
	}{
		{"date", "HTTP/1.1 200 OK\r\nDate: Mon, 1\r\n\r\n", "HTTP/1.1 200 OK\r\nDate: Tue, 2\r\n\r\n", "", "http-date", ""},
		{"two", "Date: Mon, 1\r\nid 9b2d3a84-3e2c-4a2f-9d58-0f6b1f1c2d3e", "Date: Tue, 2\r\nid 002d3a84-3e2c-4a2f-9d58-0f6b1f1c2d3e", "", "http-date|uuid", ""},
		{"tls", "\x16\x03\x03\x00\x41\x02\x00a", "\x16\x03\x03\x00\x41\x02\x00b", "", "", "no rule is enough (tls-hello): what the program says next"},
		{"number", "your ticket is 17\nbye\n", "your ticket is 18\nbye\n", "", `response: (your ticket is )[0-9:.]+(\n) => $1$2`, ""},
		{"longer", "your ticket is 9\nbye\n", "your ticket is 10\nbye\n", "", `response: (your ticket is )[0-9:.]+(\n) => $1$2`, ""},
		{"hex", "token=dead00, ok", "token=dead1f, ok", "", `response: (token=)[0-9a-f]+(, ok) => $1$2`, ""},
		{"line", "at noon sharp!\nbye\n", "at one, dull\nbye\n", "", `response: (at )[^\r\n]+(\n) => $1$2`, ""},
		{"places", "a: 1; the middle part is long; b: 2.", "a: 3; the middle part is long; b: 4.", "", `response: (a: )[0-9:.]+(; the mi) => $1$2|response: (art is long; b: )[0-9:.]+() => $1$2`, ""},
		{"binary", "salt\x00\xff\x80'=>end", "salt\x01\xfe\x0a'=>end", "", `response: (salt)(?s:.{3})(\x27=\x3eend) => $1$2`, ""},
		{"inserted", "hello world\n", "hello new\tworld\n", "", `response: (hello )(?s:.*?)(world\n) => $1$2`, ""},
		{"end", "answer: ", "answer: \x00\x01", "", `response: (answer: )(?s:.*)() => $1$2`, ""},
		{"little", "1\n", "2\n", "", "", ""},
		{"nothing", "abc", "\x00\x01", "", "", ""},
		{"the others", "id=1 ticket 17\n", "id=2 ticket 18\n", "response: id=[0-9]+ => id", `response: (id ticket )[0-9:.]+(\n) => $1$2`, ""},
	} {
		e := &Nondeterminism{Cached: []byte(test.a), Now: []byte(test.b)}
		for line := range strings.Lines(test.rules) {
			r, err := ParseRule(line)
			if err != nil {
				t.Fatal(err)
			}
			e.rules = append(e.rules, r)
		}
		got, why := e.Cover()
		if strings.Join(got, "|") != test.want || !strings.HasPrefix(why, test.why) || (test.why == "") != (why == "") {
			t.Errorf("%s:\ngot  %s %s\nwant %s %s", test.name, strings.Join(got, "|"), why, test.want, test.why)
		}
		e.CachedEnd = EndOfFile
		if got, _ := e.Cover(); got != nil {
			t.Errorf("%s: the ends differ, which no rule covers: got %s", test.name, got)
		}
	}
}

func TestDiff(t *testing.T) {
	for _, test := range []struct{ a, b, want string }{
		{"ticket 17\n", "ticket 18\n", `
  first  "ticket 17\n"
                  ^
  again  "ticket 18\n"
                  ^
`},
		{"0123456789012345678901234567890 a\x00\n", "0123456789012345678901234567890 bcd\xff", `
  first  "...89012345678901234567890 a\x00\n"
                                     ^^^^^^^
  again  "...89012345678901234567890 bcd\xff"
                                     ^^^^^^^
`},
		{"same, same", "same, not the same", `
  first  "same, same"
                ^
  again  "same, not the same"
                ^^^^^^^^
`},
	} {
		if got := "\n" + diff([]byte(test.a), []byte(test.b)); got != test.want {
			t.Errorf("%q, %q: got%swant%s", test.a, test.b, got, test.want)
		}
	}
	many := diff([]byte(strings.Repeat("abcdef1", 9)), []byte(strings.Repeat("abcdef2", 9)))
	if !strings.HasSuffix(many, "\n  and 5 more\n") {
		t.Errorf("got %s", many)
	}
}

// TestCoverRandom: what is between regions is the same, regions put together are the whole, and rules that are advised do make answers equal.
func TestCoverRandom(t *testing.T) {
	rnd := rand.New(rand.NewSource(1))
	advised := 0
	for range 1000 {
		text := func() []byte {
			out := []byte{}
			for range rnd.Intn(6) {
				out = append(out, []string{"id=", "17", "x\n", "\x00\xff", "the quick brown fox ", "'=>", "3f"}[rnd.Intn(7)]...)
			}
			return out
		}
		start, end := text(), text()
		a, b := bytes.Join([][]byte{start, text(), end}, nil), bytes.Join([][]byte{start, text(), end}, nil)
		if bytes.Equal(a, b) {
			continue
		}
		list := regions(a, b)
		i, j := 0, 0
		for _, r := range append(list, region{len(a), len(a), len(b), len(b)}) {
			if i > r.a || j > r.b || !bytes.Equal(a[i:r.a], b[j:r.b]) || r.a > r.aEnd || r.b > r.bEnd {
				t.Fatalf("%q %q: regions %v", a, b, list)
			}
			i, j = r.aEnd, r.bEnd
		}
		e := &Nondeterminism{Cached: a, Now: b}
		got, _ := e.Cover()
		var rules Rules
		for _, one := range got {
			more, err := ParseRules(one)
			if err != nil || strings.Contains(one, "'") {
				t.Fatalf("%q %q: %s: %v", a, b, one, err)
			}
			rules = append(rules, more...)
		}
		x, _ := rules.response("", a)
		y, _ := rules.response("", b)
		if len(got) > 0 && !bytes.Equal(x, y) {
			t.Fatalf("%q %q: %s does not cover it", a, b, got)
		}
		if len(got) > 0 {
			advised++
		}
		e.Diff() // whatever the bytes
	}
	if advised < 300 {
		t.Errorf("got advice %d times only", advised)
	}
}
