// want: verified
// flags: -livelock

package main

func main() {
	done, work := make(chan bool), make(chan int)
	go func() {
		for {
			select {
			case _, ok := <-work:
				if !ok {
					work = nil
				}
			case <-done:
				return
			}
		}
	}()
	close(work)
	close(done)
}
