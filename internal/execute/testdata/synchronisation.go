// Locks, wait groups, conditions, pools, atomics and sync.Map.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	var wg sync.WaitGroup
	var mu sync.Mutex
	n := 0
	for i := range 10 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			defer mu.Unlock()
			runtime.Gosched()
			n += i
		}()
	}
	wg.Wait()
	fmt.Println(n, mu.TryLock(), mu.TryLock())
	mu.Unlock()
	misuse(&wg)
	readers()
	conditions(&mu)
	crowd()
	pools()
	atomics()
}

func misuse(wg *sync.WaitGroup) {
	defer func() { fmt.Println(recover()) }()
	wg.Done()
}

// readers lets a writer wait for a reader, and a second reader for the writer.
func readers() {
	var rw sync.RWMutex
	var order []string
	var wg sync.WaitGroup
	rw.RLock()
	wg.Add(2)
	go func() {
		defer wg.Done()
		rw.Lock()
		order = append(order, "writer")
		rw.Unlock()
	}()
	time.Sleep(time.Millisecond)
	fmt.Println(rw.TryRLock(), rw.TryLock())
	go func() {
		defer wg.Done()
		rw.RLock()
		order = append(order, "reader")
		rw.RUnlock()
	}()
	time.Sleep(time.Millisecond)
	rw.RUnlock()
	wg.Wait()
	fmt.Println(order, rw.TryLock())
}

func conditions(mu *sync.Mutex) {
	c := sync.NewCond(mu)
	turn := 0
	done := make(chan int)
	for i := range 3 {
		go func() {
			mu.Lock()
			for turn <= i {
				c.Wait()
			}
			mu.Unlock()
			done <- i
		}()
	}
	for i := range 3 {
		mu.Lock()
		turn++
		mu.Unlock()
		c.Broadcast()
		fmt.Println(<-done == i)
	}
	var once sync.Once
	for range 2 {
		once.Do(func() { fmt.Println("once") })
	}
}

// crowd lets many goroutines wait for one condition, and go in the order in which
// they came.
func crowd() {
	c := sync.NewCond(new(sync.Mutex))
	here, came, gone := 0, make(chan int), make(chan int)
	for i := range 40 {
		go func() {
			c.L.Lock()
			here++
			came <- i
			c.Wait()
			c.L.Unlock()
			gone <- i
		}()
		<-came
		c.L.Lock() // free when it waits
		c.L.Unlock()
	}
	for range 30 {
		c.Signal()
		fmt.Print(<-gone, " ")
	}
	c.Broadcast()
	sum := 0
	for range 10 {
		sum += <-gone
	}
	fmt.Println(here, sum)
}

func pools() {
	p := sync.Pool{New: func() any { return "new" }}
	fmt.Println(p.Get())
	var m sync.Map
	m.Store("x", 1)
	fmt.Println(m.LoadOrStore("x", 2))
	fmt.Println(m.CompareAndSwap("x", 1, 3), m.CompareAndDelete("x", 1))
	m.Range(func(k, v any) bool { fmt.Println(k, v); return true })
	func() {
		defer func() { fmt.Println(recover()) }()
		m.Load([]int{})
	}()
	fmt.Println(m.LoadAndDelete("x"))
}

func atomics() {
	var v atomic.Value
	v.Store("s")
	fmt.Println(v.Load(), v.CompareAndSwap("s", "t"), v.Swap("u"))
	var i atomic.Int32
	fmt.Println(i.Add(-3), i.Load(), i.Or(5), i.And(4), i.Swap(9), i.CompareAndSwap(9, 1))
	var u atomic.Uint64
	fmt.Println(u.Add(^uint64(0)), u.And(0xff), u.Load())
	var b atomic.Bool
	fmt.Println(b.Swap(true), b.CompareAndSwap(false, true), b.Load())
	var p atomic.Pointer[int]
	fmt.Println(p.CompareAndSwap(nil, new(int)), *p.Load())
	defer func() { fmt.Println(recover()) }()
	atomic.AddInt32(nil, 1)
}
