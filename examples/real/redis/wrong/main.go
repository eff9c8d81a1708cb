// Two workers count visits in redis: each reads the number, adds one, and writes it back. That
// loses a visit if both read before one of them writes.
package main

import (
	"context"
	"errors"
	"log"
	"sync"

	"github.com/redis/go-redis/v9"
)

// visit counts one visit.
func visit(ctx context.Context, rdb *redis.Client) error {
	n, err := rdb.Get(ctx, "visits").Int()
	if err != nil && !errors.Is(err, redis.Nil) {
		return err
	}
	return rdb.Set(ctx, "visits", n+1, 0).Err() // BUG: somebody else may have counted since
}

func main() {
	ctx := context.Background()
	rdb := redis.NewClient(&redis.Options{Addr: "localhost:6379"})
	defer rdb.Close()
	var workers sync.WaitGroup
	for range 2 {
		workers.Go(func() {
			if err := visit(ctx, rdb); err != nil {
				log.Fatal(err)
			}
		})
	}
	workers.Wait()
	n, err := rdb.Get(ctx, "visits").Int()
	if err != nil {
		log.Fatal(err)
	}
	if n != 2 {
		log.Panicf("2 visits were counted as %d", n)
	}
}
