package execute_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/testlong"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What is touched is the same in most states, so few are looked at by default.
var rowSeeds = flag.Uint64("rowseeds", testlong.Or[uint64](2, 10), "number of generated programs of each kind that rows are held against")

// An auditor holds rows against what natives and system calls really touch: the memory
// that others can reach, the parts of the kernel's state, the time and the
// generator of random numbers. What is touched without being claimed is a complaint.
type auditor struct {
	ops        map[string]*drive.Operation
	wrong      map[string]*effect.Row // rows that are used instead, to see that it is noticed
	complaints map[string]bool
	calls      map[string]int // by name: how many were looked at
}

// maxHidden is how many calls of each native are looked at that is not visible.
const maxHidden = 200

func newAuditor() *auditor {
	return &auditor{ops: native.Operations(), complaints: make(map[string]bool), calls: make(map[string]int)}
}

// during looks at all natives while f runs.
func (a *auditor) during(f func()) {
	execute.Audit(func(table map[string]vm.Native) {
		for name, fn := range table {
			table[name] = func(c *vm.NativeCall) vm.Outcome { return a.look(name, fn, c) }
		}
	})
	defer execute.Audit(nil)
	f()
}

// An observation is what a native was seen to do.
type observation struct {
	c        *vm.NativeCall
	name     string
	row      *effect.Row
	claims   effect.Footprint
	accesses []access
	words    [8]uint64 // the arguments: results take their place
}

type access struct {
	p     mem.Ptr
	n     uint32
	write bool
}

// look calls a native and compares what it does with what its row says.
func (a *auditor) look(name string, fn vm.Native, c *vm.NativeCall) vm.Outcome {
	op := a.ops[name]
	visible := op != nil && op.Row.Stop != effect.Never
	if !c.M.Driven() || c.M.Heap.Access == nil || !visible && a.calls[name] >= maxHidden {
		return fn(c)
	}
	a.calls[name]++
	o := observation{c: c, name: name, row: &effect.Row{Acts: []effect.Act{{What: effect.Nothing}}, Stop: effect.Never}}
	if visible {
		o.row = op.Row
	}
	if r := a.wrong[name]; r != nil {
		o.row = r
	}
	for i := range min(c.Params(), len(o.words)) {
		o.words[i] = c.Word(i)
	}
	k, _ := c.M.Host.(*kernel.Kernel)
	hook := c.M.Heap.Access
	c.M.Heap.Access = nil
	call := o.claim(op, k)
	var before []kernel.Part
	if k != nil {
		before = k.Parts()
	}
	now, random, _ := drive.Of(c.M).Common()
	c.M.Heap.Access = func(p mem.Ptr, n uint32, write bool) {
		o.accesses = append(o.accesses, access{p, n, write})
		hook(p, n, write)
	}
	out := fn(c)
	c.M.Heap.Access = hook
	if k != nil {
		o.changedParts(a, call, before, k.Parts())
	}
	later, drawn, said := drive.Of(c.M).Common()
	if !o.claims.Everything && !said && !o.has(effect.Clock) && !o.has(effect.Process) {
		if later != now {
			a.complain("%s moves the clock", name)
		}
		if drawn != random {
			a.complain("%s draws a random number", name)
		}
	}
	o.touched(a)
	return out
}

// claim finds out what the row says, and the name of the system call if it is one.
func (o *observation) claim(op *drive.Operation, k *kernel.Kernel) (call string) {
	process := 0
	if k != nil {
		process = k.Process
	}
	switch {
	case o.row.Stop == effect.Itself || o.row.Stop == effect.Chosen || o.row.Stop == effect.Never:
	case op.Acts != nil && o.row == op.Row:
		op.Acts(o.c, &o.claims)
	default:
		o.row.Footprint(&o.claims, process, o.c.Ptr)
	}
	if o.row.Has(effect.ByCall) {
		return native.CallName(o.c.Word(0))
	}
	return ""
}

func (o *observation) has(kind effect.Kind) bool {
	found := false
	o.claims.Each(func(t effect.Token) bool { found = t.Kind == kind; return !found })
	return found
}

