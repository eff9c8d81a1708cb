// Cockroach13197 forgot to roll back a transaction, so that the goroutine that
// waits for the end of its context waited for ever. Here it is rolled back.
package main

import (
	"context"
	"sync"
)

type tx struct {
	ctx    context.Context
	cancel context.CancelFunc
	ended  sync.WaitGroup
}

func begin(ctx context.Context) *tx {
	t := &tx{}
	t.ctx, t.cancel = context.WithCancel(ctx)
	t.ended.Go(t.awaitDone)
	return t
}

func (t *tx) awaitDone() { <-t.ctx.Done() }

func (t *tx) rollback() { t.cancel() }

func main() {
	t := begin(context.Background())
	defer t.ended.Wait()
	defer t.rollback()
}
