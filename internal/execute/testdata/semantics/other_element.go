// want: verified

package main

func main() {
	s := make([]int, 2)
	go func() { s[1] = 1 }()
	x := s[0]
	_ = x
}
