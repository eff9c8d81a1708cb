// want: violation race

package main

func main() {
	s := make([]int, 2)
	go func() { s[1] = 1 }()
	x := s[1]
	_ = x
}
