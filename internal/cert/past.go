package cert

// A past has hashes of the last events of a script. That of n events is the sum of their
// values, each times a power of pastBase by its age, so it need not be computed anew.
type past struct {
	hashes [len(pasts)]uint64
	ring   [32]uint64 // values of the last events
	at     uint       // where the next one goes
}

const pastBase = 0x2545f4914f6cdd1d

// pasts are how many events there are hashes of. They have to be less than a ring has.
var pasts = [...]uint{3, 7, 14, 24}

// pastPowers are powers of pastBase, as many as pasts.
var pastPowers = func() (p [len(pasts)]uint64) {
	for i, n := range pasts {
		p[i] = 1
		for range n {
			p[i] *= pastBase
		}
	}
	return p
}()

// add adds an event: the step that is productive, counted from 1, or 0 of Back, and the
// choice of the state.
func (p *past) add(step, choice uint64) {
	x := mix(step<<1|choice, pastBase)
	for i, n := range &pasts {
		p.hashes[i] = p.hashes[i]*pastBase + x - p.ring[(p.at-n)%uint(len(p.ring))]*pastPowers[i]
	}
	p.ring[p.at%uint(len(p.ring))] = x
	p.at++
}
