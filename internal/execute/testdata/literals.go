// Which literals of package variables are data of the program: those are never collected, so a weak pointer to one finds it when no
// variable leads to it any more.
package main

import (
	"fmt"
	"runtime"
	"sync"
	"unsafe"
	"weak"
)

type node struct {
	sync.WaitGroup
	n    int
	next *node
	list []*node
	any  any
	f    func()
}

type selfer interface{ self() *node }

func (t *node) self() *node { return t }

type box[X any] struct {
	sync.WaitGroup
	x X
}

var count = 3

func changes() int {
	count++
	return count
}

func newNode() *node                     { return &node{} }
func newNumbered(n int) *node            { return &node{n: n, list: []*node{{n: n}}} }
func newSteps(n int) *node               { t := &node{}; t.n = n; return t }
func newLocal(n int) *node               { t := &node{n: n}; return t }
func newAssigned() (t *node)             { t = &node{}; return }
func newNamed() (t *node)                { return &node{} }
func newNew() *node                      { return new(node) }
func newSelfer() selfer                  { return &node{} }
func newWrapped() *node                  { return newNode() }
func newBefore(p *node) *node            { return &node{next: p} }
func newTwice(p *node) *node             { return &node{next: p, any: p} }
func newPair() (*node, error)            { return &node{}, nil }
func newBox[X any](x X) *box[X]          { return &box[X]{x: x} }
func newClosure(n int) *node             { return &node{f: func() { println(n) }} }
func newFunc() *node                     { return &node{f: func() { println(1) }} }
func newMap() *box[map[string]int]       { return &box[map[string]int]{x: map[string]int{}} }
func newChan() *box[chan int]            { return &box[chan int]{x: make(chan int)} }
func newSlice() *node                    { return &node{list: make([]*node, 10)} }
func newValue(n int) (v struct{ *node }) { v.node = &node{n: n}; return v }
func newPart(n int) part                 { return part{&node{n: n}} }
func newOf(list ...*node) *node          { return &node{list: list} }

type part struct{ p *node }

//go:noinline
func newApart() *node { return &node{} }

var (
	a1              = &node{}
	a2              = new(node)
	a3              = &node{next: &node{n: 1}}
	a4              = part{&node{n: 1}}
	a5              = []node{{}, {n: 2}}
	a6              = []*node{{}, {n: 2}}
	a7              = [2]*node{{}, {}}
	a8              = map[string]*node{"x": {}}
	a9       selfer = &node{}
	a10      any    = selfer(&node{})
	a11      any    = part{&node{}}
	a12             = &node{n: changes()}
	a13             = a1
	a14             = (&node{}).self()
	a15             = part{&node{}}.p
	a16             = []*node{{}, {n: 2}}[0]
	a17             = &[]*node{{}}
	a18             = &box[int]{}
	a19             = func() *node { return &node{} }()
	a20             = &node{any: &node{}, list: []*node{{}}}
	a21, a22        = &node{}, &node{}
	a23             = append([]*node{}, &node{})
	a24             = unsafe.Pointer(&node{})
	a25             = []*node{5: {}}
	a26             = make([]node, 2)
	a27             = &node{any: part{&node{}}}
	a28             = [][]node{{{}}, {}}
	a29             = &node{n: len(a6)}
	a30             = &sync.WaitGroup{}

	c1      = newNode()
	c2      = newNumbered(3)
	c3      = newSteps(3)
	c4      = newLocal(3)
	c5      = newAssigned()
	c6      = newNamed()
	c7      = newNew()
	c8      = newSelfer()
	c9      = newWrapped()
	c10     = newBefore(&node{})
	c11     = newTwice(&node{})
	c12, _  = newPair()
	c13     = newBox(3)
	c14     = newBox("s")
	c15     = newClosure(3)
	c16     = newFunc()
	c17     = newMap()
	c18     = newChan()
	c19     = newSlice()
	c20     = newNumbered(changes())
	c21     = newNumbered(count)
	c22     = newNumbered(len(a6))
	c23     = newValue(3)
	c24     = newPart(3)
	c25     = newBefore(newSteps(3))
	c26     = newBefore(newNode())
	c27     = &node{next: newNode()}
	c28     = sync.NewCond(&sync.Mutex{})
	c29     = newApart()
	c30     = newOf(&node{}, &node{n: 1})
	c31     = newNumbered(count * 2)
	c32     = newBefore(a3.next)
	c33     = newBefore(a6[0])
	c34     = newBefore(&a5[0])
	lengths = []int{len(a5), len(a28)}
)

