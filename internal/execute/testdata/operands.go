package main

import "fmt"

// What operands are when a call of their statement changes them, for statements in which each is copied at another time.

var count int

func next() int {
	count++
	return count
}

// Parts of package variables are assigned one after the other.
var (
	list  = [...]int{count, next()}
	place = point{count, next()}
	there = &point{next(), count}
)

type point struct{ x, y int }

type reader struct {
	text string
	at   int
}

func (r *reader) skip(n int) int {
	r.at += n
	return r.at
}

type named struct{}

func (named) take(int) {}

func first() named {
	fmt.Println("first")
	return named{}
}

func second() int {
	fmt.Println("second")
	return 1
}

func inOrder[T interface{ take(int) }](make func() T) { make().take(second()) }

type function interface{ ~func() int }

type functions interface{ function }

func call[F functions](f F) int { return f() }

type table interface{ ~map[int]int }

func filled[M interface{ table }]() M { return M{count: next()} }

type sized map[int]int

func (s sized) size() int { return len(s) }

func sizeOf[M interface {
	~map[int]int
	size() int
}]() int {
	return M{count: next(), next(): count}.size()
}

type triple interface{ ~[3]int }

func up(s []int) int {
	s[0]++
	return s[0]
}

func risen[A interface {
	triple
	comparable
}](a A) (A, int) {
	return a, up(a[:])
}

func main() {
	fmt.Println(list, place, *there)
	r := &reader{text: "abcdef"}
	fmt.Println(r.text[r.at:r.skip(3)], r.text[r.at:r.skip(2)])
	inOrder(first)
	fmt.Println(call(next))
	fmt.Println(*&map[int]int{count: next()}, filled[map[int]int](), sizeOf[sized]())
	fmt.Println(risen([3]int{1}))
	fmt.Println(map[int]string{second() + 4: "computed", 5: "constant"})
	b := []byte("h")
	counts := map[string]int{"h": 1, "j": 2}
	fmt.Println(counts[string(b)] + func() int { b[0] = 'j'; return 10 }())
	count = 0
	fmt.Println(count == 0, next(), point{count, 7}, next(), count, next())
}
