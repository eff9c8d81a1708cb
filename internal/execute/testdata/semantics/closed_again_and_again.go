// want: violation livelock
// flags: -livelock

package main

func main() {
	done, work := make(chan bool), make(chan int)
	go func() {
		for {
			select {
			case <-work: // closed, and nobody looks
			case <-done:
				return
			}
		}
	}()
	close(work)
	<-done
}
