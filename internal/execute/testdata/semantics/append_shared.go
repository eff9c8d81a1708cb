// want: violation race

package main

func main() {
	s := make([]int, 0, 4)
	go func() { s = append(s, 1) }()
	s = append(s, 2)
}
