package vm

import (
	"strings"
	"unsafe"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

// A Native implements a Go function on the host. It finds its arguments in the
// words of the call's window and leaves results there, from word 0 on, exactly
// as bytecode does (see package bytecode). It must not keep the NativeCall.
type Native func(c *NativeCall) Outcome

// An Outcome is what a native asks the machine to do next.
type Outcome uint8

const (
	Done   Outcome = iota // results are in the window
	Again                 // the goroutine waits (Park was called): call the native again when it wakes
	Jumped                // frames changed: the native panicked, exited or called a function
	Yield                 // Done, and other goroutines come first
)

// A NativeCall is the view a native has of its call.
type NativeCall struct {
	M  *Machine
	G  *G
	fp unsafe.Pointer // the window
	fn int32

	Base   int  // in a continuation: where the callee's results are
	pushed bool // the native has a frame
}

// Word, Int, Ptr and Bool read word i of the window.
func (c *NativeCall) Word(i int) uint64 { return *(*uint64)(unsafe.Add(c.fp, i*8)) }
func (c *NativeCall) Int(i int) int     { return int(c.Word(i)) }
func (c *NativeCall) Ptr(i int) mem.Ptr { return mem.Ptr(c.Word(i)) }
func (c *NativeCall) Bool(i int) bool   { return c.Word(i) != 0 }

// View makes c what the native on top of g's stack sees, which waits or was stopped.
func (c *NativeCall) View(m *Machine, g *G) {
	fr := &g.frames[g.depth-1]
	c.M, c.G, c.fn, c.fp, c.pushed = m, g, fr.fn, wordsOf(g.stack[fr.base:]), true
}

// Index is the number of the native's function.
func (c *NativeCall) Index() int { return int(c.fn) }

// Params is how many words of arguments the native has.
func (c *NativeCall) Params() int { return int(c.M.funcs[c.fn].params) }

// CallerPkg returns the package of the innermost function on the stack that is
// in none of some packages, "" if there is none.
func (c *NativeCall) CallerPkg(beneath map[string]bool) string {
	if f := c.caller(beneath); f != nil {
		return f.Pkg
	}
	return ""
}

// CallerName returns the name of that function.
func (c *NativeCall) CallerName(beneath map[string]bool) string {
	if f := c.caller(beneath); f != nil {
		return f.Name
	}
	return ""
}

// CallerFile returns the file of that function, "" if it is not known.
func (c *NativeCall) CallerFile(beneath map[string]bool) string {
	if f := c.caller(beneath); f != nil && f.File >= 0 && int(f.File) < len(c.M.Prog.Files) {
		return c.M.Prog.Files[f.File]
	}
	return ""
}

// CalledByTest reports whether it is code of a test that has called the native, through functions of some packages.
func (c *NativeCall) CalledByTest(beneath map[string]bool) bool {
	for i := c.G.depth - 1; i >= 0; i-- {
		f := c.M.funcs[c.G.frames[i].fn].f
		if f.File >= 0 && int(f.File) < len(c.M.Prog.Files) && strings.HasSuffix(c.M.Prog.Files[f.File], "_test.go") {
			return true
		}
		if !beneath[f.Pkg] {
			return false
		}
	}
	return false
}

// CalledBy reports whether the native was called by a function, and that by the
// next one.
func (c *NativeCall) CalledBy(names ...string) bool {
	i := c.G.depth - 1
	if i >= 0 && c.G.frames[i].fn == c.fn {
		i-- // its own frame
	}
	for _, name := range names {
		if i < 0 || c.M.funcs[c.G.frames[i].fn].f.Name != name {
			return false
		}
		i--
	}
	return true
}

// CallerAt returns the name of the native's caller, or of the caller of that one, and so on,
// "" if there is none.
func (c *NativeCall) CallerAt(level int) string {
	at := int(c.G.depth) - 1 - level
	if c.G.depth > 0 && c.G.frames[c.G.depth-1].fn == c.fn {
		at-- // its own frame
	}
	if at < 0 {
		return ""
	}
	return c.M.funcs[c.G.frames[at].fn].f.Name
}

// CallerWord returns word i of the frame of the native's caller, or of the caller of that
// one, and so on. What is there of a parameter is its value if it is used later.
func (c *NativeCall) CallerWord(level, i int) uint64 {
	at := c.G.depth - 1 - level
	if c.G.frames[c.G.depth-1].fn == c.fn {
		at-- // its own frame
	}
	return c.G.stack[c.G.frames[at].base+int32(i)]
}

func (c *NativeCall) caller(beneath map[string]bool) *bytecode.Func {
	for i := c.G.depth - 1; i >= 0; i-- {
		if f := c.M.funcs[c.G.frames[i].fn].f; !beneath[f.Pkg] {
			return f
		}
	}
	return nil
}

// Set, SetInt, SetPtr and SetBool write word i of the window.
func (c *NativeCall) Set(i int, v uint64)     { *(*uint64)(unsafe.Add(c.fp, i*8)) = v }
func (c *NativeCall) SetInt(i int, v int)     { c.Set(i, uint64(v)) }
func (c *NativeCall) SetPtr(i int, p mem.Ptr) { c.Set(i, uint64(p)) }
func (c *NativeCall) SetBool(i int, v bool) {
	var w uint64
	if v {
		w = 1
	}
	c.Set(i, w)
}

// Words is the address of word i of the window, for multi-word values.
func (c *NativeCall) Words(i int) unsafe.Pointer { return unsafe.Add(c.fp, i*8) }

// Bytes is a view of the n bytes at p, nil if they are not readable. It must not
// be written to.
func (c *NativeCall) Bytes(p mem.Ptr, n int) []byte {
	if n == 0 {
		return nil
	}
	a := c.M.Heap.Read(p, uint32(n))
	if a == nil {
		return nil
	}
	return unsafe.Slice((*byte)(a), n)
}

// Str is a copy of the string in words i and i+1.
func (c *NativeCall) Str(i int) string { return string(c.Bytes(c.Ptr(i), c.Int(i+1))) }

// SetStr allocates a string and leaves it in words i and i+1.
func (c *NativeCall) SetStr(i int, s string) {
	p := c.M.NewString(s)
	c.SetPtr(i, p)
	c.SetInt(i+1, len(s))
}

// Closure is the func value that was called, for natives with free variables.
func (c *NativeCall) Closure() mem.Ptr { return c.Ptr(int(c.M.funcs[c.fn].params)) }
