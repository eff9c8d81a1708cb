// want: violation panic

package main

func main() {
	c := make(chan int)
	close(c)
	close(c)
}
