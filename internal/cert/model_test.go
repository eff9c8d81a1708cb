package cert

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// TestPast: a hash of n events depends on the last n events, and on all of them.
func TestPast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		step := rapid.Uint64Max(5)
		before, other := rapid.SliceOf(step).Draw(t, "before"), rapid.SliceOf(step).Draw(t, "other")
		last := rapid.SliceOfN(step, 24, 24).Draw(t, "last")
		changed := rapid.IntRange(0, 23).Draw(t, "changed")
		var a, b, c past
		for _, x := range before {
			a.add(x, 0)
			c.add(x, 0)
		}
		for _, x := range other {
			b.add(x, 1)
		}
		for i, x := range last {
			a.add(x, x&1)
			b.add(x, x&1)
			if i == changed {
				x++
			}
			c.add(x, last[i]&1)
		}
		if a.hashes != b.hashes {
			t.Errorf("got %x and %x after the same 24 events", a.hashes, b.hashes)
		}
		for i, n := range pasts {
			if inside := changed >= 24-int(n); inside != (a.hashes[i] != c.hashes[i]) {
				t.Errorf("event %d of the last 24 changed: hashes of %d are %x and %x", changed, n, a.hashes[i], c.hashes[i])
			}
		}
	})
}

// TestTails: every number comes back, whatever came before it.
func TestTails(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type block struct {
			leaves, others int
			n              uint64
		}
		blocks := rapid.SliceOf(rapid.Custom(func(t *rapid.T) block {
			n := rapid.OneOf(rapid.Uint64Max(60), rapid.Uint64(), rapid.Just(uint64(math.MaxUint64)))
			return block{rapid.IntRange(0, 128).Draw(t, "leaves"), rapid.IntRange(0, 128).Draw(t, "others"), n.Draw(t, "n")}
		})).Draw(t, "blocks")
		count := func(to *tails, b block) {
			for range b.leaves {
				to.count(true)
			}
			for range b.others {
				to.count(false)
			}
		}
		var enc coder
		enc.begin(nil)
		out := newTails(&enc)
		for _, b := range blocks {
			count(&out, b)
			out.code(b.n)
		}
		dec := coder{decode: true}
		dec.begin(enc.finish())
		in := newTails(&dec)
		for i, b := range blocks {
			count(&in, b)
			if got := in.code(0); got != b.n {
				t.Fatalf("block %d: got %d, want %d", i, got, b.n)
			}
		}
	})
}

// TestTailsLearn: blocks that are as those before take nearly nothing.
func TestTailsLearn(t *testing.T) {
	var enc coder
	enc.begin(nil)
	out := newTails(&enc)
	for i := range 1000 {
		for j := range 20 {
			out.count(j < i%20)
		}
		out.code(uint64(5*(i%20) + 1*(20-i%20)))
	}
	if got := len(enc.finish()); got > 120 {
		t.Errorf("got %d bytes for 1000 blocks with 5 for a leaf and 1 for another state, want at most 120", got)
	}
}

// TestFinish: the end of a chunk takes as little as it can.
func TestFinish(t *testing.T) {
	for _, test := range []struct {
		bits []int
		want int // bytes
	}{{nil, 0}, {[]int{0}, 0}, {[]int{1}, 1}, {[]int{1, 0, 1, 1, 0, 1, 1, 1}, 1}, {[]int{0, 0, 0, 0, 0, 0, 0, 0, 1}, 2}} {
		var enc coder
		enc.begin(nil)
		for _, b := range test.bits {
			enc.fixed(1<<(probBits-1), b)
		}
		got := enc.finish()
		if len(got) > test.want {
			t.Errorf("bits %d: got %d bytes, %x, want %d", test.bits, len(got), got, test.want)
		}
		dec := coder{decode: true}
		dec.begin(got)
		for i, want := range test.bits {
			if got := dec.fixed(1<<(probBits-1), 0); got != want {
				t.Errorf("bits %d: bit %d: got %d, want %d", test.bits, i, got, want)
			}
		}
	}
}
