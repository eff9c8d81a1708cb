// want: verified

package main

func main() {
	s := make([]int, 0, 4)
	done := make(chan []int)
	go func() { done <- append([]int(nil), 1) }()
	s = append(s, 2)
	s = append(s, <-done...)
	if len(s) != 2 {
		panic(len(s))
	}
}
