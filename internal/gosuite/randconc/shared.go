package randconc

import (
	"fmt"
	"os"
	"strings"
)

// storage says where a shared variable lives.
type storage int

const (
	global   storage = iota // a variable of the package
	captured                // a variable of main that closures use
	field                   // a field of the struct that sh points to
)

// A variable is one that goroutines share.
type variable struct {
	name, typ string
	with      string // lives where this one lives, "" for anywhere
	plain     bool   // a value that is only assigned may count as unused
}

// variables lists the shared variables in the order of their declarations.
var variables = []variable{
	{name: "x", typ: "int", plain: true}, // protected by mu, if at all
	{name: "y", typ: "int", plain: true}, // protected by rw
	{name: "z", typ: "int", plain: true}, // written by once
	{name: "w", typ: "int", plain: true}, // protected by mu2
	{name: "h", typ: "int", plain: true}, // handed over with messages
	{name: "ready", typ: "bool", plain: true},
	{name: "m", typ: "map[int]int", plain: true},
	{name: "s", typ: "[]int", plain: true},
	{name: "tab", typ: "[]int", plain: true},
	{name: "flag", typ: "bool", plain: true},
	{name: "mu", typ: "sync.Mutex"},
	{name: "mu2", typ: "sync.Mutex"},
	{name: "rw", typ: "sync.RWMutex"},
	{name: "wg", typ: "sync.WaitGroup"},
	{name: "wg2", typ: "sync.WaitGroup"},
	{name: "once", typ: "sync.Once"},
	{name: "value", typ: "func() int"},
	{name: "cond", typ: "*sync.Cond", with: "mu"},
	{name: "pool", typ: "sync.Pool", with: "mu"},
	{name: "bare", typ: "sync.Pool", with: "mu"}, // has no New
	{name: "kmu", typ: "sync.Mutex"},
	{name: "keep", typ: "*thing", with: "kmu", plain: true}, // protected by kmu
	{name: "wk", typ: "weak.Pointer[thing]", with: "kmu", plain: true},
	{name: "a", typ: "atomic.Int32"},
	{name: "n", typ: "int32", plain: true},
	{name: "ap", typ: "atomic.Pointer[int]"},
	{name: "av", typ: "atomic.Value"},
	{name: "c", typ: "chan int"},
	{name: "d", typ: "chan int"},
	{name: "e", typ: "chan int"},
	{name: "hc", typ: "chan int"},
	{name: "fin", typ: "chan int"},
	{name: "nc", typ: "chan int"},
	{name: "pc", typ: "chan *int"},
	{name: "stop", typ: "chan bool"},
	{name: "ctx", typ: "context.Context"},
	{name: "cancel", typ: "context.CancelFunc", with: "ctx"},
}

// layOut decides where each shared variable lives.
func (g *generator) layOut() {
	favourite := storage(g.rnd.IntN(3))
	for _, v := range variables {
		switch {
		case v.with != "":
			g.place[v.name] = g.place[v.with]
		case g.chance(2):
			g.place[v.name] = favourite
		default:
			g.place[v.name] = storage(g.rnd.IntN(3))
		}
	}
	// A context may have a timeout: nothing but main may start that clock.
	if g.place["ctx"] == global {
		g.place["ctx"], g.place["cancel"] = captured, captured
	}
	// What is there when the program begins is assumed not to be written.
	if !g.chance(4) {
		g.place["tab"], g.place["flag"] = global, global
	}
	g.place["sh"] = storage(g.rnd.IntN(2))
}

// ref is how a shared variable is written.
func (g *generator) ref(name string) string {
	if g.place[name] == field {
		return "sh." + name
	}
	return name
}

// stmt makes an operation out of lines in which $name is a shared variable.
func (g *generator) stmt(cost int, lines ...string) stmt {
	s := stmt{cost: cost}
	for _, l := range lines {
		s.lines = append(s.lines, os.Expand(l, g.ref))
	}
	return s
}

