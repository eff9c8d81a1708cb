package vm

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"unsafe"

	"pgregory.net/rapid"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/mem"
)

const (
	regMap  = 0
	regKey  = 8
	regElem = 40
	regIter = 60
	regOut  = 70
)

// A mapPair is a map of the machine with a map of the host beside it.
type mapPair[K comparable] struct {
	w    *world
	typ  int64
	host map[K]int
}

func newMapPair[K comparable](t testing.TB, seed uint64, extra ...any) *mapPair[K] {
	w := newWorld(t, Options{Seed: seed}, append(extra, map[K]int(nil))...)
	p := &mapPair[K]{w: w, typ: int64(w.of(map[K]int(nil))), host: map[K]int{}}
	w.do((*Machine).opMakemap, bytecode.Instr{A: regMap, B: 1, Imm: p.typ})
	return p
}

func (p *mapPair[K]) set(k K, v int) {
	p.w.putValue(regKey, reflect.ValueOf(&k).Elem())
	p.w.put(regElem, v)
	p.w.do((*Machine).opMapset, bytecode.Instr{A: regMap, B: regKey, C: regElem, Imm: p.typ})
	p.host[k] = v
}

func (p *mapPair[K]) del(k K) {
	p.w.putValue(regKey, reflect.ValueOf(&k).Elem())
	p.w.do((*Machine).opMapdel, bytecode.Instr{B: regMap, C: regKey, Imm: p.typ})
	delete(p.host, k)
}

func (p *mapPair[K]) get(k K) (int, bool) {
	p.w.putValue(regKey, reflect.ValueOf(&k).Elem())
	p.w.do((*Machine).opMapget2, bytecode.Instr{A: regOut, B: regMap, C: regKey, Imm: p.typ})
	v, ok := int(p.w.frame[regOut]), p.w.frame[regOut+1] != 0
	p.w.do((*Machine).opMapget, bytecode.Instr{A: regOut, B: regMap, C: regKey, Imm: p.typ})
	if int(p.w.frame[regOut]) != v {
		p.w.t.Fatalf("mapget and mapget2 of %v differ", k)
	}
	return v, ok
}

func (p *mapPair[K]) len() int {
	p.w.do((*Machine).opMaplen, bytecode.Instr{A: regOut, B: regMap})
	return int(p.w.frame[regOut])
}

func (p *mapPair[K]) start() {
	p.w.do((*Machine).opMaprange, bytecode.Instr{A: regIter, B: regMap, Imm: p.typ})
}

// next returns the next element of an iteration.
func (p *mapPair[K]) next() (int, bool) {
	p.w.do((*Machine).opMapnext, bytecode.Instr{A: regOut, B: regIter, C: 2, Imm: p.typ})
	return int(p.w.frame[regOut+1]), p.w.frame[regOut] != 0
}

func testMapAgainstHost[K comparable](t *testing.T, keys []K) {
	for _, seed := range []uint64{0, 7} {
		p := newMapPair[K](t, seed, anyValues(keys)...)
		rapid.Check(t, func(r *rapid.T) {
			p.w.do((*Machine).opMakemap, bytecode.Instr{A: regMap, B: 1, Imm: p.typ})
			p.host = map[K]int{}
			n := 0
			r.Repeat(map[string]func(*rapid.T){
				"set": func(r *rapid.T) { n++; p.set(rapid.SampledFrom(keys).Draw(r, "key"), n) },
				"del": func(r *rapid.T) { p.del(rapid.SampledFrom(keys).Draw(r, "key")) },
				"get": func(r *rapid.T) {
					k := rapid.SampledFrom(keys).Draw(r, "key")
					want, wantOk := p.host[k]
					if got, ok := p.get(k); got != want || ok != wantOk {
						r.Fatalf("[%v]: got %d %v, want %d %v", k, got, ok, want, wantOk)
					}
				},
				"clear": func(r *rapid.T) {
					if rapid.IntRange(0, 9).Draw(r, "often") == 0 {
						p.w.do((*Machine).opMapclear, bytecode.Instr{B: regMap, Imm: p.typ})
						clear(p.host)
					}
				},
				"range": func(r *rapid.T) { p.checkRange(r, keys, &n) },
				"": func(r *rapid.T) {
					if got := p.len(); got != len(p.host) {
						r.Fatalf("len: got %d, want %d", got, len(p.host))
					}
				},
			})
		})
	}
}

