// want: violation panic

package main

type node struct{ next *node }

func main() {
	var n node
	_ = n.next.next
}
