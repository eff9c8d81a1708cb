package stateset

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// sets are all sets that lose nothing.
func sets(t interface{ TempDir() string }) map[string]func() Set {
	return map[string]func() Set{
		"exact":        func() Set { return NewExact() },
		"fingerprints": func() Set { return NewFingerprints() },
		"disk":         func() Set { return NewDisk(t.TempDir(), 0) },
	}
}

func numbered(i int) []byte { return binary.LittleEndian.AppendUint64([]byte("state "), uint64(i)) }

// TestAgainstMap adds keys in any order and saves and reads back between.
func TestAgainstMap(t *testing.T) {
	all := sets(t)
	all["alone"] = func() Set {
		s := NewFingerprints()
		s.Alone()
		return s
	}
	for name, makeSet := range all {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				s, model := makeSet(), map[string]bool{}
				defer func() { s.Close() }()
				key := rapid.SliceOfN(rapid.Byte(), 0, 2)
				t.Repeat(map[string]func(*rapid.T){
					"add": func(t *rapid.T) {
						k := key.Draw(t, "key")
						d := s.Digest(nil, k)
						if got, want := s.Has(d), model[string(k)]; got != want {
							t.Fatalf("Has %x: got %v, want %v", k, got, want)
						}
						if got, want := s.Add(d), !model[string(k)]; got != want {
							t.Fatalf("Add %x: got %v, want %v", k, got, want)
						}
						model[string(k)] = true
					},
					"flush": func(*rapid.T) {
						if d, ok := s.(*Disk); ok {
							d.limit = -1
							d.flush()
							d.limit = minRecent
						}
					},
					"copy": func(t *rapid.T) {
						var b bytes.Buffer
						if n, err := s.WriteTo(&b); err != nil || n != int64(b.Len()) {
							t.Fatalf("WriteTo: %v, %d bytes of %d", err, n, b.Len())
						}
						saved := b.Bytes()
						c := makeSet()
						if n, err := c.ReadFrom(bytes.NewBuffer(append(slices.Clone(saved), "rest"...))); err != nil || n != int64(len(saved)) {
							t.Fatalf("ReadFrom: %v, %d bytes of %d", err, n, len(saved))
						}
						var again bytes.Buffer
						c.WriteTo(&again)
						if !bytes.Equal(again.Bytes(), saved) {
							t.Fatal("a copy is written differently")
						}
						s.Close()
						s = c
					},
					"": func(t *rapid.T) {
						if s.Len() != int64(len(model)) || s.Lossy() || s.Err() != nil {
							t.Fatalf("got %d keys, lossy %v, %v, want %d", s.Len(), s.Lossy(), s.Err(), len(model))
						}
					},
				})
			})
		})
	}
}

// TestMany adds more than fits into first tables, and into the memory of Disk.
func TestMany(t *testing.T) {
	const n = 300_000
	for name, makeSet := range sets(t) {
		s := makeSet()
		var d []byte
		for round := range 2 {
			for i := range n {
				d = s.Digest(d[:0], numbered(i))
				if got, want := s.Add(d), round == 0; got != want {
					t.Fatalf("%s: key %d in round %d: got %v, want %v", name, i, round, got, want)
				}
			}
		}
		if s.Len() != n {
			t.Errorf("%s: got %d, want %d", name, s.Len(), n)
		}
		switch s := s.(type) {
		case *Fingerprints:
			if each := float64(s.Bytes()) / n; each < 16 || each > 24 {
				t.Errorf("%s: got %.1f bytes a state, want at most 24", name, each)
			}
		case *Disk:
			if len(s.runs) < 2 || s.OnDisk() < n/2*fingerprintSize || s.Bytes() > 2*minRecent {
				t.Errorf("%s: got %d runs of %d bytes, %d in memory", name, len(s.runs), s.OnDisk(), s.Bytes())
			}
		}
		s.Close()
	}
}

// TestSeveralAtOnce has three workers add the same keys: each key is new once.
func TestSeveralAtOnce(t *testing.T) {
	const n = 60_000
	for name, makeSet := range sets(t) {
		s := makeSet()
		var wg sync.WaitGroup
		var added [3]int
		for w := range added {
			wg.Go(func() {
				var d []byte
				for i := range n {
					d = s.Digest(d[:0], numbered((i+w*1000)%n))
					if s.Add(d) {
						added[w]++
					}
				}
			})
		}
		wg.Wait()
		if got := added[0] + added[1] + added[2]; got != n || s.Len() != n {
			t.Errorf("%s: got %d new keys, length %d, want %d", name, got, s.Len(), n)
		}
		s.Close()
	}
}

// TestZeroFingerprint checks the values at the ends of the range.
func TestZeroFingerprint(t *testing.T) {
	s := NewFingerprints()
	defer s.Close()
	top := ^uint64(0)
	for _, f := range []fingerprint{{0, 1}, {0, top}, {1, 0}, {top, top}, {top, 0}, {top, 1}} {
		if s.has(f) || !s.add(f) || s.add(f) || !s.has(f) {
			t.Errorf("%x is not kept", f)
		}
	}
}

