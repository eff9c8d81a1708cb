// Package ctxleak asks two replicas and takes the first answer.
package ctxleak

import "context"

// First returns what the first of the replicas answers.
func First(ctx context.Context, replicas ...func(context.Context) string) (string, error) {
	answers := make(chan string)
	for _, ask := range replicas {
		go func() {
			answers <- ask(ctx)
		}()
	}
	select {
	case a := <-answers:
		return a, nil
	case <-ctx.Done():
		return "", ctx.Err()
	}
}
