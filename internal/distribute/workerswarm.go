package distribute

import (
	"context"
	"encoding/json"
	"time"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/queue"
)

// openSwarm gets ready for searches of a swarm.
func (w *Worker) openSwarm(ctx context.Context, text Job) (*openJob, error) {
	s, err := w.Programs.Searched(ctx, &text)
	if err != nil {
		return nil, err
	}
	m := &memberWorker{s}
	return &openJob{do: m.do}, nil
}

// A memberWorker does searches of one swarm.
type memberWorker struct{ searcher Searcher }

// do does one search.
func (m *memberWorker) do(ctx context.Context, t *queue.Task, told func(int)) ([]byte, error) {
	o, err := m.searcher.Options()
	if err != nil {
		return nil, err
	}
	over := func() bool { return ctx.Err() != nil }
	began := time.Now()
	o.Clock, o.Interrupt = func() int64 { return int64(time.Since(began)) }, over
	o.Progress = func(p explore.Progress) {
		if o.Limits.States > 0 {
			told(int(p.States * 1000 / o.Limits.States))
		} else {
			told(0)
		}
	}
	var out *memberText
	err = guarded(func() error {
		res, err := m.searcher.Search(o, memberNumber(t.Name)-1, over)
		if err != nil {
			return err
		}
		out = newMemberText(res)
		if len(res.Left) > 0 || len(res.Findings) > 0 || ctx.Err() != nil {
			return nil
		}
		began = time.Now()
		proof, err := m.searcher.Certificate(o, over)
		if err == nil && len(proof) <= maxMemberProof { // without one it is only said
			out.Certificate = proof
		}
		return nil
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		out = &memberText{Failure: err.Error()}
	}
	return json.Marshal(out)
}
