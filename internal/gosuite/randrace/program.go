package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A variable is a kind of shared variable. In all texts $ is its name.
type variable struct {
	decl   string // declares it, with a value
	typ    string // for a package-level variable; "" if it cannot be one
	reads  []string
	writes []string
}

// fields are the accesses to a struct that is a variable or behind a pointer.
var fields = variable{
	reads: []string{
		"_ = $.a", "_ = $.b", "x := $.a; _ = x", "_ = $.in.c", "_ = $.in.d", "_ = $.in", "y := $.in; _ = y.d", "_ = $.arr[1]",
		"_ = $.arr[2]", "_ = $.arr", "for _, v := range $.arr { _ = v }", "for i := range $.arr { _ = i }", "_ = len($.arr)",
		"_ = $.s", "_ = len($.s)", "_ = $.a + 1", "if $.b == 77 { sink() }", "take($.a)", "_ = &$.a", "_ = $.a == $.b",
		"$.byValue()", "$.byPointer()", "_ = $.in.c < 0 && $.in.d < 0",
	},
	writes: []string{
		"$.a = 1", "$.b = 2", "$.a++", "$.in.c = 3", "$.in.d += 4", "$.arr[1] = 5", "$.arr[2]++", "$.s = \"s\"", "$.in.c, $.b = 1, 2",
	},
}

var variables = []variable{
	{
		decl: "$ := 0", typ: "int",
		reads:  []string{"_ = $", "x := $; _ = x", "_ = $ + 1", "if $ == 77 { sink() }", "take($)", "_ = $ < 0", "_ = any($)", "_ = &$", "switch $ { case 5: sink() }"},
		writes: []string{"$ = 1", "$++", "$ += 2", "$ = 3"},
	},
	{
		decl: "$ := T{}", typ: "T",
		reads:  append([]string{"_ = $", "t := $; _ = t.b", "_ = $ == T{}", "func(T) {}($)"}, fields.reads...),
		writes: append([]string{"$ = T{}", "$ = T{a: 1}"}, fields.writes...),
	},
	{
		decl: "$ := new(T)", typ: "*T",
		reads:  append([]string{"_ = *$", "t := *$; _ = t.b", "_ = (*$).a", "_ = $", "_ = $ == nil"}, fields.reads...),
		writes: append([]string{"*$ = T{}"}, fields.writes...),
	},
	{
		decl: "$ := make([]int, 3, 4)", typ: "[]int",
		reads: []string{
			"_ = $[0]", "_ = $[1]", "i := 1; _ = $[i]", "_ = len($)", "_ = cap($)", "for i := range $ { _ = i }", "for _, v := range $ { _ = v }",
			"_ = append($[:1:1], 5)", "_ = $[1:]", "copy(make([]int, 1), $)", "_ = &$[1]", "take($...)", "take($[1])", "_ = [1]int($)",
		},
		writes: []string{"$[0] = 1", "$[1]++", "i := 1; $[i] = 2", "$ = append($, 1)", "_ = append($, 2)", "$ = make([]int, 3, 4)", "$[1], $[0] = $[0], $[1]", "clear($[1:])", "copy($[1:], []int{1})"},
	},
	{
		decl: "$ := map[int]int{1: 1}", typ: "map[int]int",
		reads:  []string{"_ = $[1]", "_, _ = $[2]", "_ = len($)", "for k := range $ { _ = k }", "for range $ { break }", "_ = $", "_ = $ == nil"},
		writes: []string{"$[1] = 1", "$[2]++", "delete($, 1)", "clear($)", "$[3] = 1", "$ = map[int]int{}"},
	},
	{
		decl: "$ := \"abc\"", typ: "string",
		reads:  []string{"_ = $", "_ = len($)", "_ = $ + \"x\"", "_ = []byte($)", "_ = $[0]", "for _, r := range $ { _ = r }", "_ = $ == \"abc\"", "_ = $[1:]"},
		writes: []string{"$ = \"abcd\"", "$ += \"x\""},
	},
	{
		decl: "var $ any = 1", typ: "any",
		reads:  []string{"_ = $", "_, _ = $.(int)", "_ = $ == nil", "switch $.(type) { case string: sink() }", "_ = $ == 1"},
		writes: []string{"$ = 2", "$ = \"s\"", "$ = nil"},
	},
	{
		decl: "$ := func() {}", typ: "func()",
		reads:  []string{"$()", "_ = $", "_ = $ == nil", "defer $()"},
		writes: []string{"$ = func() {}", "$ = sink"},
	},
	{
		decl: "$ := [4]int{1, 2}", typ: "[4]int",
		reads: []string{
			"_ = $", "_ = $[1]", "i := 2; _ = $[i]", "for _, v := range $ { _ = v; break }", "for i := range $ { _ = i }", "_ = len($)", "_ = $[1:3]", "a := $; _ = a[3]",
			"for _, v := range &$ { _ = v; break }", "_ = $ == [4]int{}",
		},
		writes: []string{"$[1] = 1", "i := 2; $[i]++", "$ = [4]int{}", "$[3] = 4"},
	},
	{
		decl: "$ := []byte(\"abc\")", typ: "[]byte",
		reads:  []string{"_ = string($)", "_ = $[0]", "_ = string($[1:])", "_ = string($) == \"abc\"", "_ = append([]byte(nil), $...)"},
		writes: []string{"$[0] = 'x'", "copy($, \"yz\")", "$[2]++", "$ = []byte(\"abc\")"},
	},
	{
		decl: "$ := make(chan int, 1)", typ: "chan int",
		reads:  []string{"_ = cap($)", "_ = $", "_ = $ == nil"},
		writes: []string{"$ = make(chan int, 2)", "$ = nil"},
	},
	{
		decl:   "var $ int32",
		reads:  []string{"_ = $", "_ = atomic.LoadInt32(&$)", "x := $; _ = x + 1"},
		writes: []string{"$ = 1", "atomic.AddInt32(&$, 1)", "atomic.StoreInt32(&$, 2)", "atomic.CompareAndSwapInt32(&$, 0, 1)", "$++"},
	},
	{
		decl: "$ := [2]struct{ p, q int }{}", typ: "[2]struct{ p, q int }",
		reads:  []string{"_ = $[0].p", "_ = $[1].q", "_ = $[0]", "i := 1; _ = $[i].p", "for _, v := range $ { _ = v.p }", "for i := range $ { _ = $[i].q }"},
		writes: []string{"$[0].p = 1", "$[1].q = 2", "i := 1; $[i].p++", "$[0] = struct{ p, q int }{1, 2}"},
	},
}

