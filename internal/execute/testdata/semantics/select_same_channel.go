// want: violation panic
package main

// Two cases of one closed channel are two alternatives.
func main() {
	c := make(chan int)
	go close(c)
	select {
	case <-c:
	case _, ok := <-c:
		if !ok {
			panic("the second")
		}
	}
}
