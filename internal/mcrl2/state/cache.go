package state

import "github.com/heddle-mc/heddle/internal/mcrl2/data"

// unknown stands in caches for what was not computed yet.
const unknown = ^uint32(0)

// A cache maps the values of some parameters to the place of a result.
type cache struct {
	n      int          // values of a key
	direct []uint32     // for one small value, by the value
	keys   []data.Value // of all entries
	places []uint32     // of all entries: results
	table  []uint32     // open addressing: number of the entry plus one

	lookups, entries uint64
}

const (
	directValues = 256
	firstEntries = 16
)

func (c *cache) start(n int) {
	c.n = n
	if n == 0 {
		c.direct = []uint32{unknown}
		return
	}
	if n == 1 {
		c.direct = make([]uint32, directValues)
		for i := range c.direct {
			c.direct[i] = unknown
		}
	}
	c.table = make([]uint32, firstEntries)
}

// find returns where the place of the result is kept for a state; it is unknown
// if the entry is new. It is good until the next find.
func (c *cache) find(state []data.Value, reads []int) *uint32 {
	switch len(reads) {
	case 0:
		return &c.direct[0]
	case 1:
		if v := state[reads[0]]; v < 2*directValues && v&1 == 0 {
			return &c.direct[v>>1]
		}
	}
	c.lookups++
	h := uint64(len(reads))
	for _, p := range reads {
		h = (h ^ uint64(state[p])) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	h ^= h >> 32
	mask := uint64(len(c.table) - 1)
	i := h & mask
	for ; c.table[i] != 0; i = (i + 1) & mask {
		k := int(c.table[i] - 1)
		if c.same(state, reads, k) {
			return &c.places[k]
		}
	}
	c.entries++
	for _, p := range reads {
		c.keys = append(c.keys, state[p])
	}
	c.places = append(c.places, unknown)
	c.table[i] = uint32(len(c.places))
	if len(c.places)*4 > len(c.table)*3 {
		c.grow()
	}
	return &c.places[len(c.places)-1]
}

func (c *cache) same(state []data.Value, reads []int, k int) bool {
	key := c.keys[k*c.n:][:len(reads)]
	for i, p := range reads {
		if key[i] != state[p] {
			return false
		}
	}
	return true
}

func (c *cache) grow() {
	c.table = make([]uint32, len(c.table)*2)
	mask := uint64(len(c.table) - 1)
	for k := range c.places {
		h := uint64(c.n)
		for _, v := range c.keys[k*c.n:][:c.n] {
			h = (h ^ uint64(v)) * 0x9e3779b97f4a7c15
			h ^= h >> 29
		}
		h ^= h >> 32
		i := h & mask
		for c.table[i] != 0 {
			i = (i + 1) & mask
		}
		c.table[i] = uint32(k) + 1
	}
}

// manyEntries is how large a cache gets before it has to pay.
var manyEntries = uint64(1 << 17)

// wasteful reports whether the cache has become large and answers few lookups.
func (c *cache) wasteful() bool {
	return c.entries > manyEntries && c.lookups < 2*c.entries
}
