// Hugo3251 waited for the lock of a URL while it held the lock of the table, which
// is needed to unlock a URL. Here the table is unlocked before.
package main

import "sync"

type remoteLock struct {
	sync.RWMutex
	m map[string]*sync.Mutex
}

func (l *remoteLock) lock(url string) {
	l.Lock()
	mu := l.m[url]
	if mu == nil {
		mu = &sync.Mutex{}
		l.m[url] = mu
	}
	l.Unlock()
	mu.Lock()
}

func (l *remoteLock) unlock(url string) {
	l.RLock()
	defer l.RUnlock()
	l.m[url].Unlock()
}

func main() {
	const url = "http://foo.bar"
	l := &remoteLock{m: make(map[string]*sync.Mutex)}
	fetched := 0
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			l.lock(url)
			defer l.unlock(url)
			fetched++
		})
	}
	wg.Wait()
	if fetched != 2 {
		panic("the lock does not lock")
	}
}
