// want: violation panic

package main

import "time"

func backoff(base time.Duration) time.Duration {
	attempt := -1
	return base << attempt
}

func main() { println(backoff(time.Second)) }
