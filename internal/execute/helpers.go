package execute

import (
	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// A testRecord is a test as package testing keeps it: its type common, in the memory of the program.
type testRecord struct {
	m    *vm.Machine
	typ  *bytecode.Type
	at   mem.Ptr
	seen map[string]bool // the names of functions that have called Helper, nil if they were not asked for
}

// words returns so many words of a field, nil if there is none.
func (r *testRecord) words(name string, n int) []uint64 {
	for i := range r.typ.Fields {
		if f := &r.typ.Fields[i]; f.Name == name {
			return r.m.Words(r.at+mem.Ptr(f.Off), n)
		}
	}
	return nil
}

func (r *testRecord) word(name string) uint64 {
	if w := r.words(name, 1); w != nil {
		return w[0]
	}
	return 0
}

func (r *testRecord) text(name string) string {
	if w := r.words(name, 2); w != nil {
		return stringAt(r.m, mem.Ptr(w[0]), w[1])
	}
	return ""
}

// stack returns the places of a field that holds what runtime.Callers has returned.
func (r *testRecord) stack(name string) (list []called) {
	w := r.words(name, 2)
	if w == nil {
		return nil
	}
	for _, pc := range r.m.Words(mem.Ptr(w[0]), int(w[1])) {
		if f, _, line := r.m.Position(pc); f != nil && !f.Wrapper {
			list = append(list, called{f.Name, line})
		}
	}
	return list
}

// helps reports whether a function has called Helper.
func (r *testRecord) helps(name string) bool {
	if r.seen == nil {
		r.seen = make(map[string]bool)
		pcs := mem.Ptr(r.word("helperPCs"))
		for seq, key, _ := r.m.Heap.MapNext(pcs, 0); seq != 0; seq, key, _ = r.m.Heap.MapNext(pcs, seq) {
			if w := r.m.Words(key, 1); w != nil {
				if f, _, _ := r.m.Position(w[0]); f != nil {
					r.seen[f.Name] = true
				}
			}
		}
	}
	return r.seen[name]
}

func (r *testRecord) flag(name string) bool { return r.word(name)&0xff != 0 }

// parent is the test around this one.
func (r *testRecord) parent() *testRecord {
	return &testRecord{m: r.m, typ: r.typ, at: mem.Ptr(r.word("parent"))}
}

// destination is the test to whose output belongs what this one logs.
func (r *testRecord) destination() *testRecord {
	for r.at != 0 && (r.flag("done") || r.flag("isSynctest")) {
		r = r.parent()
	}
	return r
}

// A called is a function that has called another one, and where.
type called struct {
	name string
	line bytecode.Line
}

// maxHelpers is how many frames package testing looks at for one that is not in a helper.
const maxHelpers = 50

// site returns the place to which package testing ascribes what a test logs, of the frames that lead there, the innermost first: the first one that is
// not in a function that has called Helper (testing.(*common).frameSkip). Where it finds none in a goroutine it names the runtime, here it is the outermost.
func (r *testRecord) site(frames []called) bytecode.Line {
	first := frames[0].line
	frames = frames[:min(len(frames), maxHelpers)]
	last := first
	for len(frames) > 0 {
		f := frames[0]
		frames = frames[1:]
		switch {
		case r.at == 0:
			return first
		case f.name == r.text("cleanupName"):
			frames = r.stack("cleanupPc")
			continue
		case f.name == r.text("runner"):
			if int64(r.word("level")) <= 1 {
				return last
			}
			frames = r.stack("creator")
			r = r.parent()
			continue
		case !r.helps(f.name):
			return f.line
		}
		last = f.line
	}
	return last
}
