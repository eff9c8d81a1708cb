package natsqueue

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A cluster keeps things on several of its servers, and goes on if it loses fewer than
// half of these. When it has lost one it answers nothing for a moment, in which it is
// agreed upon who leads now; so what a coordinator asks for is asked again.

const (
	// survives is on how many servers things are kept so that any one of them may be lost.
	survives = 3
	// electionTime is how long a cluster may be without an answer.
	electionTime = 30 * time.Second
)

// keep makes something that is kept on several servers: on as many as the options say;
// or if they do not, on three servers of a cluster that has them, and else on one.
func (q *Queue) keep(ctx context.Context, make func(ctx context.Context, replicas int) error) error {
	n := q.o.Replicas
	switch {
	case n > 0:
	case q.nc.ConnectedClusterName() == "":
		n = 1
	default:
		n = survives
	}
	err := q.again(ctx, requestTime, func(ctx context.Context) error { return make(ctx, n) })
	if q.o.Replicas == 0 && n > 1 && tooFew(err) {
		q.o.Log(fmt.Sprintf("the work is kept on one server of the cluster, since there are no %d for it: %v", n, err))
		err = q.again(ctx, requestTime, func(ctx context.Context) error { return make(ctx, 1) })
	}
	return err
}

// tooFew reports whether a server says that there are not as many as are asked for.
func tooFew(err error) bool {
	const noPeers, noResources, noCluster jetstream.ErrorCode = 10005, 10023, 10074
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == noPeers || api.ErrorCode == noResources || api.ErrorCode == noCluster)
}

// again does something until it succeeds or fails for a reason that stays. Each attempt
// has so much time.
func (q *Queue) again(ctx context.Context, each time.Duration, do func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, each+electionTime)
	defer cancel()
	return retry(ctx, each, func(ctx context.Context) (final bool, err error) {
		err = do(ctx)
		return !temporary(err), err
	})
}

// temporary reports whether an error is one of a cluster, or of a connection, that has
// lost a server and will have another.
func temporary(err error) bool {
	if errors.Is(err, jetstream.ErrJetStreamNotEnabled) || errors.Is(err, jetstream.ErrJetStreamNotEnabledForAccount) || tooFew(err) {
		return false
	}
	var api *jetstream.APIError
	if errors.As(err, &api) {
		return api.Code == 503
	}
	for _, e := range []error{
		context.DeadlineExceeded, nats.ErrTimeout, nats.ErrNoResponders, nats.ErrDisconnected, nats.ErrConnectionReconnecting,
		jetstream.ErrNoStreamResponse, errStill,
	} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// stillTime is how long nothing may move in a transfer. A server that is lost in the
// middle of one is not noticed otherwise.
const stillTime = 5 * time.Second

var errStill = errors.New("nothing moves")

// watched does something that has to move every now and then, and ends it if it does not.
func watched(ctx context.Context, do func(ctx context.Context, moves func()) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	timer := time.AfterFunc(stillTime, func() { cancel(errStill) })
	defer timer.Stop()
	err := do(ctx, func() { timer.Reset(stillTime) })
	if err != nil && context.Cause(ctx) == errStill {
		return errStill
	}
	return err
}

// A readerFunc is a function that reads.
type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// leaderOnly makes all who read a stream of a cluster ask its leader, and keeps it on at least
// so many servers. Others than the leader may not know yet what was written a moment ago, and that
// something is not there must not be said in error: it would be taken for a job that has
// ended, or for a lie of a worker.
func (q *Queue) leaderOnly(ctx context.Context, stream string, replicas int) error {
	if q.nc.ConnectedClusterName() == "" {
		return nil // there is one server, which knows what it was told
	}
	s, err := q.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	c := s.CachedInfo().Config
	if !c.AllowDirect && c.Replicas >= replicas {
		return nil
	}
	c.AllowDirect, c.Replicas = false, max(c.Replicas, replicas)
	_, err = q.js.UpdateStream(ctx, c)
	return err
}
