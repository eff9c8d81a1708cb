package execute

import (
	"math/bits"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Stand tells of the current state what a search for loops has to know.
func (s *System) Stand(st *lts.Stance) {
	reset(st)
	s.stand(st, 0, s.m.Held())
}

func reset(st *lts.Stance) {
	*st = lts.Stance{Able: st.Able[:0], Owed: st.Owed[:0]}
}

// promiseBits is how many promises a process has at most.
const promiseBits = 64

// stand adds a process to what is known of the state. Number is its number. If the clock is held back by goroutines that go on, as time is
// looked at, nothing is known of what would be if it were not.
func (s *System) stand(st *lts.Stance, number int, held bool) {
	st.Outside = st.Outside || held && s.m.Due()
	able := len(st.Able)
	st.Able = s.m.Able(st.Able, st.Actors, held)
	st.Actors += 1 + len(s.m.Goroutines())
	if s.settings.Properties.On(Liveness) {
		for b := s.m.Owed(); b != 0; b &= b - 1 {
			st.Owed = append(st.Owed, int32(number*promiseBits+bits.TrailingZeros64(b)))
		}
	}
	if s.m.Exit() == nil {
		st.Outside = st.Outside || s.outside()
		// Who serves does so for ever, on purpose. Beside a process that only serves others may do what they like.
		st.Over = st.Over || s.m.MainGone() || s.m.Pruned() || s.m.Serves() && (!s.joined || len(st.Able) > able)
	}
}

// outside reports whether somebody outside may still act, of whom nothing is known. Processes side by side have
// each other, but for signals.
func (s *System) outside() bool {
	return s.m.Hears() || !s.joined && (s.m.Serves() || s.m.Unmet() != nil)
}

// Move tells the same of the step just taken.
func (s *System) Move(mo *lts.Motion) {
	*mo = lts.Motion{After: s.m.Whereabouts(mo.After[:0], 0), Movers: s.m.TookPart(mo.Movers[:0], 0)}
	s.used(mo)
}

func (s *System) used(mo *lts.Motion) {
	use := s.m.Used()
	mo.Progress, mo.Look, mo.Asked = use == drive.Progress, use == drive.Look, s.m.Asked()
}

// Promise returns what is wrong if a promise is never kept.
func (s *System) Promise(n int) diag.Finding {
	return s.broken(n, "never does", "it never holds")
}

// broken says that a promise is not kept.
func (s *System) broken(n int, leads, eventually string) diag.Finding {
	fv, isLeads := s.m.Promise(n)
	f := diag.Finding{Kind: string(Liveness), Pos: s.folder.pos(s.watchPos(fv)), Message: "the condition of verify.Eventually: " + eventually}
	if isLeads {
		f.Message = "the conditions of verify.Leads: the first one holds, and then the second one " + leads
	}
	return f
}

// brokenFindings tells which promises are not kept in a state in which the program has ended, or in which nobody can move.
func (s *System) brokenFindings(dst []diag.Finding, still bool) []diag.Finding {
	owed := s.m.Owed()
	if owed == 0 || !s.settings.Properties.On(Liveness) || !s.atEnd(still) {
		return dst
	}
	for ; owed != 0; owed &= owed - 1 {
		f := s.broken(bits.TrailingZeros64(owed), "does not, up to the end", "it does not hold up to the end")
		dst = append(dst, f)
	}
	return dst
}

// atEnd reports whether the program has ended as it should, or nobody will ever move.
func (s *System) atEnd(still bool) bool {
	if e := s.m.Exit(); e != nil {
		return e.Kind == vm.ExitMain || e.Kind == vm.ExitCall && e.Code == 0
	}
	return s.m.MainGone() || still && !s.outside()
}

// Stand tells of the current state what a search for loops has to know.
func (g *Group) Stand(st *lts.Stance) {
	reset(st)
	held := g.Held()
	for i, p := range g.parts {
		p.stand(st, i, held)
	}
}

// Move tells the same of the step just taken.
func (g *Group) Move(mo *lts.Motion) {
	*mo = lts.Motion{After: mo.After[:0], Movers: mo.Movers[:0]}
	before, after := 0, 0
	for i, m := range g.ms {
		n := len(mo.After)
		mo.After = m.Whereabouts(mo.After, after)
		if i == g.last {
			mo.Movers = m.TookPart(mo.Movers, before)
		}
		before += len(mo.After) - n
		after += 1 + len(m.Goroutines())
	}
	g.parts[g.last].used(mo)
}

// Promise returns what is wrong if a promise is never kept.
func (g *Group) Promise(n int) diag.Finding {
	f := []diag.Finding{g.parts[n/promiseBits].Promise(n % promiseBits)}
	g.sign(n/promiseBits, f)
	return f[0]
}

// stay notes that a process is about to move, and that the others are not.
func (g *Group) stay(mover int) {
	if !g.parts[0].settings.Live {
		return
	}
	for i, m := range g.ms {
		if i != mover {
			m.StayAsBefore()
		}
	}
}

// circles reports whether nothing happens any more but that goroutines go around in circles: each process that can move does.
func (g *Group) circles() bool {
	moves := func(m *drive.Machine) bool { return m.Exit() == nil && (len(m.Steps()) > 0 || m.Waits()) }
	for _, m := range g.ms { // what costs little comes first
		if moves(m) && (!m.MaySpin() || m.Serves() || m.Unmet() != nil) {
			return false
		}
	}
	for _, m := range g.ms {
		if moves(m) && m.Spins() == nil {
			return false
		}
	}
	return true
}
