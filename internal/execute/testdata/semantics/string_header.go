// want: violation race

package main

func main() {
	s := "a"
	go func() { s = "bc" }()
	_ = len(s)
}
