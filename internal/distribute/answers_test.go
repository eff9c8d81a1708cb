package distribute

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/queue"
)

// TestWhoAnswers: a task is answered by who was given it, once. What others say about it,
// what is changed on the way and what comes again does not count, and who was not the one who
// lied is not out.
func TestWhoAnswers(t *testing.T) {
	fine := ltstest.Grid(2, 12)
	wrong := wrongAt(fine, []byte{3, 4})
	file, r := recorded(t, fine)
	const slice = 40
	first := func(list []queue.Result) int {
		return slices.IndexFunc(list, func(r queue.Result) bool { return r.Task == partName(1) })
	}
	for _, test := range []struct {
		name    string
		own     ltstest.Model
		worker  ltstest.Model
		deliver func(list []queue.Result) []queue.Result
		out     bool   // the worker is
		want    string // a finding, or ""
		said    string
	}{
		{"the truth", fine, fine, nil, false, "", ""},
		{"a finding", wrong, wrong, nil, false, "it is wrong", ""},
		{"a lie about a finding", wrong, fine, nil, true, "it is wrong", "it does not say"},
		{"a lie that is a finding", fine, wrong, nil, true, "", "which is not so"},
		{"a stranger's answer first", fine, fine, func(list []queue.Result) []queue.Result {
			_, key, _ := ed25519.GenerateKey(nil)
			stranger := queue.Result{Answer: queue.Answer{Task: partName(1), Ticket: "00"}, Worker: "w"}
			stranger.Data = sealed(key, &queue.Task{Name: partName(1), Ticket: "00", Job: &memJob{}}, []byte("nonsense"))
			return append([]queue.Result{stranger}, list...)
		}, false, "", ""},
		{"an answer in the name of another", fine, fine, func(list []queue.Result) []queue.Result {
			list = slices.Clone(list)
			if i := first(list); i >= 0 {
				list[i].Data = append(bytes.Clone(list[i].Data), 0)
			}
			return list
		}, false, "", "it is not signed by who sent it"},
		{"all twice", fine, fine, func(list []queue.Result) (twice []queue.Result) {
			for _, r := range list {
				twice = append(twice, r, r)
			}
			return twice
		}, false, "", ""},
		{"the answer of another part", fine, fine, func(list []queue.Result) []queue.Result {
			list = slices.Clone(list)
			if i, j := first(list), slices.IndexFunc(list, func(r queue.Result) bool { return r.Task == partName(2) }); i >= 0 && j >= 0 {
				list[i].Data = list[j].Data
			}
			return list
		}, false, "", "it is not signed by who sent it"},
		{"a large one", fine, fine, func(list []queue.Result) []queue.Result {
			list = slices.Clone(list)
			if i := first(list); i >= 0 {
				list[i].Data = append(bytes.Clone(list[i].Data), make([]byte, 9<<20)...)
			}
			return list
		}, false, "", "larger than it may be"},
		{"who was told another seed", fine, fine, nil, false, "", "somebody has changed what workers are told"},
		{"given up", fine, fine, func(list []queue.Result) []queue.Result {
			list = slices.Clone(list)
			if i := first(list); i >= 0 {
				list[i].Failed = "it was begun\x1b[2J too often"
			}
			return list
		}, false, "", "it was given up: it was begun\\x1b[2J too often"},
	} {
		s := newMemService()
		s.deliver, s.faithless = test.deliver, true
		if strings.Contains(test.name, "told") {
			s.told = func(text []byte) []byte {
				return bytes.Replace(text, []byte(`"seed":`), []byte(`"seed":7,"unknown":`), 1)
			}
		}
		if s.deliver != nil {
			plain := s.deliver
			s.deliver = func(list []queue.Result) []queue.Result {
				if len(list) < len(partsOf(t, r, slice)) {
					return nil // all at once, so that those before stay what they are
				}
				return plain(list)
			}
		}
		e := &examination{s: s, own: test.own, job: Job{Slice: slice}, cert: Certificate{
			File: file, Reader: r, Assurance: Assurance{Confidence: 0.99, Liars: Liars{Number: 1}},
		}}
		ctx, cancel := context.WithCancel(t.Context())
		done := e.work(t, ctx, "w", test.worker, nil)
		res, err := e.run(ctx)
		cancel()
		<-done
		said := strings.Join(e.view.said, "\n")
		if err != nil || (test.want == "") != (len(res.Findings) == 0) || test.want == "" && (res.Counts != r.Counts || res.Others != "") {
			t.Errorf("%s: got %+v, %v, want %q", test.name, res, err, test.want)
		}
		if strings.Contains(said, "it is out") != test.out || !strings.Contains(said, test.said) {
			t.Errorf("%s: got %q, want %q, out: %v", test.name, said, test.said, test.out)
		}
	}
}

// TestAssured: what is said of results that were not examined here.
func TestAssured(t *testing.T) {
	fine := ltstest.Grid(2, 12)
	file, r := recorded(t, fine)
	for _, test := range []struct {
		a    Assurance
		want string
	}{
		{Assurance{Share: 1}, ""},
		{Assurance{Confidence: 1, Liars: Liars{Share: 0.5}}, "by workers: 5 of 8 parts were examined here, too, drawn when all results were there, so that 4 forged results or more are noticed with probability 1"},
		{Assurance{Confidence: 0.9, Liars: Liars{Number: 3}}, "by workers: 5 of 8 parts were examined here, too, drawn when all results were there, so that 3 forged results or more are noticed with probability 0.9"},
		{Assurance{Share: 0.25}, "by workers: 2 of 8 parts were examined here, too, and the results of the others are believed"},
	} {
		e := &examination{s: newMemService(), own: fine, job: Job{Slice: 40}, cert: Certificate{File: file, Reader: r, Assurance: test.a}}
		ctx, cancel := context.WithCancel(t.Context())
		done := e.work(t, ctx, "w", fine, nil)
		res, err := e.run(ctx)
		cancel()
		<-done
		if err != nil || res.Others != test.want {
			t.Errorf("%v: got %+v, %v, want %q", test.a, res, err, test.want)
		}
	}
}
