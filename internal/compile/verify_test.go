package compile

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

const verifySource = `package main

type shape interface{ area(n int) int }
type square struct{ side int }

func (s square) area(n int) int { return s.side * n }

func work(a []int, m map[string]int, c chan int, x any) (r int, err error) {
	defer func() { recover() }()
	var local [4]int
	for i, v := range a {
		local[i&3] += v
		m["k"] += local[v&3]
	}
	select {
	case v := <-c:
		r = v
	case c <- 1:
	}
	if s, ok := x.(shape); ok {
		r += s.area(2)
	}
	f := func() int { r++; return r }
	go f()
	switch n, _ := x.(int); n {
	case 1:
		a = append(a, n, n)
	}
	print(len(a), "text"[r:])
	return f(), nil
}

func main() { work(nil, nil, nil, square{1}) }
`

// TestCheckRejects plants one defect at a time.
func TestCheckRejects(t *testing.T) {
	p := compileText(t, verifySource)
	data := bytecode.Encode(p)
	index := -1
	for i := range p.Funcs {
		if p.Funcs[i].Name == "main.work" {
			index = i
		}
	}
	find := func(f *bytecode.Func, op bytecode.Op) *bytecode.Instr {
		for i := range f.Code {
			if f.Code[i].Op == op {
				return &f.Code[i]
			}
		}
		t.Fatalf("no %s in the code", op)
		return nil
	}
	for name, plant := range map[string]func(p *bytecode.Program, f *bytecode.Func){
		"opcode":            func(p *bytecode.Program, f *bytecode.Func) { f.Code[1].Op = bytecode.NumOps },
		"invalid opcode":    func(p *bytecode.Program, f *bytecode.Func) { f.Code[1].Op = bytecode.OpInvalid },
		"operand":           func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpConst).A = f.Frame },
		"wide operand":      func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpStr).A = f.Frame - 1 },
		"window":            func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpCallc).A = f.Frame + 1 },
		"string":            func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpStr).Imm = -1 },
		"map type":          func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpMapset).Imm = 0 },
		"type":              func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpNew).Imm = int64(len(p.Types)) },
		"closure":           func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpMkclosure).C++ },
		"function":          func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpMkclosure).Imm = -1 },
		"select":            func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpSelect).Imm = 7 },
		"select word":       func(p *bytecode.Program, f *bytecode.Func) { f.Selects[0].Cases[0].Chan = -1 },
		"assert":            func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpAsserti).Imm = 1 << 20 },
		"index not checked": func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpBound).Op = bytecode.OpNilchk },
		"index limit":       func(p *bytecode.Program, f *bytecode.Func) { find(f, bytecode.OpBound).Imm = 1000 },
		"end":               func(p *bytecode.Program, f *bytecode.Func) { f.Code = f.Code[:len(f.Code)-1] },
		"safepoint":         func(p *bytecode.Program, f *bytecode.Func) { f.Points = f.Points[1:] },
		"safepoint map":     func(p *bytecode.Program, f *bytecode.Func) { f.Points[0].Map = int32(len(f.Maps)) },
		"live word":         func(p *bytecode.Program, f *bytecode.Func) { f.Maps[0].Live[0] |= 1 << 63 },
		"recover":           func(p *bytecode.Program, f *bytecode.Func) { f.Recover = len(f.Code) },
		"params":            func(p *bytecode.Program, f *bytecode.Func) { f.Params = f.Frame + 1 },
		"entry":             func(p *bytecode.Program, f *bytecode.Func) { p.Entry = -1 },
		"global":            func(p *bytecode.Program, f *bytecode.Func) { p.Globals = append(p.Globals, bytecode.Global{Type: -5}) },
		"element type":      func(p *bytecode.Program, f *bytecode.Func) { p.Types[len(p.Types)-1].Elem = 1 << 30 },
	} {
		q, err := bytecode.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		plant(q, &q.Funcs[index])
		if err := bytecode.Check(q); err == nil {
			t.Errorf("%s: Check accepts it", name)
		}
	}
}

// TestCheckSurvives changes code at random: Check must say something, not panic,
// and what it accepts must be printable.
func TestCheckSurvives(t *testing.T) {
	p := compileText(t, verifySource)
	data := bytecode.Encode(p)
	r := rand.New(rand.NewPCG(1, 2))
	var own []int
	for i := range p.Funcs {
		if strings.HasPrefix(p.Funcs[i].Name, "main.") && len(p.Funcs[i].Code) > 0 {
			own = append(own, i)
		}
	}
	var out bytes.Buffer
	accepted := 0
	for range 300 {
		q, err := bytecode.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		for range 1 + r.IntN(3) {
			f := &q.Funcs[own[r.IntN(len(own))]]
			i := &f.Code[r.IntN(len(f.Code))]
			switch r.IntN(6) {
			case 0:
				i.Op = bytecode.Op(r.IntN(int(bytecode.NumOps) + 1))
			case 1:
				i.A = uint16(r.Uint32())
			case 2:
				i.B = uint16(r.Uint32())
			case 3:
				i.C = uint16(r.Uint32())
			case 4:
				i.Imm = int64(r.Uint64())
			case 5:
				i.Imm += int64(r.IntN(9)) - 4
			}
			if bytecode.Check(q) == nil {
				accepted++
				out.Reset()
				q.Disasm(&out, f)
			}
		}
	}
	t.Logf("%d changes accepted", accepted)
}
