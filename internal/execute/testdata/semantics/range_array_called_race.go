// want: violation race

package main

var lists = map[int]*[2]int{1: {}}

func key() int { return 1 }

func main() {
	p := lists[1]
	go func() { p[0] = 1 }()
	for i := range *lists[key()] {
		_ = i
	}
}