// touched compares the accesses to memory that others can reach. System calls and
// natives without such a row access what their arguments point to, as plain code does; the
// machine notes that.
func (o *observation) touched(a *auditor) {
	if !o.row.Has(effect.Pointed) || o.row.Has(effect.Told) || o.claims.Everything {
		return
	}
	for _, x := range o.accesses {
		at := effect.At(process(o.c), x.p, x.n)
		list := [][]effect.Token{o.claims.Writes}
		if !x.write {
			list = append(list, o.claims.Reads, o.claims.Waits)
		}
		if !slices.ContainsFunc(list, func(l []effect.Token) bool { return slices.ContainsFunc(l, at.Overlaps) }) {
			a.complain("%s accesses %s, write %v; it claims %s", o.name, o.rel(x), x.write, strings.Join(claimed(o), ", "))
			continue
		}
		if o.row.Memory && !within(x, append(o.claims.Reads, o.claims.Writes...)) {
			a.complain("%s accesses %s, which is more than it claims", o.name, o.rel(x))
		}
	}
}

// within reports whether an access lies inside one of some tokens.
func within(x access, list []effect.Token) bool {
	return slices.ContainsFunc(list, func(t effect.Token) bool {
		from, to := uint64(t.Ptr.Off()), uint64(t.Ptr.Off())+uint64(t.Size)
		return t.Kind == effect.Object && t.Ptr.Obj() == x.p.Obj() &&
			(t.Size == 0 || uint64(x.p.Off()) >= from && uint64(x.p.Off())+uint64(x.n) <= to)
	})
}

// rel tells an access by the argument that points to its object, so that complaints do not
// depend on numbers of objects.
func (o *observation) rel(x access) string {
	for i, w := range o.words {
		if p := mem.Ptr(w); p.Obj() == x.p.Obj() {
			return fmt.Sprintf("%d bytes at %d of argument %d", x.n, int64(x.p.Off())-int64(p.Off()), i)
		}
	}
	return fmt.Sprintf("%d bytes of another object", x.n)
}

func claimed(o *observation) (list []string) {
	for _, act := range o.row.Acts {
		list = append(list, act.String())
	}
	return list
}

func process(c *vm.NativeCall) int {
	if k, ok := c.M.Host.(*kernel.Kernel); ok {
		return k.Process
	}
	return 0
}

// changedParts compares the parts of the kernel's state before and after.
func (o *observation) changedParts(a *auditor, call string, before, after []kernel.Part) {
	type place struct{ process, fd int }
	was, is := make(map[place]kernel.Part), make(map[place]kernel.Part)
	for _, p := range before {
		was[place{p.Process, p.FD}] = p
	}
	for _, p := range after {
		is[place{p.Process, p.FD}] = p
		old, ok := was[place{p.Process, p.FD}]
		switch {
		case !ok && (call == "" || !o.makes(call)) && !o.covers(p):
			a.complain("%s %s makes a descriptor", o.name, call)
		case ok && old.Key != p.Key && !o.covers(old) && !o.covers(p):
			a.complain("%s %s changes %s", o.name, call, o.say(p))
		}
	}
	for at, p := range was {
		if _, ok := is[at]; !ok && !o.covers(p) {
			a.complain("%s %s closes %s", o.name, call, o.say(p))
		}
	}
}

// makes reports whether the row of a system call says that it makes descriptors.
func (o *observation) makes(call string) bool { return effect.CallNamed(call).Opens }

func (o *observation) say(p kernel.Part) string {
	switch {
	case p.FD < 0:
		return "the process"
	case p.Process != process(o.c):
		return "a descriptor of another process"
	case p.FD == int(int32(o.words[1])):
		return "its descriptor"
	}
	return "another descriptor"
}

