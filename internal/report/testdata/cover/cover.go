// Package cover has one of each statement that coverage blocks begin or end at.
package cover

import "fmt"

var table = map[string]func(int) int{
	"one": func(n int) int { return n + 1 },
	"two": func(n int) int {
		if n > 2 {
			return 2
		}
		return n
	},
}

func empty() {}

func _() { fmt.Println("never") }

func branches(n int) (s string) {
	if n == 0 {
		s = "zero"
	} else if n == 1 /* else */ {
		s = "one"
	} /* else */ else /* else */ if n == 2 {
	} else {
		s = "more"
	}
	if n < 0 { return "negative" }
	if x := n * 2; x > 4 {
		s += "!"
	} else {
	}
	switch {
	}
	switch n {
	case 0:
	case 1, 2: s += "."
	default:
		s += ";"
		fallthrough
	case 9:
		s += ","
	}
	switch v := any(n).(type) {
	case int:
		_ = v
	case string:
	}
	switch any(n).(type) {
	}
	return s
}

func loops(n int) int {
	sum := 0
outer:
	for i := 0; i < n; i++ {
		for range i {
			if sum > 10 {
				break outer
			}
			sum++
			continue
		}
	}
	for _, f := range []func() int{func() int { return 1 }, func() int { return 2 }} {
		sum += f()
	}
	{
		sum++
	}
	goto end
end:
	sum++
	if sum > 100 {
		goto last
	}
	sum--
last:
	return sum
}

func channels(c, d chan int) int {
	go func() {
		c <- 1
	}()
	defer func() { _ = recover() }()
	select {
	case v := <-c:
		return v
	case d <- 1:
	}
	func() {
		if true {
			panic("no")
		}
	}()
	if func() bool { return false }() {
		select {}
	}
	for f := func() bool { return true }; f(); {
		panic("yes")
	}
	return 0
}
