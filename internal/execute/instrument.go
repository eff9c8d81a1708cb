package execute

import (
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/effect"
)

// observeNative is the name of the native that observed functions call.
const observeNative = effect.Observation

// A function that is observed is replaced by a wrapper, which passes its parameters
// to the native, calls the function as it was, and passes parameters and results
// to the native again:
//
//	r0…       parameters, then the closure if it is one
//	rW…       window: parameters; afterwards results
//	rX…       window: parameters and results
//
//	movn rW, r0     call wW, observe (entry)
//	movn rW, r0     call wW, the function
//	movn rX, r0     movn rX+P, rW     call wX, observe (exit)
//	retn rW
//
// The function keeps its number, so that whoever calls it calls the wrapper.

// A seam is the place of a native in a wrapper.
type seam struct {
	native int // its number
	fn     int // the number of the function that is observed
	exit   bool
}

// instrument returns a copy of a program in which calls of some functions, and
// returns from them, are observed.
func instrument(prog *bytecode.Program, entries, exits map[int]bool) (*bytecode.Program, []seam) {
	own := *prog
	own.Funcs = slices.Clone(prog.Funcs)
	var seams []seam
	for i := range prog.Funcs {
		if !entries[i] && !exits[i] {
			continue
		}
		w := wrapper{prog: &own, f: &prog.Funcs[i]}
		body := len(own.Funcs)
		own.Funcs = append(own.Funcs, prog.Funcs[i])
		if entries[i] {
			seams = append(seams, seam{w.native(w.f.ParamT, w.f.Params), i, false})
		}
		entry := len(own.Funcs) - 1
		if exits[i] {
			seams = append(seams, seam{w.native(slices.Concat(w.f.ParamT, w.f.ResultT), w.f.Params+w.f.Results), i, true})
		}
		exit := len(own.Funcs) - 1
		if !entries[i] {
			entry = -1
		}
		if !exits[i] {
			exit = -1
		}
		own.Funcs[i] = w.make(body, entry, exit)
	}
	return &own, seams
}

// A wrapper is being made.
type wrapper struct {
	prog *bytecode.Program
	f    *bytecode.Func
	out  bytecode.Func
}

// native adds a native with parameters of some types.
func (w *wrapper) native(types []int, words uint16) int {
	w.prog.Funcs = append(w.prog.Funcs, bytecode.Func{
		Name: observeNative, Pkg: "heddle", Native: observeNative, Wrapper: true,
		Params: words, Frame: words, ParamT: types, Sig: -1, Recv: -1, Recover: -1, File: w.f.File, Line: w.f.Line,
	})
	return len(w.prog.Funcs) - 1
}

// make returns the code of the wrapper.
func (w *wrapper) make(body, entry, exit int) bytecode.Func {
	f, out := w.f, &w.out
	*out = *f
	out.Wrapper, out.Recover = true, -1
	out.Code, out.Selects, out.Maps, out.Points, out.Uints = nil, nil, nil, nil, nil
	out.Lines = []bytecode.Line{{PC: 0, File: int32(f.File), Line: int32(f.Line)}}
	own := f.Params
	if f.Closure {
		own++
	}
	window := own
	after := window + f.Results
	out.Frame = after + max(own, f.Params+f.Results) + 1
	params, results := w.words(f.ParamT), w.words(f.ResultT)
	if f.Closure {
		params = append(params, true)
	}
	w.point(w.mapOf(0, params))
	if entry >= 0 {
		w.move(window, 0, f.Params)
		w.call(window, entry, w.mapOf(0, params))
		w.point(w.mapOf(0, params)) // behind it a goroutine may stop
	}
	w.move(window, 0, own)
	kept := w.mapOf(0, nil)
	if exit >= 0 {
		kept = w.mapOf(0, params[:f.Params])
	}
	w.call(window, body, kept)
	if exit >= 0 {
		w.move(after, 0, f.Params)
		w.move(after+f.Params, window, f.Results)
		w.call(after, exit, w.mapOf(window, results))
		w.point(w.mapOf(window, results))
	}
	w.add(bytecode.Instr{Op: bytecode.OpRetn, B: window, Imm: int64(f.Results)})
	if f.Results == 0 {
		out.Code[len(out.Code)-1] = bytecode.Instr{Op: bytecode.OpRet}
	}
	return *out
}

// words tells of each word of registers of some types whether it is a pointer.
func (w *wrapper) words(types []int) []bool {
	var list []bool
	for _, i := range types {
		t := &w.prog.Types[i]
		for k := range int(t.Words) {
			list = append(list, k/64 < len(t.Ptrs) && t.Ptrs[k/64]>>(k%64)&1 != 0)
		}
	}
	return list
}

// mapOf adds a register map with live words from a register on, and returns its
// number.
func (w *wrapper) mapOf(from uint16, words []bool) int32 {
	size := (int(from) + len(words) + 63) / 64
	m := bytecode.Map{Live: make([]uint64, size), Ptrs: make([]uint64, size)}
	for i, ptr := range words {
		at := int(from) + i
		m.Live[at/64] |= 1 << (at % 64)
		if ptr {
			m.Ptrs[at/64] |= 1 << (at % 64)
		}
	}
	w.out.Maps = append(w.out.Maps, m)
	return int32(len(w.out.Maps) - 1)
}

// point makes the next instruction a safepoint, unless it is one.
func (w *wrapper) point(m int32) {
	pc := int32(len(w.out.Code))
	if n := len(w.out.Points); n > 0 && w.out.Points[n-1].PC == pc {
		w.out.Points[n-1].Map = m
		return
	}
	w.out.Points = append(w.out.Points, bytecode.Safepoint{PC: pc, Map: m})
}

func (w *wrapper) add(in bytecode.Instr) { w.out.Code = append(w.out.Code, in) }

// move copies words.
func (w *wrapper) move(to, from, n uint16) {
	if n > 0 {
		w.add(bytecode.Instr{Op: bytecode.OpMovn, A: to, B: from, Imm: int64(n)})
	}
}

// call calls a function. The map is what lives across.
func (w *wrapper) call(window uint16, fn int, m int32) {
	if n := len(w.out.Points); n > 0 && int(w.out.Points[n-1].PC) == len(w.out.Code) {
		// The safepoint says what lives here, the call needs what lives across it: the
		// same, unless nothing is to be moved before the call, and then there is nothing.
		w.out.Points[n-1].Map = m
	} else {
		w.point(m)
	}
	w.add(bytecode.Instr{Op: bytecode.OpCall, A: window, Imm: int64(fn)})
}
