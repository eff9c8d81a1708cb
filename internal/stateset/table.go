package stateset

import "math/bits"

// A table is an open-addressing hash table of fingerprints: 16 bytes a place,
// nothing else. A fingerprint belongs where its value, read as a fraction, lies
// in the table, or behind; so the table is nearly sorted, and to grow is one
// sequential pass over the old and the new table.
type table struct {
	places []fingerprint
	n      int
}

// Tables grow by 5 of 16 when 7 of 8 places are taken, so that at least 2 of 3 are:
// 24 bytes a state at most, once a table has outgrown a page. (Doubling would take
// up to 36.6, growth by a half 27.4; neither was measured to be faster.)
const (
	firstPlaces = 32
	smallPlaces = 256  // up to one page, tables double
	heapPlaces  = 1024 // up to four, they are in the Go heap: a small search needs no pages for each shard
	fullEighths = 7
)

func (t *table) room() int { return len(t.places) * fullEighths / 8 }

// home returns where a fingerprint belongs. The bits that chose the shard are
// shifted out.
func (t *table) home(f fingerprint) int {
	high, _ := bits.Mul64(f.hi<<shardBits|f.lo>>(64-shardBits), uint64(len(t.places)))
	return int(high)
}

// find returns the place of f, or the empty place where it would be put.
func (t *table) find(f fingerprint) (place int, found bool) {
	i := t.home(f)
	for {
		switch g := t.places[i]; g {
		case f:
			return i, true
		case fingerprint{}:
			return i, false
		}
		if i++; i == len(t.places) {
			i = 0
		}
	}
}

func (t *table) has(f fingerprint) bool {
	if t.n == 0 {
		return false
	}
	_, found := t.find(f)
	return found
}

func (t *table) add(f fingerprint) bool {
	if t.places == nil {
		t.places = make([]fingerprint, firstPlaces)
	}
	i, found := t.find(f)
	if found {
		return false
	}
	if t.n++; t.n > t.room() {
		t.grow()
		i, _ = t.find(f)
	}
	t.places[i] = f
	return true
}

func (t *table) grow() {
	old := t.places
	n := len(old) * 2
	if n > smallPlaces {
		n = len(old) + len(old)*5/16
	}
	if n <= heapPlaces {
		t.places = make([]fingerprint, n)
	} else {
		t.places = newPages[fingerprint](n)
	}
	for _, f := range old {
		if f != (fingerprint{}) {
			i, _ := t.find(f)
			t.places[i] = f
		}
	}
	if len(old) > heapPlaces {
		freePages(old)
	}
}

// appendAll appends the fingerprints, not quite in order.
func (t *table) appendAll(dst []fingerprint) []fingerprint {
	for _, f := range t.places {
		if f != (fingerprint{}) {
			dst = append(dst, f)
		}
	}
	return dst
}

func (t *table) free() {
	if len(t.places) > heapPlaces {
		freePages(t.places)
	}
	*t = table{}
}
