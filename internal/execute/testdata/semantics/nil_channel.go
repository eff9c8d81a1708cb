// want: violation deadlock

package main

func main() {
	var c chan int
	<-c
}