// checkRange iterates while it inserts and deletes. Each entry that exists from
// beginning to end comes once; none comes twice or after its deletion.
func (p *mapPair[K]) checkRange(r *rapid.T, keys []K, n *int) {
	must := map[int]bool{}
	for _, v := range p.host {
		must[v] = true
	}
	gone, seen := map[int]bool{}, map[int]bool{}
	p.start()
	for {
		v, ok := p.next()
		if !ok {
			break
		}
		if seen[v] || gone[v] {
			r.Fatalf("iteration gives %d again or after its deletion", v)
		}
		seen[v] = true
		if k := rapid.SampledFrom(keys).Draw(r, "key"); rapid.Bool().Draw(r, "delete") {
			delete(must, p.host[k])
			gone[p.host[k]] = true
			p.del(k)
		} else if _, had := p.host[k]; !had && len(p.host) < len(keys) {
			*n++
			p.set(k, *n)
		}
	}
	for v := range must {
		if !seen[v] {
			r.Fatalf("iteration misses %d", v)
		}
	}
	if _, ok := p.next(); ok {
		r.Fatalf("iteration goes on at its end")
	}
}

func anyValues[K any](keys []K) []any {
	var vs []any
	for _, k := range keys {
		if any(k) != nil {
			vs = append(vs, k)
		}
	}
	return vs
}

func keysOf[K any](n int, f func(int) K) []K {
	var ks []K
	for i := range n {
		ks = append(ks, f(i))
	}
	return ks
}

func TestMapAgainstHost(t *testing.T) {
	t.Run("int", func(t *testing.T) { testMapAgainstHost(t, keysOf(30, func(i int) int { return i * 1000 })) })
	t.Run("int32", func(t *testing.T) { testMapAgainstHost(t, keysOf(12, func(i int) int32 { return int32(-i) })) })
	t.Run("uint8", func(t *testing.T) { testMapAgainstHost(t, keysOf(12, func(i int) uint8 { return uint8(i) })) })
	t.Run("string", func(t *testing.T) {
		testMapAgainstHost(t, keysOf(30, func(i int) string { return fmt.Sprint("key", i) }))
	})
	t.Run("float", func(t *testing.T) {
		testMapAgainstHost(t, []float64{0, math.Copysign(0, -1), 1, 2, math.Inf(1)})
	})
	t.Run("any", func(t *testing.T) { testMapAgainstHost(t, []any{nil, 1, "a", 1.5, true, [2]int{1, 2}}) })
	t.Run("struct", func(t *testing.T) {
		testMapAgainstHost(t, keysOf(12, func(i int) holes { return holes{A: int8(i % 3), C: fmt.Sprint(i % 4)} }))
	})
	t.Run("zero", func(t *testing.T) { testMapAgainstHost(t, []struct{}{{}}) })
}

func TestMapNaNAndKeyUpdate(t *testing.T) {
	p := newMapPair[float64](t, 0)
	for i := range 20 {
		p.set(math.NaN(), i)
	}
	if p.len() != 20 {
		t.Errorf("20 NaN keys: len is %d", p.len())
	}
	p.del(math.NaN())
	if _, ok := p.get(math.NaN()); ok || p.len() != 20 {
		t.Errorf("NaN was found")
	}
	p.w.do((*Machine).opMapclear, bytecode.Instr{B: regMap, Imm: p.typ})
	p.set(0, 1)
	p.set(math.Copysign(0, -1), 2)
	p.start()
	p.w.do((*Machine).opMapnext, bytecode.Instr{A: regOut, B: regIter, C: 3, Imm: p.typ})
	if k := math.Float64frombits(p.w.frame[regOut+1]); p.len() != 1 || !math.Signbit(k) || p.w.frame[regOut+2] != 2 {
		t.Errorf("after m[0]=1, m[-0]=2: len %d, key %v, element %d", p.len(), k, p.w.frame[regOut+2])
	}
}

func TestNilMap(t *testing.T) {
	p := newMapPair[string](t, 0)
	p.w.frame[regMap] = 0
	if _, ok := p.get("x"); ok || p.len() != 0 {
		t.Errorf("a nil map has entries")
	}
	p.del("x")
	p.w.do((*Machine).opMapclear, bytecode.Instr{B: regMap, Imm: p.typ})
	p.start()
	if _, ok := p.next(); ok {
		t.Errorf("range over a nil map gives an entry")
	}
}

