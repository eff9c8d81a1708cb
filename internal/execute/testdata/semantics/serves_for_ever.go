// want: verified
// flags: -livelock

package main

func main() {
	requests, answers := make(chan int), make(chan int)
	go func() {
		for r := range requests {
			answers <- r + 1
		}
	}()
	for {
		requests <- 1
		<-answers
	}
}
