// Cockroach16167 read-locked a RWMutex twice in one goroutine: a writer that comes
// in between waits for the first and holds up the second. Here the functions
// below rely on the lock that the caller has.
package main

import "sync"

type executor struct {
	systemConfigMu   sync.RWMutex
	systemConfigCond *sync.Cond
	version          int
}

func (e *executor) updateSystemConfig() {
	e.systemConfigMu.Lock()
	e.version++
	e.systemConfigMu.Unlock()
	e.systemConfigCond.Broadcast()
}

// execParsed waits for a configuration and prepares a statement under its lock.
func (e *executor) execParsed() int {
	e.systemConfigCond.L.Lock()
	defer e.systemConfigCond.L.Unlock()
	for e.version == 0 {
		e.systemConfigCond.Wait()
	}
	return e.databaseCacheLocked()
}

func (e *executor) databaseCacheLocked() int { return e.version }

func main() {
	e := &executor{}
	e.systemConfigCond = sync.NewCond(e.systemConfigMu.RLocker())
	var wg sync.WaitGroup
	wg.Go(e.updateSystemConfig)
	if e.execParsed() != 1 {
		panic("no configuration")
	}
	wg.Wait()
}
