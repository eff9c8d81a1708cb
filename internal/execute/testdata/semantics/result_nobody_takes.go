// want: violation leak

package main

func main() {
	c, quit := make(chan int), make(chan bool, 1)
	go func() { c <- 1 }()
	quit <- true
	select {
	case <-c:
	case <-quit:
	}
}
