// want: verified

package main

import (
	"context"
	"time"
)

// What package context has seen of the clock is over when the program looks at it.
func main() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	end, _ := ctx.Deadline()
	if time.Until(end) >= time.Second {
		panic("no time has passed")
	}
}
