// Pingpong passes a number back and forth between two goroutines.
package main

func main() {
	ping, pong := make(chan int), make(chan int)
	go func() {
		for v := range ping {
			pong <- v + 1
		}
		close(pong)
	}()
	v := 0
	for n := 0; n < 600000; n++ {
		ping <- v
		v = <-pong
	}
	close(ping)
	println(v)
}
