// want: violation panic
package main

import (
	"reflect"
	"sync"
)

// The same by package reflect.
func main() {
	var pool sync.Pool
	pool.Put(1)
	if reflect.ValueOf(&pool).MethodByName("Get").Call(nil)[0].Interface() != nil {
		panic("it is back")
	}
}
