// want: violation panic

package main

func main() {
	done := make(chan bool)
	go func() {
		defer close(done)
		panic("no")
	}()
	<-done
}
