package distribute

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/lts/ltstest"
	"github.com/heddle-mc/heddle/internal/queue"
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
	if _, err := explore.Run(func() (lts.System, error) { return ltstest.New(m), nil }, explore.Options{All: true, Observer: rec}); err != nil {
		t.Fatal(err)
	}
	if err := rec.Close(nil); err != nil {
		t.Fatal(err)
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
		View: func(int) View { return &e.view },
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
		if len(job.reads) > 0 {
			t.Errorf("%s: the coordinator has read %v from the queue", test.name, job.reads)
		}
	}
}