// covers reports whether a part of the state is claimed. What nobody owns is known
// to who has made it alone, unless the program keeps the number itself: then that is claimed.
func (o *observation) covers(p kernel.Part) bool {
	if o.claims.Everything || !p.Owned && p.Process == process(o.c) && p.FD >= 0 && o.fresh(p) {
		return true
	}
	found := false
	o.claims.Each(func(t effect.Token) bool {
		if int(t.Process) != p.Process {
			return true
		}
		switch t.Kind {
		case effect.Process:
			found = true
		case effect.Object:
			found = p.Owned && p.Owner.Object == uint64(t.Ptr)
		case effect.Goroutine:
			found = p.Creator == t.Birth
		}
		return !found
	})
	return found
}

// fresh reports whether the native is about a descriptor that it was given just now by a
// package that is going to keep it in an object.
func (o *observation) fresh(p kernel.Part) bool {
	if o.row.Has(effect.ByCall) {
		return effect.Keepers[o.c.CallerPkg(effect.Beneath)] && p.FD == int(int32(o.words[1]))
	}
	return p.FD == int(o.words[0])-1 || p.FD == int(o.words[0]) // of the poller
}

func (a *auditor) complain(format string, args ...any) {
	a.complaints[fmt.Sprintf(format, args...)] = true
}

// sorted lists the complaints.
func (a *auditor) sorted() (list []string) {
	for c := range a.complaints {
		list = append(list, c)
	}
	slices.Sort(list)
	return list
}

