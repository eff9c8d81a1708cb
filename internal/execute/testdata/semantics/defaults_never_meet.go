// want: verified
package main

func main() {
	c := make(chan int)
	done := make(chan bool)
	go func() {
		select {
		case c <- 1:
		default:
		}
		close(done)
	}()
	select {
	case <-c:
		panic("two selects with default have met")
	default:
	}
	<-done
}
