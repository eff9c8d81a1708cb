package execute

import "testing"

// TestRivals looks for operations that race with each other, as the race detector defines it.
func TestRivals(t *testing.T) {
	for _, c := range []racy{
		{"addInWorkers", true, `
func main() {
	var wg sync.WaitGroup
	done := make(chan bool)
	for range 2 {
		go func() { wg.Add(1); wg.Done(); done <- true }()
	}
	wg.Wait()
	<-done
	<-done
}`},
		{"addBeforeGo", false, `
func main() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() { wg.Done() }()
	}
	wg.Wait()
}`},
		{"addInWorkersNotFromZero", false, `
func main() {
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Add(1)
		go func() { wg.Done() }()
		wg.Done()
	}()
	wg.Wait()
}`},
		{"reuseBeforeWaitHasReturned", true, `
func main() {
	var wg sync.WaitGroup
	done := make(chan bool)
	wg.Add(1)
	go func() { wg.Wait(); done <- true }()
	wg.Done()
	wg.Add(1)
	wg.Done()
	<-done
}`},
		{"reuseAfterwards", false, `
func main() {
	var wg sync.WaitGroup
	for range 2 {
		wg.Add(1)
		go func() { wg.Done() }()
		wg.Wait()
	}
}`},
		{"addUnderLock", false, `
func main() {
	var mu sync.Mutex
	var wg sync.WaitGroup
	go func() { mu.Lock(); wg.Add(1); wg.Done(); mu.Unlock() }()
	mu.Lock(); wg.Wait(); mu.Unlock()
}`},
		{"goAgainstWait", true, `
func main() {
	var wg sync.WaitGroup
	done := make(chan bool)
	go func() { wg.Go(func() {}); done <- true }()
	wg.Wait()
	<-done
}`},
		{"closeAndRecoveredSend", true, `
func main() {
	c := make(chan int, 1)
	go func() { close(c) }()
	defer func() { recover() }()
	c <- 1
}`},
		{"closeAndRecoveredSelect", true, `
func main() {
	c, d := make(chan int, 1), make(chan int, 1)
	go func() { close(c) }()
	defer func() { recover() }()
	select { case c <- 1: case d <- 1: }
}`},
		{"closeTwiceRecovered", true, `
func main() {
	c := make(chan int, 1)
	done := make(chan bool)
	go func() { defer func() { recover(); done <- true }(); close(c) }()
	func() { defer func() { recover() }(); close(c) }()
	<-done
}`},
		{"closeBeforeRecoveredSend", false, `
func main() {
	c, ready := make(chan int, 1), make(chan bool)
	go func() { close(c); ready <- true }()
	<-ready
	defer func() { recover() }()
	c <- 1
}`},
		{"closeAndReceive", false, `
func main() {
	c := make(chan int, 1)
	go func() { close(c) }()
	defer func() { recover() }()
	<-c
}`},
		{"overwrittenMutex", true, `
func main() {
	var mu sync.Mutex
	done := make(chan bool)
	go func() { mu = sync.Mutex{}; done <- true }()
	mu.Lock()
	<-done
}`},
		{"copiedMutex", true, `
func main() {
	var mu sync.RWMutex
	done := make(chan bool)
	go func() { _ = *(&mu); done <- true }()
	mu.RLock()
	<-done
}`},
		{"madeMutex", false, `
func main() {
	c := make(chan *sync.Mutex)
	go func() { mu := <-c; mu.Lock(); mu.Unlock() }()
	mu := new(sync.Mutex)
	*mu = sync.Mutex{}
	c <- mu
	mu.Lock()
	mu.Unlock()
}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			prog := compileAccess(t, program(c.src))
			for _, mode := range []sweepMode{bySync, reduced, byAccess} {
				w := sweepOf(t, prog, mode, 20000, false)
				if got := len(w.races) > 0; w.cut || got != c.race || w.kinds[string(Race)] != c.race {
					t.Errorf("mode %d: got race %t (%v), cut %t, want %t", mode, got, w.kinds, w.cut, c.race)
				}
			}
		})
	}
}
