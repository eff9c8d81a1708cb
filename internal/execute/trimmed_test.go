package execute

import (
	"bytes"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// everyUse calls what package runtime offers, and methods that nobody selects.
const everyUse = `package main

import (
	"fmt"
	r "reflect"
	"runtime"
	"runtime/debug"
	"time"
)

type stack []int

func (s stack) Depth() int { return len(s) }

func main() {
	for m, v := range r.ValueOf(stack{1}).Methods() {
		fmt.Println(m.Name, v.Call(nil))
	}
	fmt.Println(r.ValueOf(time.Second).MethodByName("Hours").Call(nil))
	defer func() {
		if e, ok := recover().(runtime.Error); ok {
			fmt.Println(e)
		}
	}()
	debug.PrintStack()
	fmt.Println(runtime.Callers(0, nil), runtime.Version(), runtime.NumCPU(), runtime.Stack(nil, true), runtime.GOROOT())
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	runtime.SetFinalizer(&stats, nil)
	runtime.AddCleanup(&stats, func(int) {}, 1).Stop()
	runtime.KeepAlive(&stats)
	frame, _ := runtime.CallersFrames(nil).Next()
	frame.Func.FileLine(0)
	runtime.FuncForPC(0).Name()
	runtime.LockOSThread()
	var pin runtime.Pinner
	pin.Pin(&stats)
	pin.Unpin()
	runtime.GC()
	runtime.Gosched()
	runtime.Goexit()
	var profile [1]runtime.MemProfileRecord
	runtime.MemProfile(profile[:], true)
	profile[0].Stack()
	runtime.SetBlockProfileRate(1)
	runtime.Breakpoint()
}
`

// largePackages imports much of the standard library.
const largePackages = `package main

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"os/exec"
	"runtime/pprof"
	"runtime/trace"
	"testing"
	"text/template"
)

func main() {
	slog.Info("")
	json.Marshal(1)
	http.ListenAndServe("", nil)
	exec.Command("x").Run()
	testing.Main(nil, nil, nil, nil)
	template.New("x").Execute(nil, nil)
	pprof.StartCPUProfile(nil)
	trace.Start(nil)
}
`

// TestTrimmed: a program is compiled to the same bytes whether or not package runtime
// is trimmed, or all of the library, and in a session, where that is done before the program is known.
func TestTrimmed(t *testing.T) {
	t.Parallel()
	programs := []string{everyUse, largePackages}
	for _, src := range programs[:testlong.Or(1, len(programs))] {
		file := writeMain(t, src)
		var code [3][]byte
		for i := range code {
			if i == 1 && !testlong.On() {
				continue // the others are on both sides of it
			}
			cfg := load.Config{Patterns: []string{file}, Intrinsic: native.Has, OwnRuntime: i > 0}
			if i > 1 {
				cfg.Needs = native.Needs
			}
			lp, err := load.Load(cfg)
			if err != nil {
				t.Fatal(err)
			}
			p, err := Compile(lp)
			if err != nil {
				t.Fatal(err)
			}
			code[i] = bytecode.Encode(p)
		}
		for i, got := range code[1:] {
			if got != nil && !bytes.Equal(got, code[0]) {
				t.Errorf("%d: got %d bytes of other code, want the %d bytes without trimming, of\n%s", i+1, len(got), len(code[0]), src)
			}
		}
		if got := bytecode.Encode(CompileShared(t, file)); !bytes.Equal(got, code[0]) {
			t.Errorf("in a session: got %d bytes of other code, want the %d bytes without trimming, of\n%s", len(got), len(code[0]), src)
		}
	}
}