// value is what a shared variable starts with, "" for its zero value.
func (g *generator) value(name string) string {
	switch name {
	case "c":
		return channel("int", g.capC)
	case "d":
		return channel("int", g.capD)
	case "e", "fin", "hc":
		return channel("int", 0)
	case "pc":
		return channel("*int", g.capD)
	case "stop":
		return channel("bool", 0)
	case "m":
		return "map[int]int{1: 1}"
	case "tab":
		return "[]int{1, 2, 3}"
	case "s":
		return "make([]int, 2, 4)"
	case "cond":
		return "sync.NewCond(&" + g.ref("mu") + ")"
	case "pool":
		return "sync.Pool{New: func() any { return new(int) }}"
	case "keep":
		return "newThing(1)"
	case "wk":
		return "weak.Make(" + g.ref("keep") + ")"
	case "value":
		return "sync.OnceValue(func() int { return 3 })"
	}
	return ""
}

func channel(elem string, n int) string {
	if n == 0 {
		return "make(chan " + elem + ")"
	}
	return fmt.Sprintf("make(chan %s, %d)", elem, n)
}

// context is the text that makes the context.
func (g *generator) context() string {
	if g.timeout {
		return "context.WithTimeout(context.Background(), time.Millisecond)"
	}
	return "context.WithCancel(context.Background())"
}

// declare returns the declarations of the package's variables and of those of
// main. The text is that of the whole program so far: a variable that it does
// not mention is not declared.
func (g *generator) declare(text string) (pkg, local []string) {
	used := make(map[string]bool)
	for _, v := range variables {
		used[v.name] = mentions(text, g.ref(v.name))
	}
	if used["cond"] {
		used["mu"] = true
	}
	if used["wk"] {
		used["keep"] = true
	}
	if used["cancel"] {
		used["ctx"] = true // they are made together
	}
	var fields, inits []string
	for _, v := range variables {
		if !used[v.name] {
			continue
		}
		val := g.value(v.name)
		switch place := g.place[v.name]; {
		case place == field:
			fields = append(fields, v.name+" "+v.typ)
			if v.name == "ctx" {
				inits = append(inits, "sh.ctx, sh.cancel = "+g.context())
				if !used["cancel"] {
					fields = append(fields, "cancel context.CancelFunc")
				}
			} else if val != "" {
				inits = append(inits, "sh."+v.name+" = "+val)
			}
		case v.name == "ctx":
			local = append(local, "ctx, cancel := "+g.context())
			for _, name := range []string{"ctx", "cancel"} {
				if !mentions(text, name) {
					local = append(local, "_ = "+name)
				}
			}
		case v.name == "cancel":
		default:
			d := "var " + v.name + " " + v.typ
			if val != "" {
				d = "var " + v.name + " = " + val
			}
			if place == global {
				pkg = append(pkg, d)
				continue
			}
			local = append(local, d)
			if v.plain || !mentions(text, v.name) {
				local = append(local, "_ = &"+v.name)
			}
		}
	}
	if len(fields) > 0 {
		pkg = append(pkg, "type shared struct {")
		pkg = append(append(pkg, fields...), "}")
		if g.place["sh"] == global {
			pkg = append(pkg, "var sh = &shared{}")
		} else {
			local = append(local, "sh := &shared{}", "_ = sh")
		}
		local = append(local, inits...)
	}
	return pkg, local
}

// mentions tells whether a text has a name, of a variable, a field or a package.
// The field c is not the variable c.
func mentions(text, name string) bool {
	for i := 0; ; i++ {
		k := strings.Index(text[i:], name)
		if k < 0 {
			return false
		}
		i += k
		end := i + len(name)
		if (i == 0 || text[i-1] != '.' && !wordByte(text[i-1])) && (end == len(text) || !wordByte(text[end])) {
			return true
		}
	}
}

func wordByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
