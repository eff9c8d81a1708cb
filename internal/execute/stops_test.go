package execute

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/drive"
)

// everyAccess accesses shared memory in all the ways there are. Another goroutine
// waits meanwhile, so that it is shared.
const everyAccess = `package main

type big struct{ a, b, c, d, e int }

type all struct {
	i8   int8
	u8   uint8
	i16  int16
	u16  uint16
	i32  int32
	u32  uint32
	i64  int64
	str  string
	list []int
	big  big
}

var (
	v    all
	p    = &v
	ai8  [4]int8
	au8  [4]uint8
	ai16 [4]int16
	au16 [4]uint16
	ai32 [4]int32
	au32 [4]uint32
	ai64 [4]int64
	astr [4]string
	asl  [4][]int
	si8  = make([]int8, 4)
	su8  = make([]uint8, 4)
	si16 = make([]int16, 4)
	su16 = make([]uint16, 4)
	si32 = make([]int32, 4)
	su32 = make([]uint32, 4)
	si64 = make([]int64, 4)
	sstr = make([]string, 4)
	ssl  = make([][]int, 4)
	gi8  int8
	gu8  uint8
	gi16 int16
	gu16 uint16
	gi32 int32
	gu32 uint32
	gi64 int64
	gstr string
	gsl  []int
	b1   = &big{1, 2, 3, 4, 5}
	b2   = &big{}
	room = make([]int, 2, 8)
	full = make([]int, 2)
	text = make([]byte, 3, 8)
	runes = []rune{'a', 'b'}
	m    = map[int]int{1: 1}
	ch   = make(chan int)
)

func plain(p *all, q *all) {
	p.i8, p.u8, p.i16, p.u16, p.i32, p.u32, p.i64 = q.i8+1, q.u8+1, q.i16+1, q.u16+1, q.i32+1, q.u32+1, q.i64+1
	s := q.str
	p.str = s
	l := q.list
	p.list = l
	x := q.big
	x.a++
	p.big = x
	p.big = big{}
}

func static() {
	gi8, gu8, gi16, gu16, gi32, gu32, gi64 = gi8+1, gu8+1, gi16+1, gu16+1, gi32+1, gu32+1, gi64+1
	s := gstr
	gstr = s
	l := gsl
	gsl = l
}

func arrays(i, j int) {
	ai8[i], au8[i], ai16[i], au16[i] = ai8[j]+1, au8[j]+1, ai16[j]+1, au16[j]+1
	ai32[i], au32[i], ai64[i] = ai32[j]+1, au32[j]+1, ai64[j]+1
	s := astr[i]
	astr[j] = s
	l := asl[i]
	asl[j] = l
}

func elements(i, j int) {
	si8[i], su8[i], si16[i], su16[i] = si8[j]+1, su8[j]+1, si16[j]+1, su16[j]+1
	si32[i], su32[i], si64[i] = si32[j]+1, su32[j]+1, si64[j]+1
	s := sstr[i]
	sstr[j] = s
	l := ssl[i]
	ssl[j] = l
}

func bulk() (string, string) {
	_ = *b2
	*b2 = *b1
	a, b := room, full
	_ = append(a, 1)
	_ = append(a, b...)
	_ = append(b, 2)
	_ = append(b, a...)
	_ = append(a, 1, 2)
	c := text
	_ = append(c, gstr...)
	copy(a, b)
	clear(a)
	r := runes
	return string(c), string(r)
}

func maps() int {
	n := m
	n[2] = n[1]
	_, ok := n[3]
	if !ok {
		delete(n, 1)
	}
	t := len(n)
	for k := range n {
		t += k
	}
	clear(n)
	return t
}

func main() {
	gstr = "xyz"
	go func() { <-ch }()
	for range 2 {
		plain(p, &v)
		static()
		arrays(1, 2)
		elements(1, 2)
		bulk()
		maps()
	}
	close(ch)
}
`

// A cell is one byte of memory, and whether it is written.
type cell struct {
	obj   uint32
	off   uint32
	write bool
}

func cells(list []drive.Access) map[cell]bool {
	set := map[cell]bool{}
	for _, a := range list {
		lo, hi := a.Range()
		for off := lo; off < hi; off++ {
			set[cell{uint32(a.Obj), off, a.Write}] = true
		}
	}
	return set
}

// TestStops follows a goroutine that makes accesses of all sorts. It must stop
// before each, with a register map, and what the instruction was expected to
// access must be what it then does.
func TestStops(t *testing.T) {
	prog := compileAccess(t, everyAccess)
	if err := bytecode.Check(prog); err != nil {
		t.Fatal(err)
	}
	sys, err := NewSystem(prog, Process{Env: []string{}, Dir: "/"}, Settings{Access: true})
	if err != nil {
		t.Fatal(err)
	}
	defer sys.Close()
	m := sys.m
	seen := map[bytecode.Op]bool{}
	main := m.Goroutines()[0]
	for n := 0; ; n++ {
		if n > 2000 {
			t.Fatal("main does not end")
		}
		list := m.StoppedBefore(nil, main)
		if list == nil {
			break
		}
		_, in := m.StandsAt(main)
		seen[in.Op] = true
		want, before := cells(list), cells(m.BlockOf(main))
		sys.Take(sys.Enabled(nil)[0])
		got := cells(m.BlockOf(main))
		for c := range want {
			if !got[c] {
				t.Fatalf("%s: got no access to byte %d of object %d, write %t, want one", in.Op, c.off, c.obj, c.write)
			}
		}
		for c := range got {
			if !want[c] && !before[c] {
				t.Fatalf("%s: got an access to byte %d of object %d, write %t, want none", in.Op, c.off, c.obj, c.write)
			}
		}
	}
	if _, in := m.StandsAt(main); in == nil || in.Op != bytecode.OpClose {
		t.Errorf("main stands at %v, want close", in)
	}
	var missing []string
	for op := range bytecode.NumOps {
		if bytecode.Ops[op].Flags&bytecode.Memory != 0 && !seen[op] {
			missing = append(missing, op.String())
		}
	}
	slices.Sort(missing)
	if len(missing) > 0 {
		t.Errorf("no goroutine has stopped at %v", missing)
	}
}
