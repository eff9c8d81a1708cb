// want: violation panic
package main

import "sync"

// Whose pool it is does not depend on who calls Get.
func main() {
	var pool sync.Pool
	pool.Put(1)
	if sync.OnceValue(pool.Get)() != nil {
		panic("it is back")
	}
}
