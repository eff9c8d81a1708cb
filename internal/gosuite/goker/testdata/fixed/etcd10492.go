// Etcd10492 called a function under the lessor's lock that takes that lock. Here
// the lock is released first.
package main

import (
	"context"
	"sync"
)

type lessor struct {
	mu    sync.RWMutex
	cp    func(context.Context)
	saved int
}

func (le *lessor) checkpoint() {
	le.mu.Lock()
	defer le.mu.Unlock()
	le.saved++
}

func (le *lessor) setCheckpointer(cp func(context.Context)) {
	le.mu.Lock()
	defer le.mu.Unlock()
	le.cp = cp
}

func (le *lessor) renew() {
	le.mu.RLock()
	cp := le.cp
	le.mu.RUnlock()
	if cp != nil {
		cp(context.Background())
	}
}

func main() {
	le := &lessor{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		le.renew()
	}()
	le.setCheckpointer(func(context.Context) { le.checkpoint() })
	le.renew()
	<-done
}
