// want: verified

package main

func main() {
	c := make(chan int)
	close(c)
	if x, ok := <-c; ok || x != 0 {
		panic(x)
	}
}