// guards are what an access may be under: before and behind.
var guards = [][2]string{
	{"", ""}, {"", ""},
	{"mu.Lock()", "mu.Unlock()"}, {"mu.Lock()", "mu.Unlock()"},
	{"other.Lock()", "other.Unlock()"},
	{"rw.Lock()", "rw.Unlock()"}, {"rw.RLock()", "rw.RUnlock()"},
	{"token <- true", "<-token"},
	{"once.Do(func() {", "})"},
	{"func() { defer mu.Unlock(); mu.Lock()", "}()"},
	{"if flag.Load() {", "}"}, {"", "flag.Store(true)"},
	{"if count.Add(1) == 1 {", "}"},
}

// locks are the guards that order whatever is under them.
var locks = [][2]string{{"mu.Lock()", "mu.Unlock()"}, {"rw.Lock()", "rw.Unlock()"}, {"token <- true", "<-token"}, {"func() { defer mu.Unlock(); mu.Lock()", "}()"}}

// A generator writes one program.
type generator struct {
	rnd      *rand.Rand
	seed     uint64
	names    []string
	kinds    []*variable
	decls    []string
	globals  []string
	messages int
	lock     *[2]string // all accesses are under it, if it is not nil
	routines [3][]string
}

// Program returns the text of a function p(), and of what it needs on the level of the package. Names
// on that level end with the seed.
func Program(seed uint64) string { return newGenerator(seed).text() }

func newGenerator(seed uint64) *generator {
	g := &generator{rnd: rand.New(rand.NewPCG(seed, 0x72616365)), seed: seed}
	for i := range 1 + g.rnd.IntN(2) {
		g.declare(i)
	}
	if g.rnd.IntN(3) == 0 {
		g.lock = &locks[g.rnd.IntN(len(locks))]
	}
	for n := 2 + g.rnd.IntN(3); n > 0; n-- {
		g.access()
	}
	return g
}

