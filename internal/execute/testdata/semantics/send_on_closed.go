// want: violation panic

package main

func main() {
	c := make(chan int, 1)
	go close(c)
	c <- 1
}
