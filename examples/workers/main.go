// Workers hands jobs to a pool of goroutines, each job with a deadline. The
// odd jobs are too slow for theirs.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"
)

type result struct {
	square int
	err    error
}

// square takes its time to compute n*n, and gives up when ctx is done.
func square(ctx context.Context, n int) (int, error) {
	pause := time.Millisecond
	if n%2 == 1 {
		pause = time.Hour
	}
	select {
	case <-time.After(pause):
		return n * n, nil
	case <-ctx.Done():
		return 0, fmt.Errorf("square of %d: %w", n, context.Cause(ctx))
	}
}

var errSlow = errors.New("too slow")

func main() {
	const jobs, workers = 8, 3
	results := make([]result, jobs)
	queue := make(chan int)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for n := range queue {
				ctx, cancel := context.WithTimeoutCause(context.Background(), 100*time.Millisecond, errSlow)
				results[n].square, results[n].err = square(ctx, n)
				cancel()
			}
		})
	}
	for n := range jobs {
		queue <- n
	}
	close(queue)
	wg.Wait()

	slow := 0
	for n, r := range results {
		if r.err != nil {
			if !errors.Is(r.err, errSlow) {
				fmt.Fprintln(os.Stderr, "unexpected:", r.err)
				os.Exit(1)
			}
			slow++
			fmt.Println(r.err)
			continue
		}
		fmt.Println(n, r.square)
	}
	fmt.Println(slow, "of", jobs, "were too slow")
}
