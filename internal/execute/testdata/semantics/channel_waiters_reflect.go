// want: verified

package main

import (
	"reflect"
	"time"
)

// It is the same by package reflect.
func main() {
	c, a := make(chan int, 1), make(chan int)
	done := make(chan bool, 3)
	go func() {
		if v, _ := reflect.ValueOf(c).Recv(); v.Int() != 1 {
			panic("overtaken")
		}
		done <- true
	}()
	go func() {
		i, _, _ := reflect.Select([]reflect.SelectCase{
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(a)},
			{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(done)},
		})
		if i != 0 {
			panic("decided too late")
		}
	}()
	time.Sleep(5 * time.Second)
	close(a)
	go func() { <-c; done <- true }()
	reflect.ValueOf(c).Send(reflect.ValueOf(1))
	reflect.ValueOf(c).Send(reflect.ValueOf(2))
}
