package cli

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/queue"
)

// connectFlags say where the work is, and who one is. A coordinator and its workers
// have them both.
type connectFlags struct {
	nats        string
	credentials queue.Credentials
}

func (f *connectFlags) declare(fs *flag.FlagSet, whose string) {
	fs.StringVar(&f.nats, "nats", "", whose+"the NATS server, or cluster, at `url` has the work; of a cluster give several, with commas")
	fs.StringVar(&f.credentials.Token, "token", "", whose+"the `secret` that workers and coordinator share; the variable HEDDLE_TOKEN if it is not given")
	fs.StringVar(&f.credentials.Cert, "tls-cert", "", whose+"one's own TLS certificate, in `file`")
	fs.StringVar(&f.credentials.Key, "tls-key", "", whose+"its key, in `file`")
	fs.StringVar(&f.credentials.CA, "tls-ca", "", whose+"the other's TLS certificate has to be signed by one in `file`")
	fs.StringVar(&f.credentials.User, "creds", "", whose+"a credentials `file` of NATS")
}

// settle fills in what the environment says.
func (f *connectFlags) settle() {
	if f.credentials.Token == "" {
		f.credentials.Token = os.Getenv("HEDDLE_TOKEN")
	}
}

// distributeFlags say how a coordinator hands its work to others.
type distributeFlags struct {
	connectFlags
	on       bool
	listen   string
	store    string
	stall    time.Duration
	replicas int
}

// declare declares the flags. That for the folder is not called -store everywhere,
// since a check has one of that name.
func (f *distributeFlags) declare(fs *flag.FlagSet, what, storeName string) {
	const whose = "of -distribute: "
	fs.BoolVar(&f.on, "distribute", false, what)
	f.connectFlags.declare(fs, whose)
	fs.StringVar(&f.listen, "listen", "", whose+"without -nats, be the server, at `addr`; any port of 127.0.0.1 if it is not given")
	fs.StringVar(&f.store, storeName, "", whose+"without -nats, keep the work in `dir`, from where it goes on if this process is killed")
	fs.DurationVar(&f.stall, "stall", 10*time.Second, whose+"a worker that is silent for `d` loses its part to another")
	fs.IntVar(&f.replicas, "replicas", 0, whose+"keep the work on `n` servers of the cluster; 0 means 3, or 1 if there are not as many")
}

// check refuses flags that make no sense.
func (f *distributeFlags) check() error {
	given := f.nats != "" || f.listen != "" || f.store != "" || f.credentials != (queue.Credentials{})
	switch {
	case !f.on && given:
		return diag.Usagef("-nats, -listen, a folder for the work, and credentials are for -distribute")
	case f.nats != "" && (f.listen != "" || f.store != ""):
		return diag.Usagef("-nats names a server: -listen and a folder are for being one")
	case f.stall < time.Millisecond || f.replicas < 0:
		return diag.Usagef("-stall has to be more than nothing, and -replicas not less")
	}
	f.settle()
	return nil
}

// A post is where a coordinator has its queue.
type post struct {
	queue.Queue
	server queue.Server
	folder string // to be removed, or ""
	keeps  bool   // what is there stays when this process ends
}

// open connects to the server, or becomes one.
func (f *distributeFlags) open(ctx context.Context, app *App) (*post, error) {
	o := queue.Options{Stall: f.stall, Replicas: f.replicas, Log: func(text string) { fmt.Fprintln(app.Stderr, "queue:", text) }}
	p := &post{keeps: f.nats != "" || f.store != ""}
	var err error
	if f.nats != "" {
		if p.Queue, err = app.Queue.Connect(ctx, f.nats, f.credentials, o); err != nil {
			return nil, err
		}
		fmt.Fprintf(app.Stderr, "waiting for workers: heddle worker -nats %s\n", f.nats)
		return p, nil
	}
	folder := f.store
	if folder == "" {
		if folder, err = os.MkdirTemp("", "heddle-queue-"); err != nil {
			return nil, err
		}
		p.folder = folder
	}
	if p.server, err = app.Queue.Serve(folder, f.listen, f.credentials); err != nil {
		p.close()
		return nil, err
	}
	if p.Queue, err = p.server.Connect(ctx, o); err != nil {
		p.close()
		return nil, err
	}
	fmt.Fprintf(app.Stderr, "waiting for workers: heddle worker -nats %s\n", p.server.URL())
	return p, nil
}

func (p *post) close() {
	if p.Queue != nil {
		p.Queue.Close()
	}
	if p.server != nil {
		p.server.Close()
	}
	if p.folder != "" {
		os.RemoveAll(p.folder)
	}
}

// untilSignal returns a context that ends when the user wishes so.
func untilSignal(ctx context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the next signal ends the process
	return ctx, stop
}

// The kinds of jobs.
const (
	jobCertify = "certify"
	jobSwarm   = "swarm"
)

// A jobText is what workers have to know of a job. The program itself they have:
// its identity says which one it has to be.
type jobText struct {
	Heddle   string   `json:"heddle"` // version of the coordinator
	Kind     string   `json:"kind"`
	Identity string   `json:"identity"`
	Packages []string `json:"packages,omitempty"` // as the coordinator was told
	Tags     []string `json:"tags,omitempty"`
	Model    string   `json:"model,omitempty"`
	All      bool     `json:"all"`

	// Of certification.
	Digest     string   `json:"digest,omitempty"` // of the certificate
	Properties []string `json:"properties,omitempty"`
	Invariants []string `json:"invariants,omitempty"`
	Actions    []string `json:"actions,omitempty"`
	Trustful   bool     `json:"trustful,omitempty"`
	Slice      uint64   `json:"slice,omitempty"` // transitions of a part
	Seed       uint64   `json:"seed,omitempty"`  // of fingerprints

	// Of a swarm.
	Settings map[string]string `json:"settings,omitempty"` // those of a trace
	Search   *searchText       `json:"search,omitempty"`
}

// key names the job. A coordinator that begins the same work again finds it by this.
func (t jobText) key() string {
	t.Seed = 0
	sum := sha256.Sum256(t.bytes())
	return hex.EncodeToString(sum[:16])
}

func (t jobText) bytes() []byte {
	data, _ := json.Marshal(t) // texts and numbers can be written
	return data
}

// readJob reads the description of a job.
func readJob(j queue.Job) (t jobText, err error) {
	if err = json.Unmarshal(j.Description(), &t); err != nil {
		err = diag.Usagef("the description of job %s is damaged: %v", j.Key(), err)
	}
	return t, err
}

// workerName is what a worker calls itself: the machine and the process.
func workerName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("%s/%d", host, os.Getpid())
}
