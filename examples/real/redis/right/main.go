// Two workers count visits in redis: each has redis add one.
package main

import (
	"context"
	"log"
	"sync"

	"github.com/redis/go-redis/v9"
)

// visit counts one visit.
func visit(ctx context.Context, rdb *redis.Client) error {
	return rdb.Incr(ctx, "visits").Err()
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