var tell []func()

func probe[P any](name string, p *P) {
	w := weak.Make(p)
	tell = append(tell, func() {
		if w.Value() != nil {
			fmt.Println(name, "data of the program")
		} else {
			fmt.Println(name, "allocated")
		}
	})
}

//go:noinline
func probes() {
	probe("a1", a1)
	probe("a2", a2)
	probe("a3", a3)
	probe("a3.next", a3.next)
	probe("a4.p", a4.p)
	probe("a5", &a5[0])
	probe("a6", &a6[0])
	probe("a6[0]", a6[0])
	probe("a7[0]", a7[0])
	probe("a8[x]", a8["x"])
	probe("a9", a9.(*node))
	probe("a10", a10.(*node))
	probe("a11.p", a11.(part).p)
	probe("a12", a12)
	probe("a13", a13)
	probe("a14", a14)
	probe("a15", a15)
	probe("a16", a16)
	probe("a17", a17)
	probe("a17[0]", (*a17)[0])
	probe("a18", a18)
	probe("a19", a19)
	probe("a20.any", a20.any.(*node))
	probe("a20.list", &a20.list[0])
	probe("a20.list[0]", a20.list[0])
	probe("a21", a21)
	probe("a22", a22)
	probe("a23[0]", a23[0])
	probe("a24", (*node)(a24))
	probe("a25[5]", a25[5])
	probe("a26", &a26[0])
	probe("a27.any.p", a27.any.(part).p)
	probe("a28[0]", &a28[0][0])
	probe("a29", a29)
	probe("a30", a30)
	probe("c1", c1)
	probe("c2", c2)
	probe("c2.list", &c2.list[0])
	probe("c2.list[0]", c2.list[0])
	probe("c3", c3)
	probe("c4", c4)
	probe("c5", c5)
	probe("c6", c6)
	probe("c7", c7)
	probe("c8", c8.(*node))
	probe("c9", c9)
	probe("c10", c10)
	probe("c10.next", c10.next)
	probe("c11", c11)
	probe("c11.next", c11.next)
	probe("c12", c12)
	probe("c13", c13)
	probe("c14", c14)
	probe("c15", c15)
	probe("c16", c16)
	probe("c17", c17)
	probe("c18", c18)
	probe("c19", c19)
	probe("c20", c20)
	probe("c21", c21)
	probe("c22", c22)
	probe("c23.node", c23.node)
	probe("c24.p", c24.p)
	probe("c25", c25)
	probe("c26", c26)
	probe("c27.next", c27.next)
	probe("c28", c28)
	probe("c29", c29)
	probe("c30", c30)
	probe("c30.list", &c30.list[0])
	probe("c30.list[1]", c30.list[1])
	probe("c31", c31)
	probe("c32", c32)
	probe("c33", c33)
	probe("c34", c34)
}

func main() {
	probes()
	a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12 = nil, nil, nil, part{}, nil, nil, [2]*node{}, nil, nil, nil, nil, nil
	a13, a14, a15, a16, a17, a18, a19, a20, a21, a22, a23, a24 = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
	a25, a26, a27, a28, a29, a30 = nil, nil, nil, nil, nil, nil
	c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, c12 = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
	c13, c14, c15, c16, c17, c18, c19, c20, c21, c22 = nil, nil, nil, nil, nil, nil, nil, nil, nil, nil
	c23.node, c24, c25, c26, c27, c28, c29, c30, c31 = nil, part{}, nil, nil, nil, nil, nil, nil, nil
	c32, c33, c34 = nil, nil, nil
	runtime.GC()
	runtime.GC()
	for _, f := range tell {
		f()
	}
}
