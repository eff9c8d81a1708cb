package compile

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
)

// TestAccessPoints compiles with and without a safepoint at each access. The code
// is the same but for loops in which an access can now be stopped at, whose jumps
// back are not marked (see stopsIn); a missing safepoint is found.
func TestAccessPoints(t *testing.T) {
	plain := compileText(t, verifySource)
	p := compileWith(t, verifySource, Options{AccessPoints: true, SkipInit: func(string) bool { return true }})
	if !p.AccessPoints || plain.AccessPoints {
		t.Errorf("got access points %t and %t, want true and false", p.AccessPoints, plain.AccessPoints)
	}
	q, err := bytecode.Decode(bytecode.Encode(p))
	if err != nil {
		t.Fatal(err)
	}
	if !q.AccessPoints || !bytes.Equal(bytecode.Encode(q), bytecode.Encode(p)) {
		t.Error("a program with access points is another one after encoding and decoding")
	}
	more := 0
	for i := range p.Funcs {
		f := &p.Funcs[i]
		if !slices.EqualFunc(f.Code, plain.Funcs[i].Code, sameButMark) {
			t.Fatalf("%s: got other code with access points", f.Name)
		}
		more += len(f.Points) - len(plain.Funcs[i].Points)
		for k, pt := range f.Points {
			if in := f.Code[pt.PC]; f.Name != "main.work" || bytecode.Ops[in.Op].Flags&bytecode.Memory == 0 {
				continue
			}
			points := f.Points
			f.Points = slices.Delete(slices.Clone(points), k, k+1)
			if bytecode.Check(p) == nil {
				t.Errorf("%s: nothing is wrong without the safepoint of instruction %d", f.Name, pt.PC)
			}
			f.Points = points
		}
	}
	if more < 10 {
		t.Errorf("got %d safepoints more, want many", more)
	}
}

// sameButMark reports whether two instructions are the same, or jumps back of which
// only that without access points is marked.
func sameButMark(in, plain bytecode.Instr) bool {
	if strings.HasSuffix(bytecode.Ops[in.Op].Name, "back") && in.A <= plain.A {
		in.A = plain.A
	}
	return in == plain
}

// TestAccessPointsOperands checks that what an access reads is live before it: it
// is executed when the goroutine goes on.
func TestAccessPointsOperands(t *testing.T) {
	p := compileWith(t, verifySource, Options{AccessPoints: true, SkipInit: func(string) bool { return true }})
	checked := 0
	for i := range p.Funcs {
		f := &p.Funcs[i]
		for _, pt := range f.Points {
			in, m := f.Code[pt.PC], f.Maps[pt.Map]
			if bytecode.Ops[in.Op].Flags&bytecode.Memory == 0 {
				continue
			}
			for k, r := range [3]uint16{in.A, in.B, in.C} {
				if o := bytecode.Operands[in.Op][k]; o.Use && o.Words != 0 {
					checked++
					if m.Live[r/64]>>(r%64)&1 == 0 {
						t.Errorf("%s, instruction %d (%s): operand %c is not live", f.Name, pt.PC, in.Op, 'A'+k)
					}
				}
			}
		}
	}
	if checked < 10 {
		t.Errorf("got %d operands, want many", checked)
	}
}
