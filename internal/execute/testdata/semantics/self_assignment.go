// want: verified

package main

func get() (x int, done chan bool) {
	done = make(chan bool)
	go func() {
		_ = x
		close(done)
	}()
	return x, done
}

func main() {
	_, done := get()
	<-done
}