func TestDiskFails(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "d")
	d := NewDisk(dir, 0) // the directory does not exist
	defer d.Close()
	const n = 150_000
	for i := range n {
		if !d.Add(d.Digest(nil, numbered(i))) {
			t.Fatalf("key %d is not new", i)
		}
	}
	if d.Err() == nil || d.Len() != n || d.Lossy() {
		t.Errorf("got error %v, %d keys, want an error and all keys in memory", d.Err(), d.Len())
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	d = NewDisk(dir, 0)
	for i := range n {
		d.Add(d.Digest(nil, numbered(i)))
	}
	d.runs[0].file.Close()
	for i := range n {
		d.Add(d.Digest(nil, numbered(i)))
	}
	if d.Err() == nil || !d.Lossy() {
		t.Errorf("closed file: got error %v, lossy %v", d.Err(), d.Lossy())
	}
}

func TestBitstate(t *testing.T) {
	b := NewBitstate(1 << 16)
	defer b.Close()
	if b.Lossy() {
		t.Error("an empty set is lossy")
	}
	const n = 10_000
	for i := range n {
		b.Add(b.Digest(nil, numbered(i)))
	}
	for i := range n {
		if d := b.Digest(nil, numbered(i)); !b.Has(d) || b.Add(d) {
			t.Fatalf("key %d is new again", i)
		}
	}
	if b.Len() < n*97/100 || b.Len() > n || !b.Lossy() || b.Bytes() != 1<<16 {
		t.Errorf("got %d of %d states in %d bytes, lossy %v", b.Len(), n, b.Bytes(), b.Lossy())
	}
}

func FuzzReadFrom(f *testing.F) {
	s := NewFingerprints()
	for i := range 3 {
		s.Add(s.Digest(nil, numbered(i)))
	}
	var b bytes.Buffer
	s.WriteTo(&b)
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		s, e := NewFingerprints(), NewExact()
		defer s.Close()
		if n, _ := s.ReadFrom(bytes.NewReader(data)); n > int64(len(data)) {
			t.Errorf("read %d of %d bytes", n, len(data))
		}
		if n, _ := e.ReadFrom(bytes.NewReader(data)); n > int64(len(data)) {
			t.Errorf("read %d of %d bytes", n, len(data))
		}
	})
}

// The benchmarks report nanoseconds and bytes a state.
func benchmark(b *testing.B, s Set) {
	defer s.Close()
	var d []byte
	key := make([]byte, 64)
	for i := 0; b.Loop(); i++ {
		binary.LittleEndian.PutUint64(key, uint64(i))
		d = s.Digest(d[:0], key)
		s.Add(d)
	}
	b.ReportMetric(float64(s.Bytes())/float64(s.Len()), "bytes/state")
}

func BenchmarkExact(b *testing.B)        { benchmark(b, NewExact()) }
func BenchmarkFingerprints(b *testing.B) { benchmark(b, NewFingerprints()) }
func BenchmarkBitstate(b *testing.B)     { benchmark(b, NewBitstate(64<<20)) }
func BenchmarkDisk(b *testing.B)         { benchmark(b, NewDisk(b.TempDir(), 16<<20)) }

// TestFilter counts how often the filter of a run passes in vain: 1 in 150 or
// less, and never the other way.
func TestFilter(t *testing.T) {
	const n = 50_000
	s := NewFingerprints()
	defer s.Close()
	for i := range n {
		s.add(hash(numbered(i)))
	}
	w, err := newRun(t.TempDir(), n)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.sorted(w.add); err != nil {
		t.Fatal(err)
	}
	r, err := w.finish()
	if err != nil {
		t.Fatal(err)
	}
	defer r.close()
	vain := 0
	for i := range 2 * n {
		f := hash(numbered(i))
		found, err := r.has(f)
		if err != nil || found != (i < n) {
			t.Fatalf("key %d: got %v, %v", i, found, err)
		}
		if i >= n && r.mayHave(f) {
			vain++
		}
	}
	t.Logf("passed %d of %d in vain", vain, n)
	if vain > n/150 {
		t.Errorf("got %d of %d keys passed in vain, want at most 1 in 150", vain, n)
	}
}

// TestRoom looks at the memory of the set at all sizes, not only where it has just
// been filled.
func TestRoom(t *testing.T) {
	s := NewFingerprints()
	defer s.Close()
	var d []byte
	most := 0.0
	for i := range 400_000 {
		d = s.Digest(d[:0], numbered(i))
		s.Add(d)
		if i > 60_000 && i%500 == 0 { // some hundreds in each shard
			most = max(most, float64(s.Bytes())/float64(s.Len()))
		}
	}
	if most > 24 || most < 22 {
		t.Errorf("got %.2f bytes a state at most, want nearly 24", most)
	}
}
