package shares

import (
	"bytes"
	"runtime/pprof"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestKinds: what counts is who has asked for something, but for what is the same whoever asks.
func TestKinds(t *testing.T) {
	const run = internal + "explore.Run"
	for _, test := range []struct {
		want  string
		names []string
	}{
		{"executing", []string{"runtime.memmove", internal + "vm.(*Machine).exec", internal + "execute.(*System).Take", internal + "explore.(*depthFirst).take", run}},
		{"keys", []string{internal + "vm.(*Machine).Roots", internal + "execute.(*System).AppendKey", internal + "explore.(*cursor).digest", run}},
		{"reduction", []string{internal + "execute.(*System).AppendKey", internal + "execute.(*System).Reduced", run}},
		{"going back", []string{internal + "mem.(*Memory).Undo", internal + "execute.(*System).Restore", run}},
		{"store", []string{internal + "stateset.(*Fingerprints).Add", internal + "explore.(*depthFirst).take", run}},
		{"peers", []string{"syscall.Syscall6", internal + "peer.(*Group).wait", internal + "execute.(*System).Take", run}},
		{"hunt", []string{internal + "execute.(*System).Take", run, internal + "hunt.(*member).search"}},
		{"telling", []string{internal + "execute.(*System).Take", internal + "trace.Best"}},
		{"loading", []string{"go/types.(*Checker).expr", internal + "load.Load"}},
		{"garbage", []string{"runtime.scanobject", "runtime.gcBgMarkWorker.func2", "runtime.systemstack"}},
		{"other", []string{"runtime.futex"}},
		{"other", nil},
	} {
		if got := kindOf(test.names); got != test.want {
			t.Errorf("%v: got %s, want %s", test.names, got, test.want)
		}
	}
}

// TestWords: shares are whole percents, and too little is not told.
func TestWords(t *testing.T) {
	keys := stack{names: []string{internal + "execute.(*System).AppendKey"}, count: 30}
	if got := words([]stack{keys}); got != "" {
		t.Errorf("got %q of 30 looks, want nothing", got)
	}
	if got := words([]stack{keys, {count: 71}, keys}); got != "keys 46 %, other 54 %" {
		t.Errorf("got %q", got)
	}
}

// TestDecode: what the runtime writes can be read.
func TestDecode(t *testing.T) {
	var b bytes.Buffer
	if err := pprof.StartCPUProfile(&b); err != nil {
		t.Fatal(err)
	}
	for began := time.Now(); time.Since(began) < 300*time.Millisecond; {
		busy()
	}
	pprof.StopCPUProfile()
	stacks, err := decode(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	named := func(s stack) bool {
		return s.count > 0 && slices.ContainsFunc(s.names, func(n string) bool { return strings.Contains(n, ".") })
	}
	if len(stacks) > 0 && !slices.ContainsFunc(stacks, named) { // on a busy machine there may be none at all
		t.Errorf("got %v, want names and how often", stacks)
	}
	for n := range b.Len() {
		decode(b.Bytes()[:n]) // must not panic
	}
}

var sink int

//go:noinline
func busy() {
	for i := range 100_000 {
		sink += i * i
	}
}

func FuzzFields(f *testing.F) {
	f.Add([]byte{0x12, 4, 0x0a, 2, 1, 2, 0x08, 7})
	f.Fuzz(func(_ *testing.T, b []byte) {
		fields(b, func(_ int, n uint64, part []byte) error { numbers(n, part); return nil })
	})
}
