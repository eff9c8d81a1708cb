package distribute

import (
	"context"
	"os"
	"time"

	"github.com/heddle-mc/heddle/internal/queue"
)

// Options say how a coordinator hands its work to others.
type Options struct {
	Service     queue.Service
	NATS        string // the server that has the work; "" means to be one
	Credentials queue.Credentials
	Listen      string        // where to be one, "" means anywhere on this machine
	Store       string        // the folder of one's own server, "" means a temporary one
	Secrets     string        // the folder of what is not told to a server that is not one's own
	Stall       time.Duration // see queue.Options
	Replicas    int           // see queue.Options
	Alone       time.Duration // what has no result is done here when none has come for so long; 0 means never

	// Listening is called when workers can connect, with their flags for it.
	Listening func(flags string)
	// Log is told what happens to the queue.
	Log func(text string)
	// View returns who shows the progress of so many tasks.
	View func(tasks int) View
}

// A View shows how far the work has come. Its methods may be called at the same time.
type View interface {
	Told(task int, p queue.Progress) // a worker has told its progress
	Ended(task int)
	Say(text string)
	Clear() // the work has ended
}

// A post is where a coordinator has its queue.
type post struct {
	queue.Queue
	server  queue.Server
	folder  string // to be removed, or ""
	keeps   bool   // what is there stays when this process ends
	secrets string // the folder of secrets, or ""
}

// open connects to the server, or becomes one.
func (o *Options) open(ctx context.Context) (*post, error) {
	q := queue.Options{Stall: o.Stall, Replicas: o.Replicas, Log: o.Log}
	p := &post{keeps: o.NATS != "" || o.Store != "", secrets: o.Store}
	var err error
	if o.NATS != "" {
		p.secrets = o.Secrets
		if p.Queue, err = o.Service.Connect(ctx, o.NATS, o.Credentials, q); err != nil {
			return nil, err
		}
		o.Listening("-nats " + o.NATS)
		return p, nil
	}
	folder := o.Store
	if folder == "" {
		if folder, err = os.MkdirTemp("", "heddle-queue-"); err != nil {
			return nil, err
		}
		p.folder = folder
	}
	credentials := o.Credentials
	credentials.Make = true
	if p.server, err = o.Service.Serve(folder, o.Listen, credentials); err != nil {
		p.close()
		return nil, err
	}
	if p.Queue, err = p.server.Connect(ctx, q); err != nil {
		p.close()
		return nil, err
	}
	if join := p.server.Join(); join != "" {
		o.Listening("-join " + join)
	} else {
		o.Listening("-nats " + p.server.URL())
	}
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
