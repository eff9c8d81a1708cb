package randconc

import (
	"fmt"
	"slices"
	"strings"
)

// packages are those that a program may import.
var packages = []struct{ name, path string }{
	{"context", "context"},
	{"oldrand", "math/rand"},
	{"rand", "math/rand/v2"},
	{"runtime", "runtime"},
	{"sync", "sync"},
	{"atomic", "sync/atomic"},
	{"synctest", "testing/synctest"},
	{"time", "time"},
	{"unsafe", "unsafe"},
	{"weak", "weak"},
}

// text is the whole program, not yet formatted.
func (g *generator) text() string {
	body := g.body(0)
	all := strings.Join(append(body, g.tops...), "\n")
	pkg, local := g.declare(all)
	head := append(pkg, fmt.Sprintf("\n// out holds what each goroutine has learned, main first.\nvar out [%d]int\n", len(g.routines)))

	var b strings.Builder
	begin, end := "\nfunc main() {\n", "\n}\n"
	if g.o.Bubble {
		begin, end = bubble+begin+"bubbled(func() {\n", "\n})\n}\n"
	}
	code := strings.Join(head, "\n") + begin + strings.Join(local, "\n") + "\n" + strings.Join(body, "\n") + end + strings.Join(g.tops, "\n")
	if mentions(code, "newThing") {
		code = thing + code
	}
	b.WriteString("package main\n\nimport (\n")
	for _, p := range packages {
		linked := g.o.Bubble && (p.name == "synctest" || p.name == "unsafe") // for the names that are linked
		if linked || mentions(code, p.name) {
			name := ""
			if p.name == "oldrand" {
				name = p.name
			} else if linked {
				name = "_"
			}
			fmt.Fprintf(&b, "%s %q\n", name, p.path)
		}
	}
	b.WriteString(")\n\n" + code)
	return b.String()
}

// body is the text of routine i, without the function around it.
func (g *generator) body(i int) []string {
	r := g.routines[i]
	var lines []string
	if i == 0 && g.wgCount > 0 {
		lines = append(lines, fmt.Sprintf("%s.Add(%d)", g.ref("wg"), g.wgCount))
	}
	if i == 0 && g.wg2Count > 0 {
		lines = append(lines, fmt.Sprintf("%s.Add(%d)", g.ref("wg2"), g.wg2Count))
	}
	if r.done == "defer" {
		lines = append(lines, "defer "+g.ref("wg")+".Done()")
	}
	lines = append(lines, "r := 0")
	// What is learned is written before the WaitGroup knows that all is done.
	late := r.recovers || r.server || r.done != "last" && g.chance(2)
	switch {
	case r.recovers:
		lines = append(lines, "defer func() {", "if recover() != nil {", "r += 100", "}", fmt.Sprintf("out[%d] = r", i), "}()")
	case late:
		lines = append(lines, "defer func() {", fmt.Sprintf("out[%d] = r", i), "}()")
	}
	for k := range len(r.stmts) + 1 {
		for j, child := range g.routines {
			if j > 0 && child.parent == i && min(child.at, len(r.stmts)) == k {
				lines = append(lines, g.spawn(j)...)
			}
		}
		if k < len(r.stmts) {
			lines = append(lines, r.stmts[k].lines...)
		}
	}
	if !late {
		lines = append(lines, fmt.Sprintf("out[%d] = r", i))
	}
	if r.done == "last" {
		lines = append(lines, g.ref("wg")+".Done()")
	}
	return lines
}

// spawn is the text that starts routine i.
func (g *generator) spawn(i int) []string {
	r, body := g.routines[i], g.body(i)
	switch {
	case r.start == "Go" && g.ending == "wg":
		lines := append([]string{g.ref("wg") + ".Go(func() {"}, body...)
		return append(lines, "})")
	case r.start == "func" && !g.captures(body):
		name := fmt.Sprintf("work%d", i)
		if g.place["sh"] == captured && mentions(strings.Join(body, "\n"), "sh") {
			g.tops = append(g.tops, "\nfunc "+name+"(sh *shared) {\n"+strings.Join(body, "\n")+"\n}")
			return []string{"go " + name + "(sh)"}
		}
		g.tops = append(g.tops, "\nfunc "+name+"() {\n"+strings.Join(body, "\n")+"\n}")
		return []string{"go " + name + "()"}
	case r.start == "argument":
		// The first declaration of r is its own, others are of goroutines in it.
		own := slices.Index(body, "r := 0")
		lines := append([]string{"go func(r int) {"}, slices.Delete(body, own, own+1)...)
		return append(lines, fmt.Sprintf("}(%d)", g.rnd.IntN(2)))
	}
	lines := append([]string{"go func() {"}, body...)
	return append(lines, "}()")
}

// captures tells whether a text uses variables of main.
func (g *generator) captures(body []string) bool {
	text := strings.Join(body, "\n")
	for _, v := range variables {
		if g.place[v.name] == captured && mentions(text, v.name) {
			return true
		}
	}
	return false
}
