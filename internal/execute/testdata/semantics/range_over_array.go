// want: violation race

package main

func main() {
	a := new([2]int)
	go func() { a[1] = 1 }()
	for range *a {
	}
	for _, x := range *a {
		_ = x
	}
}
