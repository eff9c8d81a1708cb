// Package scout finds out what a program listens to and whom it dials, and writes
// a heddle.yaml to begin with. The program is searched for a little while on
// the modelled machine, where nobody else is: what it does there touches nothing
// outside. Names and addresses that nobody knows there are made known, and the program
// is searched again, until no new ones turn up. Calls in its source
// that it did not come to are listed, too.
//
// It guesses: what a program does when others answer it does not see.
package scout

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/lts"
)

// A Sight is what was found out about a program.
type Sight struct {
	Target string   // the program as one types it
	Tests  bool     // it is no program, but has tests
	Args   []string // that it had
	Places []sockets.Place
	Itself bool   // it connects to itself, so that nobody else is needed at what it listens to
	HTTP   bool   // it serves HTTP
	Ended  string // what was wrong with it in the end, "" if nothing was
	Calls  []Call // that listen or dial, in its source
}

// Limits of a look: states of one search, and searches.
const (
	states = 2000
	rounds = 8
)

// Look searches a program as long as something new turns up, or until stop says so.
func Look(code *check.Code, spec *check.Spec, process execute.Process, stop func() bool) (*Sight, error) {
	s := &Sight{}
	if code.Bytecode != nil {
		for i := range code.Bytecode.Funcs {
			s.HTTP = s.HTTP || code.Bytecode.Funcs[i].Name == "net/http.(*Server).Serve"
		}
	}
	own := spec.Clone()
	known := map[string]string{} // addresses that stand for names
	for range rounds {
		met, ended, err := search(code, own, process, stop)
		if err != nil {
			return nil, err
		}
		s.Itself, s.Ended = s.Itself || met.Connected(), ended
		fresh := false
		for _, p := range met.Places() {
			if name, ok := known[p.Host]; ok {
				p.Host = name
			} else if p.Net == "name" || outside(p) {
				p.Host = strings.TrimSuffix(p.Host, ".")
				at := fmt.Sprintf("127.0.3.%d", len(known)+1)
				known[at], fresh = p.Host, true
				own.Peers.Hosts = append(own.Peers.Hosts, p.Host+"="+at)
			}
			if !slices.Contains(s.Places, p) {
				s.Places = append(s.Places, p)
			}
		}
		if !fresh || stop() {
			break
		}
	}
	s.tidy()
	return s, nil
}

// outside reports whether a process wanted to reach another machine.
func outside(p sockets.Place) bool {
	return !p.Listens && p.Net != "unix" && !strings.HasPrefix(p.Host, "127.") && p.Host != "::1"
}

// tidy drops names of which more is known, and orders the others.
func (s *Sight) tidy() {
	s.Places = slices.DeleteFunc(s.Places, func(p sockets.Place) bool {
		return p.Net == "name" && slices.ContainsFunc(s.Places, func(o sockets.Place) bool { return o.Net != "name" && o.Host == p.Host })
	})
	slices.SortFunc(s.Places, sockets.Place.Compare)
}

// search searches a little.
func search(code *check.Code, spec *check.Spec, process execute.Process, stop func() bool) (*kernel.Met, string, error) {
	settings, err := spec.System()
	if err != nil {
		return nil, "", err
	}
	settings.Stop = stop
	pool := &check.Pool{Make: func() (lts.System, error) { return code.NewSystem(process, settings) }}
	defer pool.Close()
	res, err := explore.Run(pool.New, explore.Options{Strategy: explore.DepthFirst, Reduce: true, All: true, Interrupt: stop, Limits: explore.Limits{States: states}})
	if err != nil {
		return nil, "", err
	}
	met := new(kernel.Met)
	for _, sys := range pool.List {
		if x, ok := sys.(interface{ Met() *kernel.Met }); ok {
			if m := x.Met(); m != nil {
				met.Add(m)
			}
		}
	}
	ended := ""
	for _, f := range res.Findings {
		if f.Kind == string(execute.Exit) || f.Kind == string(execute.Panic) {
			f.Pos.File = filepath.Base(f.Pos.File)
			ended = f.Error()
			break
		}
	}
	return met, ended, nil
}
