package cert

// A table remembers a number for a state and a symbol. It forgets: a place has
// one owner, and the last one wins. It grows with what is put into it, up to a
// bound, so that reading a certificate takes little memory whatever it says.
type table struct {
	places []place
	puts   int
}

type place struct {
	state uint32
	sym   int32
	value uint32
}

const (
	tableStart = 1 << 10
	tableMax   = 1 << 21
)

func (t *table) init() { t.places = make([]place, tableStart) }

func (t *table) at(state uint32, sym int32) *place {
	h := (uint64(state)<<20 ^ uint64(uint32(sym))) * 0x9e3779b97f4a7c15
	return &t.places[h>>32&uint64(len(t.places)-1)]
}

// get returns the number that was put for a state, which is not 0, and a symbol.
func (t *table) get(state uint32, sym int32) (uint32, bool) {
	p := t.at(state, sym)
	return p.value, p.state == state && p.sym == sym
}

func (t *table) put(state uint32, sym int32, value uint32) {
	if t.puts++; t.puts > len(t.places)/2 && len(t.places) < tableMax {
		old := t.places
		t.places = make([]place, 4*len(old))
		for _, p := range old {
			if p.state != 0 {
				*t.at(p.state, p.sym) = p
			}
		}
	}
	*t.at(state, sym) = place{state, sym, value}
}
