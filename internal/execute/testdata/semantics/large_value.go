// want: verified

package main

type result struct {
	ID   int
	Name string
	Err  error
	More [4]int
}

func main() {
	c := make(chan result, 1)
	c <- result{ID: 1, Name: "one", More: [4]int{3: 4}}
	rs := make([]result, 1)
	rs[0] = <-c
	if rs[0].Name != "one" || rs[0].More[3] != 4 {
		panic(rs[0].Name)
	}
}
