// want: violation panic

package main

func main() {
	a, b := make(chan int, 1), make(chan int, 1)
	a <- 1
	b <- 1
	select {
	case <-a:
	case <-b:
		panic("b")
	}
}
