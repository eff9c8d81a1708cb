// Binarytrees builds and counts many small trees: allocation and collection.
package main

type node struct{ left, right *node }

func build(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{build(depth - 1), build(depth - 1)}
}

func (n *node) count() int {
	if n.left == nil {
		return 1
	}
	return 1 + n.left.count() + n.right.count()
}

func main() {
	const maxDepth = 13
	long := build(maxDepth)
	total := 0
	for d := 4; d <= maxDepth; d += 3 {
		for n := 0; n < 1<<(maxDepth-d+2); n++ {
			total += build(d).count()
		}
	}
	println(total, long.count())
}
