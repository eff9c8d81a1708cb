// want: verified

package main

func main() {
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() { recover() }()
		panic("no")
	}()
	<-done
}
