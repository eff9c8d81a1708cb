// want: verified

package main

import "runtime"

func try(f func()) string {
	text := ""
	func() {
		defer func() {
			err, _ := recover().(runtime.Error)
			text = err.Error()
		}()
		f()
	}()
	return text
}

// A loop over a function that is not left as it has to be panics with an error of package runtime.
func main() {
	const head = "runtime error: range function "
	if got := try(func() {
		for range func(yield func() bool) { yield(); yield() } {
			break
		}
	}); got != head+"continued iteration after function for loop body returned false" {
		panic(got)
	}
	if got := try(func() {
		for range func(yield func() bool) {
			defer func() { recover() }()
			yield()
		} {
			panic("lost")
		}
	}); got != head+"recovered a loop body panic and did not resume panicking" {
		panic(got)
	}
	if got := try(func() {
		var keep func() bool
		for range func(yield func() bool) { keep = yield } {
		}
		keep()
	}); got != head+"continued iteration after whole loop exit" {
		panic(got)
	}
	if got := try(func() {
		var keep func() bool
		for range func(yield func() bool) { keep = yield; yield() } {
			break
		}
		keep()
	}); got != head+"continued iteration after whole loop exit" {
		panic(got)
	}
	if got := try(func() {
		var keep func() bool
		func() {
			for range func(yield func() bool) { keep = yield; yield() } {
				return
			}
		}()
		keep()
	}); got != head+"continued iteration after whole loop exit" {
		panic(got)
	}
	if got := try(func() {
		var keep func() bool
	outer:
		for range 2 {
			for range func(yield func() bool) { yield() } {
				for range func(yield func() bool) { keep = yield; yield() } {
					continue outer
				}
			}
		}
		keep()
	}); got != head+"continued iteration after whole loop exit" {
		panic(got)
	}
	if got := try(func() {
		for range func(yield func() bool) {
			func() {
				defer func() { recover() }()
				yield()
			}()
			yield()
		} {
			panic("caught")
		}
	}); got != head+"continued iteration after loop body panic" {
		panic(got)
	}
}
