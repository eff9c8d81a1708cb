// Package natsqueue is the work queue of package queue on NATS JetStream: a server in
// this process with its files in a folder, or a cluster that is named by its address.
//
// Everything that links NATS is here, and only the command heddle-nats and tests link
// this package. It sees bytes and names, and knows nothing of what they mean.
package natsqueue

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/heddle-mc/heddle/internal/queue"
)

// What is said about these in package queue holds here.
type (
	Options     = queue.Options
	Credentials = queue.Credentials
	Result      = queue.Result
	Progress    = queue.Progress
	Task        = queue.Task
	Handler     = queue.Handler
	Worker      = queue.Worker
)

// ErrEnded says that a job is not there any more.
var ErrEnded = queue.ErrEnded

// A Service is NATS. The zero value is ready for use.
type Service struct{}

// Connect does what the function of that name does.
func (Service) Connect(ctx context.Context, url string, c Credentials, o Options) (queue.Queue, error) {
	q, err := Connect(ctx, url, c, o)
	if err != nil {
		return nil, err
	}
	return q, nil
}

// Serve does what the function of that name does.
func (Service) Serve(store, listen string, c Credentials) (queue.Server, error) {
	s, err := Serve(store, listen, c)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// A Queue is a connection to where the work is.
type Queue struct {
	o    Options
	nc   *nats.Conn
	js   jetstream.JetStream
	gone chan struct{} // closed when the connection is given up
}

const jobsBucket = "heddle-jobs"

// Connect connects to a server by its address, or to one of a cluster by those of
// some of its servers, with commas between. It waits for one that is not
// there yet, as long as ctx lasts; credentials that are refused are an error.
func Connect(ctx context.Context, url string, c Credentials, o Options) (*Queue, error) {
	if err := hidden(url, c); err != nil {
		return nil, err
	}
	opts, err := clientOptions(c)
	if err != nil {
		return nil, err
	}
	return connect(ctx, url, opts, o)
}

func connect(ctx context.Context, url string, opts []nats.Option, o Options) (*Queue, error) {
	if o.Stall <= 0 {
		o.Stall = 30 * time.Second
	}
	if o.Attempts <= 0 {
		o.Attempts = 100
	}
	if o.Log == nil {
		o.Log = func(string) {}
	}
	q := &Queue{o: o, gone: make(chan struct{})}
	opts = append(opts, nats.Name("heddle"), nats.MaxReconnects(-1), nats.ReconnectWait(200*time.Millisecond),
		nats.ReconnectJitter(50*time.Millisecond, 50*time.Millisecond), nats.Timeout(5*time.Second),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				o.Log(fmt.Sprintf("the connection is lost: %v", err))
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { o.Log("connected again") }),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
		nats.ClosedHandler(func(*nats.Conn) { close(q.gone) }))
	wait, told := 50*time.Millisecond, false
	for {
		var err error
		if q.nc, err = nats.Connect(url, opts...); err == nil {
			break
		}
		if !passing(err) {
			return nil, fmt.Errorf("%s: %w", url, err)
		}
		if !told {
			o.Log(fmt.Sprintf("waiting for a server at %s: %v", url, err))
			told = true
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("%s: %w", url, err)
		case <-time.After(wait):
		}
		wait = min(2*wait, time.Second)
	}
	var err error
	if q.js, err = jetstream.New(q.nc); err != nil {
		q.nc.Close()
		return nil, err
	}
	return q, nil
}

// passing reports whether a connection may succeed later.
func passing(err error) bool {
	if errors.Is(err, nats.ErrAuthorization) || errors.Is(err, nats.ErrAuthExpired) || errors.Is(err, nats.ErrAuthRevoked) {
		return false
	}
	text := err.Error()
	return !strings.Contains(text, "tls:") && !strings.Contains(text, "x509:") && !strings.Contains(text, "parse ") &&
		!errors.Is(err, nats.ErrSecureConnRequired) && !errors.Is(err, nats.ErrSecureConnWanted)
}

// Close ends the connection. Jobs stay.
func (q *Queue) Close() { q.nc.Close() }

// bucket returns where jobs are announced.
func (q *Queue) bucket(ctx context.Context) (jetstream.KeyValue, error) {
	return q.js.KeyValue(ctx, jobsBucket)
}

// makeBucket makes it if it is not there, or not on enough servers.
func (q *Queue) makeBucket(ctx context.Context) (jetstream.KeyValue, error) {
	var kv jetstream.KeyValue
	err := q.keep(ctx, func(ctx context.Context, replicas int) (err error) {
		if _, err = q.bucket(ctx); errors.Is(err, jetstream.ErrBucketNotFound) {
			_, err = q.js.CreateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: jobsBucket, Storage: jetstream.FileStorage, Replicas: replicas})
		}
		if err == nil {
			err = q.leaderOnly(ctx, "KV_"+jobsBucket, replicas)
		}
		if err == nil {
			kv, err = q.bucket(ctx)
		}
		return err
	})
	return kv, err
}

// How long a request, or the transfer of a blob, may take before it is tried again.
const (
	requestTime  = 3 * time.Second
	transferTime = 2 * time.Minute
)

// retry calls do until it succeeds, says that it is no use, or ctx ends. A server
// that is restarted is away for a moment. Each call has so much time, or all that
// there is if that is 0.
func retry(ctx context.Context, each time.Duration, do func(ctx context.Context) (final bool, err error)) error {
	wait := 20 * time.Millisecond
	for {
		own, cancel := ctx, context.CancelFunc(func() {})
		if each > 0 {
			own, cancel = context.WithTimeout(ctx, each)
		}
		final, err := do(own)
		cancel()
		if err == nil || final {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(wait):
		}
		wait = min(2*wait, time.Second)
	}
}

// word reports whether a text can be part of a name.
func word(s string) bool {
	for _, r := range s {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '_') {
			return false
		}
	}
	return s != ""
}
