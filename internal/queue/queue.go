// Package queue says what a work queue is: how a coordinator hands work to other
// processes, on this machine and on others, and collects what they made of it.
//
//	coordinator                     queue                            workers
//	Open ── description, blobs ──►  jobs, objects  ◄── watch ──────  Work
//	Add ─── task ────────────────►  tasks          ──── one each ──►  │ handler
//	                                               ◄─── heartbeats ── │
//	Results ◄── first one counts ── results        ◄─── result ────── ┘
//	End ─── everything of the job is removed
//
// A task is delivered to one worker at a time. If that one dies, or stalls, its
// heartbeats stop, and another gets the task. So a task may be done twice; the
// first result is kept and later ones are not. A task has a ticket, which the result has
// to have, so that who was not given the task cannot answer it. Everything is stored before it
// is acknowledged: a coordinator that was killed opens the same job again, finds the
// results that are there, and goes on.
//
// The package has no code that sends anything: package natsqueue does it, on NATS.
// Who imports this package does not link a message server. A queue sees bytes and
// names. It knows neither programs nor certificates, and does not judge results: who
// may connect is believed not to destroy the queue, but what he says about a task may
// be a lie, which is the caller's business.
package queue

import (
	"context"
	"errors"
	"io"
	"time"
)

// A Service is a way to have queues.
type Service interface {
	// Connect connects to a server by its address, or to one of a cluster by those of
	// some of its servers, with commas between. It waits for one that is not there
	// yet, as long as ctx lasts; credentials that are refused are an error.
	Connect(ctx context.Context, url string, c Credentials, o Options) (Queue, error)

	// Serve starts a server in this process that keeps its things in a folder.
	// Without an address it listens where the server that had the folder before it
	// did, so that who was connected finds it again, or else on any port of the
	// loopback interface. An address that others can reach needs credentials.
	Serve(store, listen string, c Credentials) (Server, error)
}

// A Server is one in this process. What it keeps is in a folder, and is on the disk
// before it is acknowledged.
type Server interface {
	// URL returns the address for workers.
	URL() string
	// Join returns what workers have to know, if the server has a token and a certificate,
	// and "" if they need others.
	Join() string
	// Connect connects within the process.
	Connect(ctx context.Context, o Options) (Queue, error)
	// Close ends the server. The store stays.
	Close()
}

// A Queue is a connection to where the work is.
type Queue interface {
	// Open returns the job with a key. If it is not there it is made: describe puts
	// the blobs that all tasks need and returns the description, and then workers are
	// told.
	Open(ctx context.Context, key string, describe func(Job) ([]byte, error)) (Job, error)

	// Work takes tasks of all jobs, older jobs first, until ctx ends, or there is
	// nothing to do for w.Idle. The error is nil then.
	Work(ctx context.Context, w Worker) error

	// Gone is closed when the connection is given up.
	Gone() <-chan struct{}

	// Close ends the connection. Jobs stay.
	Close()
}

// A Job is a set of tasks with a description and blobs, which all of them share.
type Job interface {
	// Key is what the coordinator calls it.
	Key() string
	// Description is what workers have to know of it. It never changes.
	Description() []byte
	// Resumed says that the job was there already when it was opened.
	Resumed() bool

	// Put keeps a blob. It replaces one of that name.
	Put(ctx context.Context, name string, r io.ReadSeeker) error
	// Has reports whether there is a blob.
	Has(ctx context.Context, name string) (bool, error)
	// Get writes a blob to w, from which it is taken back by reset if it has to be
	// read again. One of more than limit bytes is ErrTooLarge.
	Get(ctx context.Context, name string, limit int64, w io.Writer, reset func() error) error
	// Bytes returns a blob of at most limit bytes.
	Bytes(ctx context.Context, name string, limit int64) ([]byte, error)

	// Add adds a task. One that waits already, or is being done, is not added again. Who
	// is given it is given the ticket, too, and answers with it.
	Add(ctx context.Context, name, ticket string, data []byte) error
	// Answered returns what there are results of.
	Answered(ctx context.Context) (map[Answer]bool, error)
	// Results calls take for each result that is wanted, once, from the first one that
	// was ever given on, until ctx ends, take fails or the job has ended. A connection
	// that is lost for some time is no reason to end. Wanted says how large a result may
	// be, 0 for one that is not wanted; a larger one has failed. Without it all are wanted.
	Results(ctx context.Context, wanted func(Answer) int64, take func(Result) error) error
	// Follow calls told for what workers say about their progress, and noted for what
	// else they have to say about the job. What is said while the connection is lost
	// is lost, too.
	Follow(told func(Progress), noted func(worker, text string)) (stop func(), err error)

	// Present reports whether the job is still there. It is an error if there is no
	// answer.
	Present(ctx context.Context) (bool, error)
	// End removes a job with all that belongs to it, and stops who still works at it.
	End(ctx context.Context) error
}

// Options say how a queue treats its jobs. The zero value works.
type Options struct {
	// Stall is how long a task may be without a heartbeat before it is given to
	// another worker; 0 means 30 s. It is the coordinator's that counts.
	Stall time.Duration
	// Attempts is how often a task is begun before it is given up; 0 means 100.
	Attempts int
	// Replicas is on how many servers of a cluster things are kept; 0 means 3, so that
	// one of them may be lost, or 1 if there are not as many.
	Replicas int
	// Log, if there is one, is told of lost connections and the like.
	Log func(text string)
}

// Credentials say who one is, and who the other has to be. All are optional.
type Credentials struct {
	Token string // a secret that both sides know
	// Cert and Key are files with one's own certificate and its key, CA is one with
	// the certificates that the other's has to be signed by. All are PEM.
	Cert, Key, CA string
	// User is a credentials file of NATS, for clients.
	User string
	// Pin is the SHA-256 of the certificate that the server has to have, in hexadecimal,
	// for clients.
	Pin string
	// Make says that a server makes the token and the certificate that are missing, and that
	// who has the token is a worker, and may do only what workers do.
	Make bool
}

// An Answer is what a result is about. Who was not given the task does not know its ticket.
type Answer struct{ Task, Ticket string }

// A Result is what a worker made of a task.
type Result struct {
	Answer
	Worker string // as it calls itself
	Data   []byte
	// Failed says, if it is not empty, why the task was given up.
	Failed string
}

// Progress is how far a worker has come with a task.
type Progress struct {
	Task    string
	Worker  string
	Attempt int // from 1
	Data    []byte
}

// A Task is what a worker is to do.
type Task struct {
	Job     Job
	Name    string
	Ticket  string
	Data    []byte
	Attempt int // from 1

	// Progress tells how far the work has come. A task that is not heard of for some
	// time is taken for stalled, and is given to somebody else.
	Progress func(data []byte)
}

// A Handler does a task. It ends soon after ctx does. An error says that the task
// cannot be done here, and it is given to somebody else.
type Handler func(ctx context.Context, t *Task) (result []byte, err error)

// A Worker says how to work.
type Worker struct {
	Name string
	// Open looks at a job and returns who does its tasks. An error says why this
	// worker does not take part in it; the coordinator is told.
	Open func(ctx context.Context, j Job) (Handler, error)
	// Close is called when a job that was opened has ended.
	Close func(j Job)
	// Idle is how long to wait for a task before giving up; 0 means for ever.
	Idle time.Duration
}

// ErrTooLarge says that something is larger than it may be.
var ErrTooLarge = errors.New("it is larger than it may be")

// ErrEnded says that a job is not there any more.
var ErrEnded = errors.New("the job has ended")
