package distribute

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/queue"
	"github.com/heddle-mc/heddle/internal/recheck"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// identity is that of all programs of these tests: workers have one system each.
const identity = "toy"

// recorded writes the certificate of a model to a file, and returns both.
func recorded(t testing.TB, m ltstest.Model) (file string, r *cert.Reader) {
	t.Helper()
	var out bytes.Buffer
	w, err := cert.NewWriter(&out, cert.Header{Kind: cert.Full, Program: []cert.Pair{{Name: "identity", Value: identity}}})
	if err != nil {
		t.Fatal(err)
	}
	rec := cert.NewRecorder(w)
	res, err := explore.Run(func() (lts.System, error) { return ltstest.New(m), nil }, explore.Options{All: true, Observer: rec})
	if err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(nil); err != nil {
		t.Fatal(err)
	}
	if err := recheck.Examine(out.Bytes(), ltstest.New(m), 1_000_000); (err == nil) != (len(res.Findings) == 0) {
		t.Fatalf("the search has found %v, and the second checker says: %v", res.Findings, err)
	}
	file = filepath.Join(t.TempDir(), "c.heddle")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if r, err = cert.Open(bytes.NewReader(out.Bytes()), int64(out.Len())); err != nil {
		t.Fatal(err)
	}
	return file, r
}

// toyPrograms are those of a worker: one system.
type toyPrograms struct{ sys lts.System }

func (p toyPrograms) Certified(context.Context, *Job, *cert.Reader) (lts.System, func(), error) {
	return p.sys, func() {}, nil
}
func (p toyPrograms) Searched(context.Context, *Job) (Searcher, error) { panic("there is no swarm") }
func (p toyPrograms) Found(lts.System) string                          { return "" }

// quiet shows nothing, and keeps what is said.
type quiet struct {
	mu   sync.Mutex
	said []string
}

func (q *quiet) Told(int, queue.Progress) {}
func (q *quiet) Ended(int)                {}
func (q *quiet) Clear()                   {}
func (q *quiet) Say(text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.said = append(q.said, text)
}

// An examination is a certificate that workers examine over a queue in memory.
type examination struct {
	s    *memService
	own  ltstest.Model // of the coordinator
	cert Certificate
	job  Job
	view quiet

	alone time.Duration // see Options
}

// work starts a worker with a system, whose results are changed.
func (e *examination) work(t testing.TB, ctx context.Context, name string, m ltstest.Model, change func(task string, result []byte) []byte) (done chan struct{}) {
	w := &Worker{Programs: toyPrograms{ltstest.New(m)}}
	q, err := e.s.Connect(ctx, "", queue.Credentials{}, queue.Options{})
	if err != nil {
		t.Fatal(err)
	}
	done = make(chan struct{})
	go func() {
		defer close(done)
		q.Work(ctx, queue.Worker{Name: name, Open: func(ctx context.Context, j queue.Job) (queue.Handler, error) {
			h, err := w.Open(ctx, j)
			if err != nil || change == nil {
				return h, err
			}
			return func(ctx context.Context, task *queue.Task) ([]byte, error) {
				data, err := h(ctx, task)
				return change(task.Name, data), err
			}, nil
		}})
	}()
	return done
}

// run has it examined.
func (e *examination) run(ctx context.Context) (*certcheck.Result, error) {
	e.cert.NewSystem = func() (lts.System, error) { return ltstest.New(e.own), nil }
	e.cert.Found = func(string) (bool, error) { return false, nil }
	return Examine(ctx, &Options{
		Service: e.s, NATS: "memory", Listening: func(string) {}, Log: func(string) {},
		View: func(int) View { return &e.view }, Alone: e.alone,
	}, &e.cert, e.job)
}

// forked has a start with a long way, a step, and a short way. The step in the middle
// leads to another state, to the start, or is not there.
func forked(middle string) ltstest.Model {
	const way, wrong = 40, 99
	return ltstest.Model{
		Start: []byte{0},
		Enabled: func(s []byte, dst []lts.Step) []lts.Step {
			switch {
			case s[0] == 0 && middle == "":
				return append(dst, 0, 2)
			case s[0] == 0:
				return append(dst, 0, 1, 2)
			case s[0] < way || s[0] > 50 && s[0] < 60:
				return append(dst, 0, 1)
			}
			return dst
		},
		Take: func(s []byte, x lts.Step) {
			switch {
			case s[0] == 0 && x == 2:
				s[0] = 51
			case s[0] == 0 && x == 1 && middle == "wrong":
				s[0] = wrong
			case x == 1:
				s[0] = 0
			default:
				s[0]++
			}
		},
		Wrong: func(s []byte) string {
			if s[0] == wrong {
				return "it is wrong"
			}
			return ""
		},
	}
}

