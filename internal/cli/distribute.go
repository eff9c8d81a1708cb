package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
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
	fs.StringVar(&f.credentials.Token, "token", "", whose+"the `secret` that workers and coordinator share; the variable HEDDLE_TOKEN if it is not given. A coordinator that is the server makes one")
	fs.StringVar(&f.credentials.Cert, "tls-cert", "", whose+"one's own TLS certificate, in `file`; a coordinator that is the server makes one")
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

// options returns what a coordinator is told. What is worked at has a name, and so
// have its parts, for people.
func (f *distributeFlags) options(app *App, name, what string) *distribute.Options {
	secrets, err := os.UserCacheDir()
	if err == nil {
		secrets = filepath.Join(secrets, "heddle", "jobs")
	}
	return &distribute.Options{
		Service: app.Queue, NATS: f.nats, Credentials: f.credentials, Listen: f.listen, Store: f.store, Secrets: secrets, Stall: f.stall, Replicas: f.replicas,
		Listening: func(flags string) { fmt.Fprintf(app.Stderr, "waiting for workers: heddle worker %s\n", flags) },
		Log:       func(text string) { fmt.Fprintln(app.Stderr, "queue:", text) },
		View:      func(tasks int) distribute.View { return newPartsView(app.Stderr, name, what, tasks) },
	}
}

// untilSignal returns a context that ends when the user wishes so.
func untilSignal(ctx context.Context) (context.Context, func()) {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // the next signal ends the process
	return ctx, stop
}
