package native

import (
	"fmt"
	"sort"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/vm"
)

// An Intrinsic is a function that the machine implements itself.
type Intrinsic struct {
	Name    string // its symbol: "time.Sleep", "(*sync.WaitGroup).Wait"; of a generic function, without type arguments
	Why     Why
	Note    string   // one line: what stands in for it, or why it does
	Visible bool     // acts on what other goroutines can see: a scheduling point
	Needs   []string // symbols of Go functions that it calls, which must be compiled with it
	Fn      vm.Native
}

// Why says why a function is an intrinsic.
type Why uint8

const (
	NoBody    Why = iota // assembly, or declared here and defined in package runtime
	Runtime              // has a Go body in the runtime that manages threads, stacks or memory the machine has not
	Speed                // has a Go body; replaced for speed
	Canonical            // has a Go body; replaced so that equal states have equal memories
)

func (w Why) String() string {
	return [...]string{"no Go body", "runtime", "speed", "canonical state"}[w]
}

// intrinsics are all of them by name. The files of this package register theirs
// during initialisation; nothing is added later.
var intrinsics = make(map[string]Intrinsic)

// register adds intrinsics that share a reason and a note.
func register(why Why, note string, fns map[string]vm.Native) {
	for name, fn := range fns {
		add(Intrinsic{Name: name, Why: why, Note: note, Fn: fn})
	}
}

// registerVisible is register for operations that other goroutines can see.
func registerVisible(why Why, note string, fns map[string]vm.Native) {
	for name, fn := range fns {
		add(Intrinsic{Name: name, Why: why, Note: note, Fn: fn, Visible: true})
	}
}

func add(in Intrinsic) {
	if _, dup := intrinsics[in.Name]; dup {
		panic(diag.Bugf("intrinsic %s is registered twice", in.Name))
	}
	intrinsics[in.Name] = in
}

// Table returns what [vm.New] needs: the natives by name.
func Table() map[string]vm.Native {
	t := make(map[string]vm.Native, len(intrinsics))
	for name, in := range intrinsics {
		t[name] = in.Fn
	}
	return t
}

// Has reports whether a symbol is an intrinsic.
func Has(symbol string) bool {
	_, ok := intrinsics[symbol]
	return ok
}

// Needs returns the symbols of the Go functions that an intrinsic calls.
func Needs(symbol string) []string { return intrinsics[symbol].Needs }

// List returns all intrinsics, sorted by name.
func List() []Intrinsic {
	list := make([]Intrinsic, 0, len(intrinsics))
	for _, in := range intrinsics {
		list = append(list, in)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// String prints an intrinsic as one line.
func (in Intrinsic) String() string {
	return fmt.Sprintf("%-50s %-15s %s", in.Name, in.Why, in.Note)
}

// SkipInit reports whether a package's initialiser is not run: those of the
// runtime set up memory, threads and signals that the machine has not.
func SkipInit(path string) bool {
	return path == "runtime" || strings.HasPrefix(path, "internal/runtime/")
}
