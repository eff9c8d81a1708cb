package data

// Lists are cells of a head and a tail, so that equations over head and tail
// need not copy.

// listed returns the elements of a list and what is behind the last: none, or a
// term that is not known to be a list.
func (e *Engine) listed(v Value) (elems []Value, rest Value) {
	k := e.kinds[cons]
	for e.is(v, k) {
		p := e.parts(v)
		elems = append(elems, p[0])
		v = p[1]
	}
	return elems, v
}

// list puts elements before a list.
func (e *Engine) list(elems []Value, rest Value) Value {
	for i := len(elems) - 1; i >= 0; i-- {
		rest = e.make(e.kinds[cons], elems[i], rest)
	}
	return rest
}

func nativeCons(e *Engine, s *symbol, a []Value) (Value, bool) {
	if len(s.rules) > 0 {
		return 0, false
	}
	return e.makeOf(e.kinds[cons], a), true
}

func nativeSnoc(e *Engine, _ *symbol, a []Value) (Value, bool) {
	elems, rest := e.listed(a[0])
	if rest != none {
		return 0, false
	}
	return e.list(append(elems, a[1]), none), true
}

func nativeConcat(e *Engine, _ *symbol, a []Value) (Value, bool) {
	if a[1] == none {
		return a[0], true
	}
	elems, rest := e.listed(a[0])
	if rest != none {
		return 0, false
	}
	return e.list(elems, a[1]), true
}

func nativeLen(e *Engine, s *symbol, a []Value) (Value, bool) {
	v, n, k := a[0], int64(0), e.kinds[cons]
	for ; e.is(v, k); n++ {
		v = e.parts(v)[1]
	}
	if v == none || n == 0 {
		return small(n), v == none
	}
	// The rest is not known, but that the length is at least n is.
	return e.make(e.addition, e.make(s, v), small(n)), true
}

func nativeAt(e *Engine, _ *symbol, a []Value) (Value, bool) {
	if a[1].isTerm() {
		return 0, false
	}
	v, k := a[0], e.kinds[cons]
	for n := a[1].small(); n > 0 && e.is(v, k); n-- {
		v = e.parts(v)[1]
	}
	if !e.is(v, k) {
		return 0, false
	}
	return e.parts(v)[0], true
}

func nativeHead(e *Engine, _ *symbol, a []Value) (Value, bool) {
	if !e.is(a[0], e.kinds[cons]) {
		return 0, false
	}
	return e.parts(a[0])[0], true
}

func nativeTail(e *Engine, _ *symbol, a []Value) (Value, bool) {
	if !e.is(a[0], e.kinds[cons]) {
		return 0, false
	}
	return e.parts(a[0])[1], true
}

func nativeRHead(e *Engine, _ *symbol, a []Value) (Value, bool) {
	elems, rest := e.listed(a[0])
	if rest != none || len(elems) == 0 {
		return 0, false
	}
	return elems[len(elems)-1], true
}

func nativeRTail(e *Engine, _ *symbol, a []Value) (Value, bool) {
	elems, rest := e.listed(a[0])
	if rest != none || len(elems) == 0 {
		return 0, false
	}
	return e.list(elems[:len(elems)-1], none), true
}

func nativeInList(e *Engine, s *symbol, a []Value) (Value, bool) {
	v, k, result := a[1], e.kinds[cons], no
	for e.is(v, k) {
		p := e.parts(v)
		switch e.equal(s.args[0], a[0], p[0]) {
		case yes:
			return True, true
		case unknown:
			result = unknown
		}
		v = p[1]
	}
	if v != none {
		return 0, false
	}
	return result.value()
}
