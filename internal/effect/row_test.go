package effect

import (
	"bytes"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/mem"
)

var update = flag.Bool("update", false, "write testdata/rows.txt")

// TestPrint compares the rows with a golden file: whoever changes one sees it there.
func TestPrint(t *testing.T) {
	var b bytes.Buffer
	if err := Print(&b); err != nil {
		t.Fatal(err)
	}
	const file = "testdata/rows.txt"
	if *update {
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(b.Bytes(), want) {
		t.Errorf("got\n%s\nwant what %s says (go test ./internal/effect -update writes it)", b.Bytes(), file)
	}
}

// TestWithoutRow: what is in no table acts on everything.
func TestWithoutRow(t *testing.T) {
	for _, name := range []string{"", "sync/atomic.LoadInt33", "sync.runtime_Semacquire2", "(*sync.Mutex).Lock"} {
		if r := Native(name); !r.Has(Anything) || r.Memory || r.Atomic || r.Stop != Seen || r.OnlyReads() != 0 {
			t.Errorf("%s: got %v, want everything", name, r)
		}
	}
	for _, name := range []string{"", "readv2", "number 511"} {
		c := CallNamed(name)
		if c.What(true) != Anything || c.What(false) != Anything || c.About != AnyFD || c.Waits() || c.OnlyAsks() || c.OnFirst() {
			t.Errorf("%s: got %v, want everything", name, c)
		}
	}
	if r := new(Row); !r.Has(Anything) || new(Act).What != Anything {
		t.Errorf("the zero row does not act on everything")
	}
}

// TestRowsAreWhole: each row says why, what it says makes sense, and no word is unused.
func TestRowsAreWhole(t *testing.T) {
	used := make(map[What]bool)
	acts := func(name, why string, list []Act) {
		if !strings.HasSuffix(why, ".") {
			t.Errorf("%s: got %q, want a sentence", name, why)
		}
		for _, a := range list {
			used[a.What] = true
			if silent := a.What == Nothing || a.What == Told || a.What == ByCall; silent != (a.How == 0) {
				t.Errorf("%s: %s: got %d for what is done", name, a, a.How)
			}
		}
	}
	for _, r := range Natives() {
		acts(r.Name, r.Why, r.Acts)
		if len(r.Acts) == 0 {
			t.Errorf("%s: a row without acts says nothing", r.Name)
		}
		if r.Memory && (len(r.Acts) != 1 || r.Acts[0].What != Pointed) {
			t.Errorf("%s: got memory alone, but %s", r.Name, actsText(r.Acts))
		}
	}
	for _, c := range Calls() {
		acts(c.Name, c.Why, c.Kept)
		if c.Waits() && c.Mode == 0 {
			t.Errorf("%s: waits, but not for what", c.Name)
		}
	}
	for w := Nothing; w <= Polled; w++ {
		if !used[w] {
			t.Errorf("no row says %q", whats[w])
		}
	}
}

// TestFootprintOf: the tokens of rows.
func TestFootprintOf(t *testing.T) {
	arg := func(i int) mem.Ptr { return mem.MakePtr(mem.ObjID(10+i), 8) }
	for name, want := range map[string]string{
		"(*internal/sync.Mutex).Lock":               "reads object 10+0x8, 8 bytes, in process 1; writes object 10+0x8, 8 bytes, in process 1; waits for object 10+0x8, 8 bytes, in process 1",
		"sync/atomic.LoadInt32":                     "reads object 10+0x8, 4 bytes, in process 1",
		"time.Sleep":                                "reads the clock, in process 1; waits for the clock, in process 1",
		"github.com/heddle-mc/heddle/verify.choose": "nothing",
		Observation:                                 "writes the observer",
		"syscall.Syscall":                           "everything", // it has to be asked
		"fork.Bomb":                                 "everything",
	} {
		var f Footprint
		Native(name).Footprint(&f, 1, arg)
		if got := f.String(); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
