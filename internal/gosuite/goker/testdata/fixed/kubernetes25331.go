// Kubernetes25331 cancelled before it sent the error, so that nobody received any
// more. Here the error goes out, unless the watch is stopped.
package main

import (
	"context"
	"errors"
	"sync"
)

type watch struct {
	ctx    context.Context
	cancel context.CancelFunc
	result chan bool
	errs   chan error
}

func (w *watch) run() {
	select {
	case err := <-w.errs:
		select {
		case w.result <- err != nil:
		case <-w.ctx.Done():
		}
	case <-w.ctx.Done():
	}
}

func (w *watch) stop() {
	select {
	case w.errs <- errors.New("stopped"):
	case <-w.ctx.Done():
	}
	w.cancel()
}

func main() {
	w := &watch{result: make(chan bool), errs: make(chan error)}
	w.ctx, w.cancel = context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(w.run)
	wg.Go(w.stop)
	wg.Wait()
}