// partsOf cuts a certificate as a coordinator does.
func partsOf(t testing.TB, r *cert.Reader, slice uint64) (list []*cert.Part) {
	t.Helper()
	if err := r.Slices(slice, func(p *cert.Part) error {
		p, err := cert.ReadPart(p.Append(nil))
		list = append(list, p)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestReplacedParts: parts in the queue are replaced by others that leave out a step. It
// is the parts of the coordinator's own certificate that are examined, and who was given
// another part has not lied.
func TestReplacedParts(t *testing.T) {
	const slice = 30
	good, bad := forked("start"), forked("wrong")
	file, r := recorded(t, good)
	forged := map[string][]byte{}
	skipped := false
	for _, p := range partsOf(t, r, slice) {
		if p.Way[0].Done == 1 && len(p.Way) > 1 {
			p.Way[0].Done, skipped = 2, true
		}
		forged[partName(p.Number)] = p.Append(nil)
	}
	if !skipped || len(forged) < 3 {
		t.Fatalf("got %d parts, skipped %v", len(forged), skipped)
	}
	for _, test := range []struct {
		name   string
		system ltstest.Model
		want   string
	}{
		{"a good certificate", good, ""},
		{"one that leaves out a wrong state", bad, "state"},
	} {
		s := newMemService()
		s.get = func(name string, data []byte) []byte {
			if f := forged[name]; f != nil {
				return f
			}
			return data
		}
		var job *memJob
		s.hand = func(string, string) bool { job = s.job; return true }
		e := &examination{s: s, own: test.system, job: Job{Slice: slice}, cert: Certificate{File: file, Reader: r, Assurance: Assurance{Share: 1}}}
		ctx, cancel := context.WithCancel(t.Context())
		done := e.work(t, ctx, "w", test.system, nil)
		res, err := e.run(ctx)
		cancel()
		<-done
		var dev *certcheck.Deviation
		if test.want == "" && (err != nil || len(res.Findings) > 0 || res.Counts != r.Counts) {
			t.Errorf("%s: got %+v, %v, want it certified", test.name, res, err)
		}
		if test.want != "" && (!errors.As(err, &dev) || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: got %+v, %v, want it refused", test.name, res, err)
		}
		if said := strings.Join(e.view.said, "\n"); strings.Contains(said, "it is out") || !strings.Contains(said, "was given another part") {
			t.Errorf("%s: got %q, want that nobody is out", test.name, said)
		}
		if len(job.reads) > 0 {
			t.Errorf("%s: the coordinator has read %v from the queue", test.name, job.reads)
		}
	}
}

// A mischief is a queue that does what it can with what passes through it. All is drawn from
// one source, under a lock.
type mischief struct {
	mu      sync.Mutex
	rnd     *rand.Rand
	level   int // of 10: how often it does something
	blobs   [][]byte
	results []queue.Result
	sent    []queue.Result // what the coordinator gets, for ever
	seen    int
}

func (m *mischief) now() bool { return m.rnd.IntN(10) < m.level }

// garble changes some bytes.
func (m *mischief) garble(data []byte) []byte {
	data = bytes.Clone(data)
	switch m.rnd.IntN(4) {
	case 0:
		return nil
	case 1:
		return data[:m.rnd.IntN(len(data)+1)]
	}
	for range 1 + m.rnd.IntN(4) {
		if len(data) > 0 {
			data[m.rnd.IntN(len(data))] ^= byte(1 << m.rnd.IntN(8))
		}
	}
	return data
}

// blob replaces a blob by another one, by one that was there before, or by nonsense.
func (m *mischief) blob(_ string, data []byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.blobs = append(m.blobs, data)
	switch {
	case !m.now():
		return data
	case m.rnd.IntN(2) == 0:
		return m.blobs[m.rnd.IntN(len(m.blobs))]
	}
	return m.garble(data)
}

// told changes a digit of what workers are told, which is still JSON.
func (m *mischief) told(text []byte) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.now() {
		return text
	}
	if i := bytes.LastIndexAny(text, "0123456789"); i >= 0 && m.rnd.IntN(2) == 0 {
		text[i] = '0' + byte(m.rnd.IntN(10))
		return text
	}
	return m.garble(text)
}

// added hands a task to nobody, to several, or with another ticket.
func (m *mischief) added(t queue.Answer) []queue.Answer {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.now() {
		return []queue.Answer{t}
	}
	switch m.rnd.IntN(4) {
	case 0:
		return nil
	case 1:
		return []queue.Answer{t, t, t}
	case 2:
		return []queue.Answer{{Task: t.Task, Ticket: "00"}}
	}
	return []queue.Answer{{Task: partName(1 + m.rnd.IntN(9)), Ticket: t.Ticket}}
}

// deliver withholds, repeats, replaces and reorders results.
func (m *mischief) deliver(list []queue.Result) []queue.Result {
	m.mu.Lock()
	defer m.mu.Unlock()
	for ; m.seen < len(list); m.seen++ {
		m.results = append(m.results, list[m.seen])
		r := list[m.seen]
		if m.now() {
			other := m.results[m.rnd.IntN(len(m.results))]
			switch m.rnd.IntN(7) {
			case 0:
				continue // nobody gets it
			case 1:
				m.sent = append(m.sent, other) // again
			case 2:
				r.Data = other.Data
			case 3:
				r.Answer = other.Answer
			case 4:
				r.Data = m.garble(r.Data)
			case 5:
				r.Failed = "it was given up"
			case 6:
				r.Worker = "somebody else"
			}
		}
		m.sent = append(m.sent, r)
		if n := len(m.sent); n > 1 && m.now() && m.seen == len(list)-1 {
			m.sent = append(m.sent, m.sent[m.rnd.IntN(n)])
		}
	}
	return m.sent
}

// TestHostileQueue: a queue that does what it can, and workers that lie, never make a wrong
// verdict, and the work ends. If workers are honest the queue cannot make one though they
// are believed.
func TestHostileQueue(t *testing.T) {
	fine, bad := ltstest.Grid(2, 14), wrongAt(ltstest.Grid(2, 14), []byte{9, 3})
	fineFile, fineCert := recorded(t, fine)
	shortFile, shortCert := recorded(t, forked("start"))
	verdicts, others := map[string]int{}, 0
	for run := range testlong.Or(48, 200) {
		rnd := rand.New(rand.NewPCG(uint64(run), 21))
		m := &mischief{rnd: rnd, level: run % 11}
		s := newMemService()
		s.get, s.told, s.added, s.deliver, s.faithless = m.blob, m.told, m.added, m.deliver, run%2 == 0
		s.answered = func(all map[queue.Answer]bool) {
			m.mu.Lock()
			defer m.mu.Unlock()
			if m.now() {
				all[queue.Answer{Task: partName(1 + rnd.IntN(9)), Ticket: "00"}] = true
			}
		}
		e := &examination{s: s, alone: 10 * time.Millisecond, job: Job{Slice: 40}}
		e.cert = Certificate{File: fineFile, Reader: fineCert, Assurance: Assurance{Confidence: 1, Liars: Liars{Number: 1}}}
		e.cert.Check.Workers = run % 3
		var want, lie string
		var liar ltstest.Model
		switch run % 3 {
		case 0:
			e.own, liar, want, lie = fine, bad, "certified", "a finding"
		case 1:
			e.own, liar, want, lie = bad, fine, "violation", "no finding"
		case 2:
			e.own, liar, want, lie = forked("wrong"), forked("start"), "refused", "that it is right"
			e.cert.File, e.cert.Reader = shortFile, shortCert
		}
		believed := run%4 == 3
		if believed {
			e.cert.Assurance, liar = Assurance{}, e.own
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
		crew := []chan struct{}{
			e.work(t, ctx, "honest", e.own, nil), e.work(t, ctx, "liar", liar, nil),
			e.work(t, ctx, "noise", e.own, func(_ string, data []byte) []byte {
				m.mu.Lock()
				defer m.mu.Unlock()
				return m.garble(data)
			}),
		}
		res, err := e.run(ctx)
		late := ctx.Err()
		cancel()
		for _, done := range crew {
			<-done
		}
		var dev *certcheck.Deviation
		got := fmt.Sprint(err)
		switch {
		case late != nil:
			got = "no end"
		case err == nil && len(res.Findings) > 0:
			got = "violation"
		case err == nil:
			got = "certified"
			if res.Others != "" && !believed {
				t.Errorf("run %d: got %q, want that all was examined here", run, res.Others)
			}
			if res.Others != "" {
				others++
			}
		case errors.As(err, &dev):
			got = "refused"
		}
		verdicts[got]++
		if said := strings.Join(e.view.said, "\n"); believed && strings.Contains(said, "it is out") {
			t.Errorf("run %d: got %q, want that nobody is out, since all are honest", run, said)
		}
		if got != want {
			t.Errorf("run %d, in which liars say %s: got %s, want %s", run, lie, got, want)
		}
	}
	t.Logf("verdicts: %v, %d of them by others", verdicts, others)
}