// few is how a program is searched: not for long, with and without reduction, so that the
// claims are looked at that depend on what is assumed.
func (a *auditor) few(t *testing.T, prog *bytecode.Program, limit int64, s execute.Settings, args ...string) {
	a.during(func() {
		w := way{Settings: s, args: append([]string{"x"}, args...)}
		w.All, w.Limits = true, explore.Limits{States: limit}
		for _, w.Reduce = range []bool{false, true} {
			if _, err := searchFor(prog, w); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// manifold is a program that calls many natives, each from two goroutines.
const manifold = `package main

import (
	"iter"
	"os"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"
)

func both(f func()) {
	done := make(chan bool)
	go func() { f(); done <- true }()
	f()
	<-done
}

func atomics() {
	var vInt32 int32
	both(func() {
		atomic.AddInt32(&vInt32, 1)
		atomic.AndInt32(&vInt32, 3)
		atomic.OrInt32(&vInt32, 4)
		atomic.CompareAndSwapInt32(&vInt32, 5, 6)
		atomic.SwapInt32(&vInt32, 7)
		atomic.StoreInt32(&vInt32, atomic.LoadInt32(&vInt32))
	})
	var vInt64 int64
	both(func() {
		atomic.AddInt64(&vInt64, 1)
		atomic.AndInt64(&vInt64, 3)
		atomic.OrInt64(&vInt64, 4)
		atomic.CompareAndSwapInt64(&vInt64, 5, 6)
		atomic.SwapInt64(&vInt64, 7)
		atomic.StoreInt64(&vInt64, atomic.LoadInt64(&vInt64))
	})
	var vUint32 uint32
	both(func() {
		atomic.AddUint32(&vUint32, 1)
		atomic.AndUint32(&vUint32, 3)
		atomic.OrUint32(&vUint32, 4)
		atomic.CompareAndSwapUint32(&vUint32, 5, 6)
		atomic.SwapUint32(&vUint32, 7)
		atomic.StoreUint32(&vUint32, atomic.LoadUint32(&vUint32))
	})
	var vUint64 uint64
	both(func() {
		atomic.AddUint64(&vUint64, 1)
		atomic.AndUint64(&vUint64, 3)
		atomic.OrUint64(&vUint64, 4)
		atomic.CompareAndSwapUint64(&vUint64, 5, 6)
		atomic.SwapUint64(&vUint64, 7)
		atomic.StoreUint64(&vUint64, atomic.LoadUint64(&vUint64))
	})
	var vUintptr uintptr
	both(func() {
		atomic.AddUintptr(&vUintptr, 1)
		atomic.AndUintptr(&vUintptr, 3)
		atomic.OrUintptr(&vUintptr, 4)
		atomic.CompareAndSwapUintptr(&vUintptr, 5, 6)
		atomic.SwapUintptr(&vUintptr, 7)
		atomic.StoreUintptr(&vUintptr, atomic.LoadUintptr(&vUintptr))
	})
	var p unsafe.Pointer
	both(func() {
		x := new(int)
		atomic.CompareAndSwapPointer(&p, nil, unsafe.Pointer(x))
		atomic.SwapPointer(&p, unsafe.Pointer(x))
		atomic.StorePointer(&p, atomic.LoadPointer(&p))
	})
}

func locks() {
	var rw sync.RWMutex
	var mu sync.Mutex
	cond := sync.NewCond(&mu)
	var once sync.Once
	pool := sync.Pool{New: func() any { return 1 }}
	ready := false
	both(func() {
		rw.RLock()
		rw.RUnlock()
		rw.Lock()
		rw.Unlock()
		if rw.TryLock() {
			rw.Unlock()
		}
		if rw.TryRLock() {
			rw.RUnlock()
		}
		if mu.TryLock() {
			mu.Unlock()
		}
		once.Do(func() {})
		pool.Put(pool.Get())
	})
	go func() {
		mu.Lock()
		ready = true
		cond.Signal()
		cond.Broadcast()
		mu.Unlock()
	}()
	mu.Lock()
	for !ready {
		cond.Wait()
	}
	mu.Unlock()
}

func channels() {
	ch := make(chan int, 4)
	v := reflect.ValueOf(ch)
	both(func() {
		v.TrySend(reflect.ValueOf(1))
		v.Len()
		v.TryRecv()
		reflect.Select([]reflect.SelectCase{{Dir: reflect.SelectDefault}, {Dir: reflect.SelectRecv, Chan: v}})
	})
	v.Close()
	next, stop := iter.Pull(func(yield func(int) bool) { yield(1) })
	next()
	stop()
}

func clock() {
	both(func() {
		t := time.NewTimer(time.Second)
		t.Reset(time.Minute)
		t.Stop()
		time.Sleep(time.Millisecond)
		runtime.Gosched()
		runtime.NumGoroutine()
	})
}

// files: two open files of one name, written and read by different goroutines.
func files() {
	name := os.TempDir() + "/manifold"
	out, err := os.Create(name)
	if err != nil {
		panic(err)
	}
	in, err := os.Open(name)
	if err != nil {
		panic(err)
	}
	done := make(chan bool)
	go func() {
		out.WriteString("x")
		out.WriteAt([]byte("y"), 3)
		out.Truncate(2)
		out.Sync()
		out.Close()
		done <- true
	}()
	in.Read(make([]byte, 4))
	in.Seek(0, 0)
	in.Stat()
	in.Close()
	<-done
	os.Mkdir(name+"dir", 0o777)
	os.ReadDir(name + "dir")
	os.Remove(name + "dir")
	os.Remove(name)
}

func pipes() {
	r, w, err := os.Pipe()
	if err != nil {
		panic(err)
	}
	go func() {
		w.WriteString("x")
		w.Close()
	}()
	r.Read(make([]byte, 2))
	r.Close()
	both(func() {
		var p [2]int
		syscall.Pipe(p[:])
		syscall.Write(p[1], []byte("x"))
		syscall.Read(p[0], make([]byte, 1))
		syscall.Close(p[0])
		syscall.Close(p[1])
		syscall.Getpid()
		var tv syscall.Timeval
		syscall.Gettimeofday(&tv)
	})
}

func main() {
	switch os.Args[1] {
	case "atomics":
		atomics()
	case "locks":
		locks()
	case "channels":
		channels()
	case "clock":
		clock()
	case "files":
		files()
	case "pipes":
		pipes()
	}
}
`

// TestRowsAreTrue holds the rows against what is really touched by the examples, the kernels
// and generated programs. There are more of them in make rows.
func TestRowsAreTrue(t *testing.T) {
	limit, n := int64(8)*int64(*rowSeeds), *rowSeeds
	a := newAuditor()
	var files []string
	for _, pattern := range []string{"../../examples/*/main.go", "../../examples/*/buggy/main.go"} {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) < 9 {
			t.Fatalf("%s: got %d files, %v", pattern, len(some), err)
		}
		files = append(files, some...)
	}
	for _, file := range files {
		if some, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.go")); len(some) == 1 {
			a.few(t, compileFile(t, file), limit, execute.Settings{})
		}
	}
	kernels, err := goker.Kernels(goroot.Dir())
	if err != nil {
		t.Fatal(err)
	}
	for i, k := range kernels {
		if uint64(i)%4 == 0 {
			a.few(t, compileText(t, string(k.Source)), limit, execute.Settings{})
		}
	}
	many := compileText(t, manifold)
	for _, part := range []string{"atomics", "locks", "channels", "clock", "files", "pipes"} {
		a.few(t, many, 4*limit, execute.Settings{Choices: execute.Choices{Pool: 2}}, part)
	}
	for seed := range n {
		o, s := optionsOf(seed + 1)
		a.few(t, compileText(t, randconc.Program(seed+1, o)), limit, s)
		a.few(t, compileText(t, program(randomNumbers(seed))), limit, execute.Settings{})
	}
	for _, random := range []func(uint64) netText{randomTCP, randomMeddling, randomUDP} {
		var list []netText
		for seed := range n {
			list = append(list, random(seed+1))
		}
		prog := netPrograms(t, list)
		for i, text := range list {
			a.few(t, prog, limit, execute.Settings{}, fmt.Sprintf("%d.0", i))
			a.during(func() {
				old := netLimits
				netLimits = explore.Limits{States: limit}
				besideOthers(t, prog, i, text, true)
				netLimits = old
			})
		}
	}
	for _, c := range a.sorted() {
		t.Error(c)
	}
	visible, looked := 0, 0
	for name, op := range a.ops {
		if op.Row.Stop != effect.Never {
			visible++
			if a.calls[name] > 0 {
				looked++
			}
		}
	}
	t.Logf("%d of %d visible natives were called", looked, visible)
	if looked < 80 {
		t.Errorf("got %d visible natives that were called, want more", looked)
	}
}

// TestWrongRowsAreNoticed: a row that does not say all is complained of.
func TestWrongRowsAreNoticed(t *testing.T) {
	reads := func(size uint32) []effect.Act {
		return []effect.Act{{How: effect.Reads, What: effect.Pointed, Size: size}}
	}
	nothing := []effect.Act{{What: effect.Nothing}}
	prog := compileText(t, `package main

import (
	"net"
	"sync"
	"sync/atomic"
	"time"
)

func main() {
	var mu sync.Mutex
	var n atomic.Int64
	var wg sync.WaitGroup
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	for range 2 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			mu.Lock()
			n.Add(1)
			mu.Unlock()
			c, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				panic(err)
			}
			c.SetDeadline(time.Unix(1, 0))
			c.Write([]byte("x"))
			c.Close()
		}()
	}
	wg.Wait()
}
`)
	for name, c := range map[string]struct {
		row  effect.Row
		want string
	}{
		"(*internal/sync.Mutex).Unlock":         {effect.Row{Acts: reads(8), Memory: true}, "write true; it claims reads *0:8"},
		"sync/atomic.AddInt64":                  {effect.Row{Acts: []effect.Act{{How: effect.Writes, What: effect.Pointed, Size: 4}}, Memory: true}, "8 bytes at 0 of argument 0, which is more than it claims"},
		"syscall.Syscall":                       {effect.Row{Acts: nothing}, "changes its descriptor"},
		"(*sync.WaitGroup).Add":                 {effect.Row{Acts: []effect.Act{{How: effect.Writes, What: effect.Pointed, Arg: 1}}}, "it claims writes *1"},
		"internal/poll.runtime_pollSetDeadline": {effect.Row{Acts: nothing}, "pollSetDeadline  changes"},
	} {
		a := newAuditor()
		c.row.Name = name
		a.wrong = map[string]*effect.Row{name: &c.row}
		a.few(t, prog, 60, execute.Settings{})
		got := a.sorted()
		if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, name) && strings.Contains(s, c.want) }) {
			t.Errorf("%s: got %q, want a complaint with %q", name, got, c.want)
		}
		for _, s := range got {
			if !strings.HasPrefix(s, name) {
				t.Errorf("%s: got %q too", name, s)
			}
		}
	}
}
