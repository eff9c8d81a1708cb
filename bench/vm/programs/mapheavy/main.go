// Mapheavy inserts, updates, finds, deletes and ranges over maps with integer
// and string keys.
package main

func main() {
	ints := map[int]int{}
	x := uint32(12345)
	for n := 0; n < 600000; n++ {
		x = x*1664525 + 1013904223
		ints[int(x>>16)]++
	}
	sum := 0
	for k, v := range ints {
		sum += k * v
	}
	for k := 0; k < 65536; k += 3 {
		delete(ints, k)
	}
	words := []string{"heddle", "shuttle", "warp", "weft", "reed", "treadle", "shed", "loom"}
	count := map[string]int{}
	for i := 0; i < 600000; i++ {
		count[words[i*7%len(words)]] += i & 3
	}
	println(sum, len(ints), count["loom"], count["warp"])
}
