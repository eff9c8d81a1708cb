package distribute

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
)

var (
	handoutKey = []byte("the key of who hands out")
	looked     = []string{"wrong"}
)

// handOut cuts a certificate into files, as somebody else reads them.
func handOut(t testing.TB, r *cert.Reader, k int, greedy bool, key []byte) (list []*cert.PartFile, ticket *Ticket) {
	t.Helper()
	ticket = NewTicket(r, k, greedy, 7, key)
	if err := ticket.Cut(r, func(p *cert.Part) error {
		var b bytes.Buffer
		if err := cert.WritePart(&b, r, p, ticket.Bytes()); err != nil {
			return err
		}
		f, err := cert.OpenPart(bytes.NewReader(b.Bytes()), int64(b.Len()))
		list = append(list, f)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return list, ticket
}

// examineHanded examines a part that was handed out with a system.
func examineHanded(t testing.TB, f *cert.PartFile, m ltstest.Model) []byte {
	t.Helper()
	ticket, err := ReadTicket(f.Ticket)
	if err != nil {
		t.Fatal(err)
	}
	_, data, err := ExaminePart(f, ticket, ltstest.New(m), looked, func() string { return "" }, certcheck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// collected puts results together with a system. It returns what was said, too.
func collected(t testing.TB, file string, r *cert.Reader, m ltstest.Model, a Assurance, files [][]byte) (*certcheck.Result, string, error) {
	t.Helper()
	var list []*Handed
	said := ""
	for _, data := range files {
		h, err := ReadHanded("somebody", data)
		if err == nil {
			err = h.Of(r, handoutKey)
		}
		if err != nil {
			said += err.Error() + "\n"
			continue
		}
		list = append(list, h)
	}
	if len(list) == 0 {
		return nil, said, nil
	}
	c := &Certificate{File: file, Reader: r, NewSystem: func() (lts.System, error) { return ltstest.New(m), nil }, Assurance: a}
	res, err := Collect(c, list, Job{Properties: looked}, Quiet(func(text string) { said += text + "\n" }))
	return res, said, err
}

// TestHandedOut: parts that were handed out as files, examined elsewhere and put together say what a search does, also if
// some are missing, come twice, or come in another order.
func TestHandedOut(t *testing.T) {
	m := ltstest.Philosophers(5, true)
	file, r := recorded(t, m)
	for _, greedy := range []bool{false, true} {
		parts, _ := handOut(t, r, 6, greedy, handoutKey)
		var files [][]byte
		for _, f := range parts {
			files = append(files, examineHanded(t, f, m))
		}
		rnd := rand.New(rand.NewPCG(1, 2))
		for drop := range 3 {
			some := append(append([][]byte{}, files[drop:]...), files[drop:]...)
			rnd.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
			res, said, err := collected(t, file, r, m, Assurance{}, some)
			if err != nil || res.Counts != r.Counts || len(res.Findings) > 0 || strings.Count(said, "there is no result of part") != drop {
				t.Errorf("greedy %v, without %d: got %+v, %v, %q", greedy, drop, res, err, said)
			}
			if res != nil && !strings.Contains(res.Others, "the results of the others are believed") {
				t.Errorf("greedy %v: got %q, want that others are believed", greedy, res.Others)
			}
		}
	}
}

// TestHandedOutLies: no result makes a wrong program right: one that lies about the states is noticed by others, one that hides a finding if its part is drawn,
// and what belongs to something else does not count.
func TestHandedOutLies(t *testing.T) {
	fine := ltstest.Tree(7)
	file, r := recorded(t, fine)
	sys := ltstest.New(fine)
	for steps := sys.Enabled(nil); len(steps) > 0; steps = sys.Enabled(nil) {
		sys.Take(steps[0])
	}
	wrong := wrongAt(fine, sys.AppendKey(nil))
	parts, _ := handOut(t, r, 6, false, handoutKey)
	strange, _ := handOut(t, r, 6, false, []byte("another key"))
	_, other := recorded(t, ltstest.Tree(8))
	others, _ := handOut(t, other, 6, false, handoutKey)
	lie := func(parts []*cert.PartFile, m ltstest.Model) (files [][]byte) {
		for _, f := range parts {
			files = append(files, examineHanded(t, f, m)) // with a system with which nothing is wrong
		}
		return files
	}
	change := func(from, to string) (files [][]byte) {
		for _, data := range lie(parts, fine) {
			files = append(files, bytes.Replace(data, []byte(from), []byte(to), 1))
		}
		return files
	}
	for _, test := range []struct {
		name  string
		files [][]byte
		said  string
	}{
		{"findings are hidden", lie(parts, fine), "it is out"},
		{"handed out by somebody else", lie(strange, fine), "it is not of a part that you have handed out"},
		{"of another certificate", lie(others, ltstest.Tree(8)), "it is of a part of another certificate"},
		{"another seed", change(`"seed":7`, `"seed":8`), "it is not of a part that you have handed out"},
		{"fewer parts", change(`"parts":6`, `"parts":5`), "it is not of a part that you have handed out"},
		{"other properties", change(`["wrong"]`, `["other"]`), "it is about other properties"},
		{"another number", change(`"number":2`, `"number":3`), "there is no result of part 2"},
		{"no result", [][]byte{[]byte("heddle result 1\n{}\n"), nil, []byte("x")}, "it is not the result of a part"},
	} {
		res, said, err := collected(t, file, r, wrong, Assurance{Confidence: 0.99, Liars: Liars{Number: 1}}, test.files)
		if err != nil || res != nil && len(res.Findings) == 0 {
			t.Errorf("%s: got %+v, %v, want a finding", test.name, res, err)
		}
		if !strings.Contains(said, test.said) {
			t.Errorf("%s: got %q, want %q", test.name, said, test.said)
		}
	}
}

// TestHandedOutDamage: a result in which something was changed is never worse than none.
func TestHandedOutDamage(t *testing.T) {
	m := ltstest.Tree(6)
	file, r := recorded(t, m)
	parts, _ := handOut(t, r, 4, false, handoutKey)
	var files [][]byte
	for _, f := range parts {
		files = append(files, examineHanded(t, f, m))
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		changed := bytes.Clone(files[1])
		switch at := rnd.IntN(len(changed)); rnd.IntN(3) {
		case 0:
			changed[at] ^= 1 << rnd.IntN(8)
		case 1:
			changed = changed[:at]
		case 2:
			changed = append(changed[:at], changed[min(at+1+rnd.IntN(20), len(changed)):]...)
		}
		res, said, err := collected(t, file, r, m, Assurance{}, [][]byte{files[0], changed, files[2], files[3]})
		if err != nil || res.Counts != r.Counts || len(res.Findings) > 0 {
			t.Fatalf("got %+v, %v, %q", res, err, said)
		}
	}
}