// declare makes a variable of the function or of the package.
func (g *generator) declare(i int) {
	v := &variables[g.rnd.IntN(len(variables))]
	name := string(rune('v' + i))
	decl := v.decl
	if v.typ != "" && g.rnd.IntN(3) == 0 {
		name = fmt.Sprintf("g%d_%d", i, g.seed)
		g.globals = append(g.globals, "var "+name+" "+v.typ)
		decl = strings.Replace(strings.Replace(decl, "var $ any", "$", 1), ":=", "=", 1)
	}
	g.names, g.kinds = append(g.names, name), append(g.kinds, v)
	g.decls = append(g.decls, strings.ReplaceAll(decl, "$", name))
	if name[0] != 'g' {
		g.decls = append(g.decls, "_ = "+name)
	}
}

// access adds an access to a goroutine, and perhaps a message to a later one that has an access, too.
// Messages go from the first goroutine to the second and from both to their parent only, so that
// nobody waits for ever.
func (g *generator) access() {
	r := g.rnd.IntN(3)
	g.add(r, g.one())
	if r < 2 && g.rnd.IntN(3) == 0 {
		to := r + 1 + g.rnd.IntN(2-r)
		g.messages++
		c := fmt.Sprintf("c%d", g.messages)
		if g.rnd.IntN(2) == 0 {
			g.add(r, c+" <- true")
		} else {
			g.add(r, "close("+c+")")
		}
		switch g.rnd.IntN(3) {
		case 0:
			g.add(to, "for range "+c+" { break }")
		case 1:
			g.add(to, "select { case <-"+c+": case <-never: }")
		default:
			g.add(to, "<-"+c)
		}
		g.add(to, g.one())
	}
}

func (g *generator) add(r int, line string) { g.routines[r] = append(g.routines[r], line) }

// one is an access under a guard.
func (g *generator) one() string {
	i := g.rnd.IntN(len(g.names))
	list := g.kinds[i].reads
	if g.rnd.IntN(5) < 2 {
		list = g.kinds[i].writes
	}
	text := "{ " + strings.ReplaceAll(list[g.rnd.IntN(len(list))], "$", g.names[i]) + " }"
	guard := guards[g.rnd.IntN(len(guards))]
	if g.lock != nil {
		guard = *g.lock
	}
	return strings.Trim(guard[0]+"\n"+text+"\n"+guard[1], "\n")
}

// text writes the program.
func (g *generator) text() string {
	var b strings.Builder
	for _, d := range g.globals {
		fmt.Fprintln(&b, d)
	}
	fmt.Fprintf(&b, "func p%d() {\n", g.seed)
	b.WriteString("var mu, other sync.Mutex\nvar rw sync.RWMutex\nvar once sync.Once\nvar flag atomic.Bool\nvar count atomic.Int32\n")
	b.WriteString("var wg sync.WaitGroup\ntoken, never := make(chan bool, 1), make(chan bool)\n_, _, _, _, _, _, _, _ = &mu, &other, &rw, &once, &flag, &count, token, never\n")
	for i := range g.messages {
		fmt.Fprintf(&b, "c%d := make(chan bool, 1)\n", i+1)
	}
	for _, d := range g.decls {
		fmt.Fprintln(&b, d)
	}
	b.WriteString("wg.Add(2)\n")
	for r := range 2 {
		fmt.Fprintf(&b, "go func() {\ndefer wg.Done()\njitter(%d)\n%s\n}()\n", r, strings.Join(g.routines[r], "\n"))
	}
	fmt.Fprintf(&b, "jitter(2)\n%s\nwg.Wait()\n}\n", strings.Join(g.routines[2], "\n"))
	return b.String()
}

// common is what all programs use.
const common = `
type T struct {
	a, b int
	in   struct{ c, d int }
	arr  [3]int
	s    string
}

//go:noinline
func (t T) byValue() int { return t.b }

//go:noinline
func (t *T) byPointer() {}

//go:noinline
func sink() {}

//go:noinline
func take(...int) {}
`