func TestMapIterationOrder(t *testing.T) {
	order := func(seed uint64) string {
		p := newMapPair[int](t, seed)
		for i := range 20 {
			p.set(i, i)
		}
		var s []int
		p.start()
		for {
			v, ok := p.next()
			if !ok {
				return fmt.Sprint(s)
			}
			s = append(s, v)
		}
	}
	if got, want := order(0), fmt.Sprint(keysOf(20, func(i int) int { return i })); got != want {
		t.Errorf("seed 0: got %s, want %s", got, want)
	}
	orders := map[string]bool{}
	for seed := range uint64(20) {
		orders[order(seed+1)] = true
	}
	if len(orders) < 5 {
		t.Errorf("20 seeds give %d orders", len(orders))
	}
}

func benchMap[K comparable](b *testing.B, key func(int) K) {
	const n = 1 << 12
	p := newMapPair[K](b, 0)
	keys := keysOf(n, key)
	perm := rand.New(rand.NewPCG(1, 2)).Perm(n)
	words := int(p.w.m.rt.types[p.w.of(keys[0])].Words)
	regs := make([]uint64, n*words)
	for i, k := range keys {
		p.set(k, i)
		copy(regs[i*words:], p.w.frame[regKey:regKey+words])
	}
	host, sum := p.host, 0
	get := bytecode.Instr{A: regOut, B: regMap, C: regKey, Imm: p.typ}
	set := bytecode.Instr{A: regMap, B: regKey, C: regElem, Imm: p.typ}
	next := bytecode.Instr{A: regOut, B: regIter, C: 3, Imm: p.typ}
	each := func(name string, f func(i int)) {
		b.Run(name, func(b *testing.B) {
			i := 0
			for b.Loop() {
				f(perm[i&(n-1)])
				i++
			}
		})
	}
	m, g, fp := p.w.m, p.w.g, p.w.fp()
	load := func(i int) {
		if words == 1 {
			p.w.frame[regKey] = regs[i]
		} else {
			*(*[2]uint64)(unsafe.Pointer(&p.w.frame[regKey])) = *(*[2]uint64)(unsafe.Pointer(&regs[2*i]))
		}
	}
	each("get", func(i int) { load(i); m.opMapget(g, fp, &get) })
	each("hostget", func(i int) { sum += host[keys[i]] })
	each("set", func(i int) { load(i); m.opMapset(g, fp, &set) })
	each("hostset", func(i int) { host[keys[i]] = i })
	each("insert", func(i int) {
		if p.w.frame[regMap] == 0 || m.Heap.MapLen(memPtr(p.w.frame[regMap])) == n {
			if m.Heap.ShouldCollect() {
				m.Heap.Collect(func(visit func(mem.Ptr)) {
					for _, w := range regs {
						visit(memPtr(w))
					}
				}, nil)
			}
			p.w.frame[regMap] = uint64(m.newMap(int(p.typ), 0))
		}
		load(i)
		m.opMapset(g, fp, &set)
	})
	fresh := map[K]int{}
	each("hostinsert", func(i int) {
		if len(fresh) == n {
			fresh = map[K]int{}
		}
		fresh[keys[i]] = i
	})
	for i := range n {
		load(i)
		m.opMapset(g, fp, &set)
	}
	p.start()
	b.Run("next", func(b *testing.B) {
		for b.Loop() {
			if m.opMapnext(g, fp, &next); p.w.frame[regOut] == 0 {
				p.start()
			}
		}
	})
	b.Run("hostnext", func(b *testing.B) {
		for k := 0; k < b.N; {
			for _, v := range host {
				if sum += v; k >= b.N {
					break
				}
				k++
			}
		}
	})
	sink = sum
}

func BenchmarkMapInt(b *testing.B)   { benchMap(b, func(i int) int { return i * 7 }) }
func BenchmarkMapInt32(b *testing.B) { benchMap(b, func(i int) int32 { return int32(i * 7) }) }
func BenchmarkMapString(b *testing.B) {
	benchMap(b, func(i int) string { return fmt.Sprintf("some key %d", i) })
}
