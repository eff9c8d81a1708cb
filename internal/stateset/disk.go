package stateset

import (
	"io"
	"sync"
	"sync/atomic"
)

// Disk keeps fingerprints in memory up to a limit, and beyond it in sorted runs
// on disk. In memory remain filters, 1.6 bytes a state, and the fingerprints
// that came last: in a search, those are the ones asked for again most often.
//
//	Add ──► recent (a Fingerprints) ── not there ──► each run: filter, block
//	           │ full                                     ▲
//	           └── sort, write ───────────────────────────┘ runs of like size are merged
//
// The answer is there at once, so that depth-first searches can use it too.
type Disk struct {
	dir    string
	limit  int64 // bytes for recent fingerprints
	n      atomic.Int64
	mu     sync.RWMutex // held for writing while runs change
	recent *Fingerprints
	runs   []*run // larger ones first
	err    atomic.Pointer[error]
	lossy  atomic.Bool
}

// minRecent is the least memory for recent fingerprints: the tables need some
// before they hold anything.
const minRecent = 2 << 20

// fanIn is how many runs of like size are merged into one.
const fanIn = 4

// NewDisk returns an empty set that keeps up to limit bytes of fingerprints in
// memory and its files in a directory. The files have no names and end with the
// process.
func NewDisk(dir string, limit int64) *Disk {
	return &Disk{dir: dir, limit: max(limit, minRecent), recent: NewFingerprints()}
}

// Digest appends the fingerprint of a key.
func (d *Disk) Digest(dst, key []byte) []byte { return hash(key).append(dst) }

// Has reports whether a fingerprint was added.
func (d *Disk) Has(digest []byte) bool {
	f := fingerprintOf(digest)
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.recent.has(f) || d.onDisk(f)
}

// Add adds a fingerprint.
func (d *Disk) Add(digest []byte) bool { return d.add(fingerprintOf(digest)) }

func (d *Disk) add(f fingerprint) bool {
	d.mu.RLock()
	// Of several workers that add f, one puts it into recent, and that one looks
	// at the disk. If f is there, recent now caches it.
	added := d.recent.add(f) && !d.onDisk(f)
	full := d.recent.Bytes() > d.limit
	d.mu.RUnlock()
	if added {
		d.n.Add(1)
	}
	if full {
		d.flush()
	}
	return added
}

func (d *Disk) onDisk(f fingerprint) bool {
	for i := len(d.runs) - 1; i >= 0; i-- {
		found, err := d.runs[i].has(f)
		if err != nil {
			d.fail(err)
			d.lossy.Store(true)
		}
		if found {
			return true
		}
	}
	return false
}

// fail remembers the first error.
func (d *Disk) fail(err error) { d.err.CompareAndSwap(nil, &err) }

// flush writes the recent fingerprints to a new run. After a failure the set
// grows in memory: the search will notice and end.
func (d *Disk) flush() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.recent.Bytes() <= d.limit || d.Err() != nil {
		return
	}
	r, err := d.write(d.recent.Len(), d.recent.sorted)
	if err != nil {
		d.fail(err)
		return
	}
	d.recent.Close()
	d.runs = append(d.runs, r)
	d.compact()
}

// compact merges the last runs while there are fanIn of like size.
func (d *Disk) compact() {
	for {
		k := len(d.runs) - fanIn
		if k < 0 || d.runs[k].n > 2*d.runs[len(d.runs)-1].n {
			return
		}
		last := d.runs[k:]
		n := int64(0)
		for _, r := range last {
			n += r.n
		}
		merged, err := d.write(n, func(yield func(fingerprint) error) error { return mergeRuns(last, yield) })
		if err != nil {
			d.fail(err)
			return
		}
		for _, r := range last {
			r.close()
		}
		d.runs = append(d.runs[:k], merged)
	}
}

func (d *Disk) write(n int64, each func(func(fingerprint) error) error) (*run, error) {
	w, err := newRun(d.dir, n)
	if err != nil {
		return nil, err
	}
	if err := each(w.add); err != nil {
		w.close()
		return nil, err
	}
	return w.finish()
}

// Len returns the number of fingerprints.
func (d *Disk) Len() int64 { return d.n.Load() }

// Bytes returns the memory of tables and filters.
func (d *Disk) Bytes() int64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	n := d.recent.Bytes()
	for _, r := range d.runs {
		n += r.bytes()
	}
	return n
}

// OnDisk returns the bytes in files.
func (d *Disk) OnDisk() int64 {
	d.mu.RLock()
	defer d.mu.RUnlock()
	n := int64(0)
	for _, r := range d.runs {
		n += r.n * fingerprintSize
	}
	return n
}

// Lossy reports whether the disk could not be read.
func (d *Disk) Lossy() bool { return d.lossy.Load() }

// Err returns the first failure of the disk.
func (d *Disk) Err() error {
	if err := d.err.Load(); err != nil {
		return *err
	}
	return nil
}

// WriteTo writes what Fingerprints would write.
func (d *Disk) WriteTo(w io.Writer) (int64, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	// What is in memory becomes a run, for the time of merging them.
	recent, err := d.write(d.recent.Len(), d.recent.sorted)
	if err != nil {
		return 0, err
	}
	defer recent.close()
	all := append(d.runs[:len(d.runs):len(d.runs)], recent)
	return writeSorted(w, d.Len(), func(yield func(fingerprint) error) error { return mergeRuns(all, yield) })
}

// ReadFrom adds the fingerprints that WriteTo wrote.
func (d *Disk) ReadFrom(r io.Reader) (int64, error) {
	return readSorted(r, func(f fingerprint) { d.add(f) })
}

// Close frees memory and files.
func (d *Disk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, r := range d.runs {
		r.close()
	}
	d.runs = nil
	return d.recent.Close()
}
