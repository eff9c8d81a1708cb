// want: verified

package main

func main() {
	c, quit := make(chan int, 1), make(chan bool, 1)
	go func() { c <- 1 }()
	quit <- true
	select {
	case <-c:
	case <-quit:
	}
}
