package ctxleak

import (
	"context"
	"testing"
	"time"
)

func TestFirst(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	near := func(context.Context) string { return "near" }
	far := func(ctx context.Context) string {
		select {
		case <-time.After(time.Minute):
			return "far"
		case <-ctx.Done():
			return "cancelled"
		}
	}
	if a, err := First(ctx, near, far); err != nil || a != "near" {
		t.Errorf("First: %q, %v", a, err)
	}
}
