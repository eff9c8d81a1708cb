// Ordered is a generic map that keeps its keys in order, with iterators.
package main

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
)

// A Map is an unbalanced binary search tree. The zero Map is empty.
type Map[K cmp.Ordered, V any] struct {
	root *node[K, V]
	size int
}

type node[K cmp.Ordered, V any] struct {
	key         K
	value       V
	left, right *node[K, V]
}

// Set stores a value and reports whether the key is new.
func (m *Map[K, V]) Set(key K, value V) bool {
	at := &m.root
	for *at != nil {
		switch c := cmp.Compare(key, (*at).key); {
		case c < 0:
			at = &(*at).left
		case c > 0:
			at = &(*at).right
		default:
			(*at).value = value
			return false
		}
	}
	*at = &node[K, V]{key: key, value: value}
	m.size++
	return true
}

// All iterates over the entries in the order of their keys.
func (m *Map[K, V]) All() iter.Seq2[K, V] {
	return func(yield func(K, V) bool) { m.root.walk(yield) }
}

func (n *node[K, V]) walk(yield func(K, V) bool) bool {
	return n == nil || n.left.walk(yield) && yield(n.key, n.value) && n.right.walk(yield)
}

// Keys iterates over the keys in order.
func (m *Map[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) {
		for k := range m.All() {
			if !yield(k) {
				return
			}
		}
	}
}

func main() {
	var m Map[string, int]
	for i, word := range []string{"warp", "weft", "heddle", "shuttle", "reed", "treadle", "weft"} {
		if !m.Set(word, i) {
			fmt.Println("again:", word)
		}
	}
	for k, v := range m.All() {
		if k > "w" {
			break
		}
		fmt.Println(k, v)
	}
	fmt.Println(slices.Collect(m.Keys()), m.size)
	fmt.Println(maps.Collect(m.All()))

	// Two pull iterators in lock step.
	next, stop := iter.Pull(m.Keys())
	defer stop()
	ahead, halt := iter.Pull2(m.All())
	defer halt()
	ahead()
	for {
		k, ok := next()
		after, v, more := ahead()
		if !ok || !more {
			break
		}
		fmt.Printf("%s comes before %s (%d)\n", k, after, v)
	}
}
