package puddle_test

import (
	"context"
	"testing"

	"github.com/jackc/puddle/v2"
)

// Somebody gives up while his resource is made: the pool still has one for the
// next one.
func TestPlanted(t *testing.T) {
	pool, err := puddle.NewPool(&puddle.Config[int]{
		Constructor: func(context.Context) (int, error) { return 1, nil },
		Destructor:  func(int) {},
		MaxSize:     1,
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	go cancel()
	if res, err := pool.Acquire(ctx); err == nil {
		res.Release()
	}
	res, err := pool.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	res.Release()
	pool.Close()
}

// Somebody asks for figures while a resource is made.
func TestPlantedStat(t *testing.T) {
	pool, err := puddle.NewPool(&puddle.Config[int]{
		Constructor: func(context.Context) (int, error) { return 1, nil },
		Destructor:  func(int) {},
		MaxSize:     1,
	})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan int32)
	go func() { done <- pool.Stat().TotalResources() }()
	res, err := pool.Acquire(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if n := <-done; n > 1 {
		t.Errorf("got %d resources", n)
	}
	res.Release()
	pool.Close()
}
