package effect

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/mem"
)

// A Kind says what a token stands for.
type Kind uint8

// The kinds of tokens. All but Port and Observer belong to one process.
const (
	Object     Kind = iota // Size bytes of an object of the process's heap, at Ptr; all of it if Size is 0
	Descriptor             // what is behind a number of the process: Number, and Birth if the number alone does not tell
	Port                   // a port of the network, which all processes share: Number
	Goroutine              // what only a goroutine knows, as a descriptor that it is just making, or can do: the one that was born as Birth, or whose place in the state is Number, from 1 on
	Clock                  // the time of the process, and its timers
	Process                // all of the process: whatever its goroutines have in common
	Observer               // who is told what the program does, in the order in which it does it

	// What follows is hardly ever written, so that a guess may be made that it never is: see
	// package reduce.

	Base      // a word of an object that was there at the start, of which it is known that it is only read: Number is its mem.Slot, Ptr where it is
	Counter   // whether the counter of the WaitGroup at Ptr goes below zero
	Forgotten // what nobody in the process can reach any more, as a collection sees it
	End       // the end of the process while a goroutine is there that began with the function Birth, or at all if Birth is empty; Number is ByOthers if it is not main who ends it
	Keys      // the keys of maps, as they are told to who ranges over them: Number is the layout, see mem.Heap.Keys

	// Kinds is how many kinds there are.
	Kinds
)

// ByOthers is for tokens of End.
const ByOthers = 1

// A Token names one thing that steps act on. Tokens can be compared with ==, but what
// they name may overlap although they differ: see Overlaps.
type Token struct {
	Kind    Kind
	Far     bool // whoever takes the step need not be able to reach it: the far end of a connection
	Process int32
	Ptr     mem.Ptr
	Size    uint32
	Number  int
	Birth   string
}

// At is the token of size bytes of memory, of the whole object if size is 0.
func At(process int, p mem.Ptr, size uint32) Token {
	return Token{Kind: Object, Process: int32(process), Ptr: p, Size: size}
}

// Whole is the token of an object.
func Whole(process int, p mem.Ptr) Token { return At(process, p, 0) }

// FD is the token of what is behind a number. Maker is the birth of who made it where
// numbers are given out in the order in which they are asked for, or empty.
func FD(process, number int, maker string) Token {
	return Token{Kind: Descriptor, Process: int32(process), Number: number, Birth: maker}
}

// Of is the token of something that a process has one of: Clock or Process.
func Of(kind Kind, process int) Token { return Token{Kind: kind, Process: int32(process)} }

// Overlaps reports whether two tokens may name the same thing.
//
// An object, a descriptor and a goroutine can be three names of one connection: the
// object that package net keeps its number in, the number itself, the goroutine that has
// just accepted it. Whoever makes footprints gives a connection all of the names
// under which others may act on it, so two different names need not be compared.
func (t Token) Overlaps(o Token) bool {
	if t.Kind == Port || t.Kind == Observer || o.Kind == Port || o.Kind == Observer {
		return t.Kind == o.Kind && t.Number == o.Number
	}
	if t.Process != o.Process {
		return false
	}
	if t.Kind == Process || o.Kind == Process {
		return true
	}
	if t.Kind != o.Kind {
		return false
	}
	switch t.Kind {
	case Object:
		if t.Ptr.Obj() != o.Ptr.Obj() {
			return false
		}
		a, b := t.Ptr.Off(), o.Ptr.Off()
		return t.Size == 0 || o.Size == 0 || uint64(a) < uint64(b)+uint64(o.Size) && uint64(b) < uint64(a)+uint64(t.Size)
	case Descriptor:
		return t.Number == o.Number && t.Birth == o.Birth
	case Goroutine:
		return t.Number == o.Number && t.Birth == o.Birth
	}
	return true // a process has one clock
}

// String prints a token as in "object 17+0x8, 4 bytes" or "descriptor 3 of process 1".
func (t Token) String() string {
	text := ""
	switch t.Kind {
	case Object:
		text = "object " + t.Ptr.String()
		if t.Size != 0 {
			text += fmt.Sprintf(", %d bytes", t.Size)
		}
	case Descriptor:
		text = fmt.Sprintf("descriptor %d", t.Number)
		if t.Birth != "" {
			text += " made by " + t.Birth
		}
	case Port:
		return fmt.Sprintf("port %d", t.Number)
	case Goroutine:
		text = "goroutine " + t.Birth
		if t.Birth == "" {
			text = fmt.Sprintf("goroutine %d", t.Number)
		}
	case Clock:
		text = "the clock"
	case Process:
		text = "the process"
	case Observer:
		return "the observer"
	}
	if t.Far {
		text += ", far end"
	}
	if t.Process != 0 {
		text += fmt.Sprintf(", in process %d", t.Process)
	}
	return text
}
