package execute

import (
	"cmp"
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
// there. Settings.Stacks must be on.
func (s *System) Stacks(f diag.Finding) []lts.Stack {
	races := s.m.Races()
	if s.atStart {
		races = s.firstRaces
	}
	for _, r := range races {
		for _, g := range s.raceFinding(nil, r) {
			if g.Kind == f.Kind && g.Pos == f.Pos && g.Message == f.Message {
				first, second := s.sides(r)
				return []lts.Stack{s.stack(&first), s.stack(&second)}
			}
		}
	}
	return nil
}

// stack tells where a side of a race came from.
func (s *System) stack(x *side) lts.Stack {
	frames := s.m.StackOf(x.access)
	if x.access == (drive.Access{}) {
		frames = s.m.FramesOf(x.g)
	}
	return lts.Stack{Actor: s.actorOf(x.g, frames), Action: x.what, Frames: s.frames(frames), Started: s.frames(s.m.StartStackOf(x.g))}
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
