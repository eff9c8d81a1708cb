package datagram

import "slices"

// A Queue is packets on their way to one receiver, in the order in which they were
// sent. It is a value: what changes it returns another one.
type Queue[P any] []Item[P]

// An Item is a packet of a Queue.
type Item[P any] struct {
	Packet P
	Left   int // how often it still arrives; 0 if that is not decided yet
	Window int // if decided: it may arrive when less than so many packets are before it
}

// A Way is one way in which a receiver's queue can go on: a packet arrives, or one
// is lost, after which the receiver asks again.
type Way[P any] struct {
	Rest   Queue[P]
	Packet P
	Lost   bool
	Over   int // how many packets it has overtaken
	Left   int // how often it will arrive again
}

// Undecided reports whether the multiplier has not decided about the item.
func (x Item[P]) Undecided() bool { return x.Left == 0 }

// Undecided reports whether no item is decided about.
func (q Queue[P]) Undecided() bool {
	return !slices.ContainsFunc(q, func(x Item[P]) bool { return !x.Undecided() })
}

// Add returns the queue with a packet that arrives so often, which may be never,
// at any of so many places (paper 004, algorithm 2).
func (q Queue[P]) Add(p P, times, window int) Queue[P] {
	if times == 0 {
		return q
	}
	return append(slices.Clip(q), Item[P]{p, times, window})
}

// Put returns the queue with a packet that the receiver's side decides about.
func (q Queue[P]) Put(p P) Queue[P] { return append(slices.Clip(q), Item[P]{Packet: p}) }

// Next returns which items may arrive next. Of items that are the same only the
// first is there.
func (q Queue[P]) Next(same func(a, b P) bool) []int {
	var list []int
	for i, x := range q {
		if !x.Undecided() && i < x.Window && !slices.ContainsFunc(list, func(j int) bool { return q[j].Left == x.Left && same(q[j].Packet, x.Packet) }) {
			list = append(list, i)
		}
	}
	return list
}

// Take lets item i arrive once and returns what is left (paper 004, algorithm 3,
// lines 7 to 10).
func (q Queue[P]) Take(i int) Queue[P] {
	if q[i].Left > 1 {
		rest := slices.Clone(q)
		rest[i].Left--
		return rest
	}
	return slices.Delete(slices.Clone(q), i, i+1)
}

// Receive returns the ways in which the receiver of a queue can go on (paper 004,
// algorithms 5 and 6). It has none if the queue is empty.
func (q Queue[P]) Receive(d Direction, same func(a, b P) bool) []Way[P] {
	return q.decide(nil, d, 0, same)
}

// decide appends the ways in which the multiplier can decide about the packets from
// item i on that are in the window, and one of them can arrive then.
func (q Queue[P]) decide(ways []Way[P], d Direction, i int, same func(a, b P) bool) []Way[P] {
	for ; i < len(q) && (!q[i].Undecided() || i >= d.Places()); i++ {
	}
	if i == len(q) {
		for _, i := range q.Next(same) {
			ways = append(ways, Way[P]{Rest: q.Take(i), Packet: q[i].Packet, Over: i, Left: q[i].Left - 1})
		}
		return ways
	}
	for _, times := range d.Times() {
		rest := slices.Clone(q)
		if times == 0 {
			ways = append(ways, Way[P]{Rest: slices.Delete(rest, i, i+1), Packet: q[i].Packet, Lost: true})
			continue
		}
		rest[i].Left, rest[i].Window = times, d.Places()
		ways = rest.decide(ways, d, i+1, same)
	}
	return ways
}

// Flush returns the orders in which the packets of a send buffer can leave it until
// no more than so many are left, each as a list of items to Take one after the
// other (paper 004, algorithm 3). There is always one, which may be empty.
func (q Queue[P]) Flush(down int, same func(a, b P) bool) [][]int {
	if len(q) <= down {
		return [][]int{nil}
	}
	var orders [][]int
	for _, i := range q.Next(same) {
		for _, rest := range q.Take(i).Flush(down, same) {
			orders = append(orders, append([]int{i}, rest...))
		}
	}
	return orders
}
