package execute

import (
	"cmp"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A side is one of the two sides of a race.
type side struct {
	g      *drive.G
	access drive.Access
	what   string   // read, write, or the operation before which the goroutine stands
	in     string   // the function of the library that does it, or ""
	pos    diag.Pos // in the user's code
}

// does says what is done there.
func (s *side) does() string {
	if s.in != "" {
		return s.what + " in " + s.in
	}
	return s.what
}

// sides returns both sides of a race, in an order that does not depend on who came first.
func (s *System) sides(r drive.Race) (first, second side) {
	if x, y := r.Rivals[0], r.Rivals[1]; x != drive.NoRival {
		first, second = s.rival(r.G, x), s.rival(r.H, y)
	} else {
		first, second = s.accessed(r.G, r.A), s.accessed(r.H, r.B)
	}
	if cmp.Or(second.pos.Compare(first.pos), strings.Compare(second.does(), first.does())) < 0 {
		first, second = second, first
	}
	return first, second
}

// accessed is the side of an access.
func (s *System) accessed(g *drive.G, a drive.Access) side {
	line, in := s.m.OwnLine(g, a)
	out := side{g: g, access: a, what: "read", pos: s.posOf(line)}
	if a.Write {
		out.what = "write"
	}
	if in != nil {
		out.in = in.Name
	}
	return out
}

// rival is the side of a goroutine that stands before an operation.
func (s *System) rival(g *drive.G, what drive.Rival) side {
	where := s.m.Places(g)
	if line, ok := s.m.StartOf(g); ok {
		where = append(where, line)
	}
	return side{g: g, what: what.String(), pos: s.placeOf(where)}
}

// Stacks tells where both sides of a race came from, if the finding is one of the step just taken, or of the way to the initial state
// there; who has ended the program; or who is blocked. Settings.Stacks must be on.
func (s *System) Stacks(f diag.Finding) []lts.Stack {
	races := s.m.Races()
	if s.atStart {
		races = s.firstRaces
	}
	for _, r := range races {
		if among(f, s.raceFinding(nil, r)) {
			first, second := s.sides(r)
			return []lts.Stack{s.stack(&first, f.Kind), s.stack(&second, f.Kind)}
		}
	}
	if g, frames := s.m.EndedBy(); g != nil && among(f, s.exitFinding(nil, s.m.Exit())) {
		return []lts.Stack{s.standing(g, f.Kind, frames)}
	}
	for _, g := range s.m.ByName() {
		if among(f, s.blockedFinding(s.blockedFinding(nil, Leak, g), Deadlock, g)) {
			list := []lts.Stack{s.standing(g, lts.Waits, s.m.FramesOf(g))}
			if f.Kind == string(Deadlock) {
				list = s.addStuck(list, g)
			}
			return list
		}
	}
	return nil
}

// maxStuck is of how many goroutines the stacks of a deadlock are told.
const maxStuck = 16

// addStuck adds the stacks of those who are blocked besides one.
func (s *System) addStuck(list []lts.Stack, one *drive.G) []lts.Stack {
	_, others := s.m.Stuck()
	for _, g := range others {
		if g != one && len(list) < maxStuck {
			list = append(list, s.standing(g, lts.Waits, s.m.FramesOf(g)))
		}
	}
	return list
}

// among reports whether a finding is among some.
func among(f diag.Finding, list []diag.Finding) bool {
	return slices.ContainsFunc(list, func(o diag.Finding) bool { return o.Kind == f.Kind && o.Pos == f.Pos && o.Message == f.Message })
}

// standing tells where a goroutine stands, or stood.
func (s *System) standing(g *drive.G, action string, frames []drive.Frame) lts.Stack {
	return lts.Stack{Actor: s.actorOf(g, frames), Action: action, Frames: s.frames(frames), Started: s.frames(s.m.StartStackOf(g))}
}

// stack tells where a side of a race came from, which is a finding of a kind.
func (s *System) stack(x *side, kind string) lts.Stack {
	if x.access == (drive.Access{}) {
		return s.standing(x.g, x.what, s.m.FramesOf(x.g))
	}
	out := s.standing(x.g, x.what, s.m.StackOf(x.access))
	switch {
	case kind == string(Fatal): // of a map
		out.Of = s.story.sources.collection(x.pos)
	case x.in == "":
		out.Of = s.story.sources.accessed(x.pos)
	}
	return out
}

// actorOf names a goroutine that was in some functions, by the outermost one of the program: it may have returned from that since.
func (s *System) actorOf(g *drive.G, frames []drive.Frame) string {
	if len(g.Path()) > 0 {
		for i := len(frames) - 1; i >= 0; i-- {
			if f, _, own := s.m.At(frames[i]); own {
				return s.numbered(g, f.Name)
			}
		}
	}
	return s.nameOf(g)
}

func (s *System) frames(list []drive.Frame) (out []lts.Frame) {
	for _, fr := range list {
		f, line, own := s.m.At(fr)
		if line.Line > 0 && f.Name != "runtime.main" { // that is below all of main
			out = append(out, lts.Frame{Func: f.Name, Pos: s.folder.pos(s.posOf(line)), Library: !own})
		}
	}
	return out
}
