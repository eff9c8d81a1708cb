// want: violation race

package main

type conn struct{ timeout int }

func main() {
	c := new(conn)
	go func() { c.timeout = 1 }()
	_ = c.timeout
}
