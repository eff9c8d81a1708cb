// want: violation panic
package main

func main() {
	c := make(chan int)
	go func() { c <- 1 }()
	select {
	case <-c:
		panic("it has met who waits")
	default:
	}
}
