package load

// hashTrieMap replaces the concurrent trie under sync.Map. The trie's shape
// depends on hashes of its keys, which for pointers are object numbers; a map of
// the machine depends on nothing but its contents.
const hashTrieMap = `package sync

type HashTrieMap[K comparable, V any] struct {
	mu Mutex
	m  map[K]V
}

func (ht *HashTrieMap[K, V]) Load(key K) (value V, ok bool) {
	ht.mu.Lock()
	defer ht.mu.Unlock()
	value, ok = ht.m[key]
	return value, ok
}

func (ht *HashTrieMap[K, V]) LoadOrStore(key K, value V) (result V, loaded bool) {
	ht.mu.Lock()
	defer ht.mu.Unlock()
	if old, ok := ht.m[key]; ok {
		return old, true
	}
	ht.set(key, value)
	return value, false
}

func (ht *HashTrieMap[K, V]) set(key K, value V) {
	if ht.m == nil {
		ht.m = make(map[K]V)
	}
	ht.m[key] = value
}

func (ht *HashTrieMap[K, V]) Store(key K, new V) {
	ht.Swap(key, new)
}

func (ht *HashTrieMap[K, V]) Swap(key K, new V) (previous V, loaded bool) {
	ht.mu.Lock()
	defer ht.mu.Unlock()
	previous, loaded = ht.m[key]
	ht.set(key, new)
	return previous, loaded
}

func (ht *HashTrieMap[K, V]) CompareAndSwap(key K, old, new V) (swapped bool) {
	ht.mu.Lock()
	defer ht.mu.Unlock()
	value, ok := ht.m[key]
	if !ok || any(value) != any(old) {
		return false
	}
	ht.m[key] = new
	return true
}

func (ht *HashTrieMap[K, V]) LoadAndDelete(key K) (value V, loaded bool) {
	ht.mu.Lock()
	defer ht.mu.Unlock()
	value, loaded = ht.m[key]
	delete(ht.m, key)
	return value, loaded
}

func (ht *HashTrieMap[K, V]) Delete(key K) {
	ht.LoadAndDelete(key)
}

func (ht *HashTrieMap[K, V]) CompareAndDelete(key K, old V) (deleted bool) {
	ht.mu.Lock()
	defer ht.mu.Unlock()
	value, ok := ht.m[key]
	if !ok || any(value) != any(old) {
		return false
	}
	delete(ht.m, key)
	return true
}

func (ht *HashTrieMap[K, V]) All() func(yield func(K, V) bool) {
	return func(yield func(key K, value V) bool) { ht.Range(yield) }
}

// Range visits the keys that the map has when it is called, each with the value
// that it has when it is visited.
func (ht *HashTrieMap[K, V]) Range(yield func(K, V) bool) {
	ht.mu.Lock()
	keys := make([]K, 0, len(ht.m))
	for key := range ht.m {
		keys = append(keys, key)
	}
	ht.mu.Unlock()
	for _, key := range keys {
		if value, ok := ht.Load(key); ok && !yield(key, value) {
			return
		}
	}
}

func (ht *HashTrieMap[K, V]) Clear() {
	ht.mu.Lock()
	defer ht.mu.Unlock()
	ht.m = nil
}
`

// canonMap replaces the concurrent trie of weak pointers under unique.Make for
// the same reason. Its values are never collected, so that a handle does not
// depend on when a collection happens.
const canonMap = `package unique

import "sync"

type canonMap[T comparable] struct {
	mu sync.Mutex
	m  map[T]*T
}

func newCanonMap[T comparable]() *canonMap[T] {
	return &canonMap[T]{m: make(map[T]*T)}
}

func (m *canonMap[T]) Load(key T) *T {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.m[key]
}

func (m *canonMap[T]) LoadOrStore(key T) *T {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p := m.m[key]; p != nil {
		return p
	}
	p := new(T)
	*p = key
	m.m[key] = p
	return p
}
`
