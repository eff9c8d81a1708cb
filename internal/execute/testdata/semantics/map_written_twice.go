// want: violation fatal

package main

func main() {
	m := map[int]int{}
	done := make(chan bool)
	go func() {
		m[1] = 1
		done <- true
	}()
	m[2] = 2
	<-done
}
