package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
)

// A loop over a map that inserts into it ends: all entries that were there are
// visited once, unless they are deleted before. Which of the new ones are is not
// said by the language, so nothing is printed of them.
func main() {
	const old = 5
	m := map[int]int{}
	for i := range old {
		m[i] = i
	}
	var seen []int
	for k := range m {
		if k < old {
			seen = append(seen, k)
		}
		m[len(m)+100] = k
		if k == 3 {
			delete(m, 1000)
			m[1000] = 1
		}
	}
	slices.Sort(seen)
	fmt.Println(seen, len(m) >= 2*old)

	// An entry that goes and comes again is visited at most once more than it went.
	visits := 0
	again := map[string]bool{"a": true}
	for k := range again {
		if visits++; visits > 1000 {
			break
		}
		delete(again, k)
		again[k+"a"] = true
	}
	fmt.Println(visits > 0, visits <= 1000)

	// Two loops over one map, each with insertions.
	pairs := map[[2]int]bool{{0, 0}: true, {1, 0}: true}
	inner := 0
	for a := range pairs {
		for b := range pairs {
			if a[1] == 0 && b[1] == 0 {
				inner++
			}
			pairs[[2]int{len(pairs), 1}] = true
		}
	}
	fmt.Println(inner)

	n := 0
	it := reflect.ValueOf(m).MapRange()
	for it.Next() {
		if int(it.Key().Int()) < old {
			n++
		}
		m[len(m)+10_000] = 1
	}
	fmt.Println(n)

	all := maps.All(m)
	n = 0
	for k := range all {
		if k < old {
			n++
		}
		m[len(m)+1_000_000] = 1
	}
	fmt.Println(n)

	clear(m)
	m[1] = 1
	for k := range m {
		clear(m)
		m[k+1] = 1
		if k > 1000 {
			fmt.Println("no end")
			break
		}
	}
	fmt.Println(len(m))
}
