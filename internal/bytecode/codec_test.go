package bytecode

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// roundTrip encodes and decodes a program and compares.
func roundTrip(t interface {
	Helper()
	Fatalf(string, ...any)
}, p *Program) []byte {
	t.Helper()
	b := Encode(p)
	q, err := Decode(b)
	if err != nil {
		t.Fatalf("decode: %v", err)
	}
	if !reflect.DeepEqual(p, q) {
		t.Fatalf("decoded program differs\ngot  %+v\nwant %+v", q, p)
	}
	if c := Encode(q); !bytes.Equal(b, c) {
		t.Fatalf("encoded again: got %d bytes want %d", len(c), len(b))
	}
	return b
}

// normalise makes empty lists nil and opcodes, kinds and forms valid.
func normalise(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		normalise(v.Elem())
	case reflect.Slice:
		if v.Len() == 0 {
			v.SetZero()
		}
		for i := range v.Len() {
			normalise(v.Index(i))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			normalise(v.Field(i))
		}
	}
	switch x := v.Addr().Interface().(type) {
	case *Op:
		*x %= NumOps
	case *Kind:
		*x %= UnsafePointer + 1
	case *Reg:
		*x %= RegCopy + 1
	}
}

// TestRoundTripArbitrary decodes what was encoded of programs that mean nothing:
// every field has an arbitrary value.
func TestRoundTripArbitrary(t *testing.T) {
	gen := rapid.Make[Program]()
	rapid.Check(t, func(t *rapid.T) {
		p := gen.Draw(t, "program")
		normalise(reflect.ValueOf(&p).Elem())
		roundTrip(t, &p)
	})
}

// TestEveryOp has each opcode once, with the operands of its row.
func TestEveryOp(t *testing.T) {
	p := &Program{Funcs: []Func{{Code: everyOp(rand.New(rand.NewPCG(1, 2)))}}}
	raw := len(p.Funcs[0].Code) * 16
	if b := roundTrip(t, p); len(b) > raw/2 {
		t.Errorf("%d instructions take %d bytes, want at most %d", len(p.Funcs[0].Code), len(b), raw/2)
	}
}

// everyOp is one instruction of each opcode, as a compiler would write it.
func everyOp(r *rand.Rand) []Instr {
	code := make([]Instr, NumOps)
	for op := range code {
		code[op] = sampleInstr(r, Op(op), int(NumOps))
	}
	return code
}

func sampleInstr(r *rand.Rand, op Op, size int) Instr {
	in := Instr{Op: op}
	s := opShapes()[op]
	for _, o := range []struct {
		has bool
		reg *uint16
	}{{s.a, &in.A}, {s.b, &in.B}, {s.c, &in.C}} {
		if o.has {
			*o.reg = uint16(r.IntN(30))
		}
	}
	switch s.imm {
	case immSigned:
		in.Imm = int64(r.IntN(100)) - 20
	case immUnsigned:
		in.Imm = int64(r.IntN(5000))
	case immPair:
		in.Imm = Pack(uint32(r.IntN(2000)), uint32(r.IntN(100)))
	case immTarget:
		in.Imm = int64(r.IntN(size))
	case immConstTarget:
		in.Imm = Pack(uint32(r.IntN(10)-5), uint32(r.IntN(size)))
	}
	return in
}

