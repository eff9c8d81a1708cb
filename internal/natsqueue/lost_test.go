package natsqueue

import (
	"context"
	"sync"
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

// A deaf is a server that does not answer the first request of each kind, as one of a
// cluster that loses its leader at that moment.
type deaf struct {
	jetstream.JetStream
	results, jobs sync.Once
}

func (d *deaf) OrderedConsumer(ctx context.Context, stream string, c jetstream.OrderedConsumerConfig) (jetstream.Consumer, error) {
	d.results.Do(func() { <-ctx.Done() })
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return d.JetStream.OrderedConsumer(ctx, stream, c)
}

func (d *deaf) KeyValue(ctx context.Context, bucket string) (jetstream.KeyValue, error) {
	d.jobs.Do(func() { <-ctx.Done() })
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return d.JetStream.KeyValue(ctx, bucket)
}

// TestLostRequest: who waits for results asks again if a request is not answered, however
// long he would wait.
func TestLostRequest(t *testing.T) {
	s := serve(t, t.TempDir())
	q := dial(t, s, Options{})
	j := open(t, q, 1)
	hire(t, dial(t, s, Options{}), "w", double)
	q.js = &deaf{JetStream: q.js}
	if got := collect(t, j, 1)["t0"]; got.Worker != "w" {
		t.Errorf("got the result of %q, want that of w", got.Worker)
	}
}
