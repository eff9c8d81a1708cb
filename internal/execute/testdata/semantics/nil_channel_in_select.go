// want: verified

package main

func main() {
	var c chan int
	select {
	case <-c:
		panic("nil")
	default:
	}
}