// sampleProgram has n functions and types of about the proportions of a compiled
// network server.
func sampleProgram(n int) *Program {
	r := rand.New(rand.NewPCG(3, 4))
	p := &Program{GoVersion: "go1.26.8", Path: "main", TypeImage: make([]byte, 200*n), Strings: make([]byte, 50*n)}
	common := []Op{OpMov, OpMov2, OpConst, OpLd64, OpSt64, OpCall, OpJf, OpJmp, OpAdd, OpJeqi, OpLea, OpRet1, OpCalli}
	for i := range n {
		f := Func{
			Name: fmt.Sprintf("pkg%d.(*T%d).Method%d", i%100, i%700, i), Pkg: fmt.Sprintf("example.com/pkg%d", i%100),
			Params: 3, Results: 1, Frame: 30, Sig: i % 500, Recv: -1, ParamT: []int{1, 2, 3}, ResultT: []int{4},
			Recover: -1, File: i % 300, Line: i,
		}
		size := 20 + r.IntN(100)
		for pc := range size {
			op := common[r.IntN(len(common))]
			if r.IntN(4) == 0 {
				op = Op(r.IntN(int(NumOps)))
			}
			f.Code = append(f.Code, sampleInstr(r, op, size))
			if pc%2 == 0 {
				f.Lines = append(f.Lines, Line{int32(pc), int32(i % 300), int32(i + pc/4), int32(r.IntN(40))})
			}
			if pc%3 == 0 {
				f.Points = append(f.Points, Safepoint{int32(pc), int32(pc / 6)})
			}
			if pc%6 == 0 {
				f.Maps = append(f.Maps, Map{[]uint64{r.Uint64() >> 34}, []uint64{r.Uint64() >> 34}})
			}
		}
		p.Funcs = append(p.Funcs, f)
		for k := range 3 {
			p.Types = append(p.Types, Type{
				Kind: Struct, Reg: RegCopy, Align: 8, Size: 64, Words: 8, Ptrs: []uint64{5}, Elem: -1, Key: -1,
				Str: fmt.Sprintf("pkg%d.T%d", i%100, 3*i+k), Name: fmt.Sprintf("T%d", 3*i+k), PkgPath: fmt.Sprintf("example.com/pkg%d", i%100),
				Fields: []Field{{Name: "a", Type: 1}, {Name: "B", Type: 2, Off: 8, Tag: `json:"b"`}},
			})
		}
	}
	return p
}

func TestRoundTripSample(t *testing.T) {
	p := sampleProgram(200)
	p.Funcs[3].Selects = []Select{{Blocking: true, RecvOk: 4, Index: 5, Cases: []Case{{Send: true, Chan: 1, Value: 2, Elem: 3}, {Chan: 2, Value: -1}}}}
	p.Funcs[4].FreeMap = []byte{1, 0, 1}
	p.Funcs[5].Code[2].C = 7 // where the row of most opcodes has no operand
	roundTrip(t, p)
}

// TestDamage cuts a program short at every length and flips every bit: all must
// be noticed.
func TestDamage(t *testing.T) {
	good := Encode(sampleProgram(2))
	for n := range good {
		if _, err := Decode(good[:n]); err == nil {
			t.Fatalf("cut to %d of %d bytes: no error", n, len(good))
		}
	}
	for i := range good {
		bad := bytes.Clone(good)
		bad[i] ^= 1 << (i % 8)
		if _, err := Decode(bad); err == nil {
			t.Fatalf("byte %d changed: no error", i)
		}
	}
	for _, c := range []struct {
		at   int
		want string
	}{{0, "not a program"}, {4, "version"}, {8, "other opcodes"}, {12, "checksum"}} {
		bad := bytes.Clone(good)
		bad[c.at] ^= 0x40
		if _, err := Decode(bad); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("byte %d changed: got error %v want one about %q", c.at, err, c.want)
		}
	}
}

// TestAllocation gives huge numbers to each count of the payload.
func TestAllocation(t *testing.T) {
	huge := bytes.Repeat([]byte{0xff, 0xff, 0xff, 0xff, 0x7f}, 20)
	for n := range 40 {
		b := seal(append(make([]byte, n), huge...))
		if _, err := Decode(b); err == nil {
			t.Errorf("huge count after %d zeros: no error", n)
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		Decode(b)
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > 1<<20 {
			t.Errorf("huge count after %d zeros: %d bytes allocated", n, got)
		}
	}
}

// FuzzDecode gives arbitrary payloads a valid header: decoding must not panic,
// and what it accepts must survive a round trip.
func FuzzDecode(f *testing.F) {
	for _, n := range []int{0, 1, 3} {
		f.Add(Encode(sampleProgram(n))[headerSize:])
	}
	f.Add(Encode(&Program{Funcs: []Func{{Code: everyOp(rand.New(rand.NewPCG(5, 6)))}}})[headerSize:])
	f.Fuzz(func(t *testing.T, payload []byte) {
		p, err := Decode(seal(payload))
		if err != nil {
			return
		}
		roundTrip(t, p)
	})
}

func BenchmarkDecode(b *testing.B) {
	p := sampleProgram(4000)
	data := Encode(p)
	instrs := 0
	for i := range p.Funcs {
		instrs += len(p.Funcs[i].Code)
	}
	b.SetBytes(int64(len(data)))
	b.ReportMetric(float64(instrs), "instrs")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	p := sampleProgram(4000)
	for b.Loop() {
		Encode(p)
	}
}
