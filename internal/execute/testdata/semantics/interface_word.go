// want: violation race

package main

func main() {
	var x any = 1
	go func() { x = "text" }()
	if _, ok := x.(int); ok {
		return
	}
}
