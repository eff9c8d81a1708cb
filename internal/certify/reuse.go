package certify

import (
	"crypto/ed25519"
	"slices"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/progcache"
	"github.com/heddle-mc/heddle/internal/reuse"
)

// tellsLines are natives that tell a program positions in its source.
var tellsLines = []string{"runtime.Caller", "runtime.Callers", "runtime.callers", "runtime.FuncForPC", "runtime.Stack", "runtime.CallersFrames"}

// A Reuse is a certificate of a program as it was, from which it follows what of the
// changed program need not be searched.
type Reuse struct {
	Difference Difference

	known execute.Known
	plan  *reuse.Plan
}

// NewReuse looks whether a certificate can say anything about a program. If not, why says
// why everything has to be searched. The program runs in the folder of its settings.
func NewReuse(r *cert.Reader, p *Program, reduce bool) (u *Reuse, why string, err error) {
	if why, err = unsigned(r); why != "" || err != nil {
		return nil, why, err
	}
	d, why := p.changed(r, reduce)
	if why != "" {
		return nil, why, nil
	}
	u = &Reuse{Difference: d}
	if u.plan, err = reuse.NewPlan(r, func(fn uint32) bool { return d.Numbers[fn] }); err != nil {
		return nil, "", err
	}
	if u.plan.Useless() {
		return nil, d.String() + ", which the start executes", nil
	}
	if u.plan.Outside {
		return nil, "the program looks at files of the host", nil
	}
	u.known, err = execute.ParseKnown(cert.Lookup(r.Header.Settings, assumeName), cert.Lookup(r.Header.Settings, viewsName))
	return u, "", err
}

// unsigned says why a certificate is not to be believed: what it says of the graph is not examined, so it has to be
// one that this user has written.
func unsigned(r *cert.Reader) (why string, err error) {
	if !r.HasGraph() || !bound(&r.Header) {
		return "the certificate has no graph: write it with -cert-graph", nil
	}
	key, err := OwnKey()
	if err != nil {
		return "", err
	}
	if !r.SignedBy(key.Public().(ed25519.PublicKey)) {
		return "the certificate is not signed with the key of this user, so it is not believed", nil
	}
	return "", nil
}

// changed returns what has changed since the certificate was written. If that is more than
// the bodies of functions, or the certificate has no graph, why says so.
func (p *Program) changed(r *cert.Reader, reduce bool) (d Difference, why string) {
	if r.Header.Kind != cert.Full {
		return d, "the certificate has the way to each state only"
	}
	own := p.Header("", reduce)
	with := slices.DeleteFunc(slices.Clone(r.Header.Settings), func(p cert.Pair) bool { return p.Name == assumeName || p.Name == viewsName })
	if r.Header.Reduce != own.Reduce || !slices.Equal(with, own.Settings) || !slices.Equal(r.Header.Properties, own.Properties) {
		return d, "the certificate has other settings"
	}
	for _, p := range []cert.Pair{{Name: codeFolder, Value: p.Settings.Root}, {Name: codeHeddle, Value: progcache.BuildID()}} {
		if p.Value == "" || cert.Lookup(r.Header.Program, p.Name) != p.Value {
			return d, "the certificate is of another " + p.Name
		}
	}
	code := CodeOf(p.Code.Bytecode)
	if d = code.Differ(&r.Header, p.Code.Bytecode.Strings); d.Why != "" {
		return d, d.String()
	}
	if d.Lines {
		for _, fn := range code.Functions {
			if slices.Contains(tellsLines, fn.Name) {
				return d, "positions in the source have changed, and " + fn.Name + " tells them"
			}
		}
	}
	return d, ""
}

// Search searches what the certificate does not prove. Without a result everything has to be
// searched, and why says why.
func (u *Reuse) Search(p *Program, reduce bool, stop func() bool) (res *reuse.Result, why string, err error) {
	settings := p.Settings
	settings.Known = u.known
	sys, err := p.Code.NewSystem(p.Process, settings)
	if err != nil {
		return nil, "", err
	}
	defer check.CloseSystem(sys)
	res, err = u.plan.Search(sys, reduce, stop)
	switch {
	case err != nil:
		return nil, err.Error(), nil
	case res.Found:
		return nil, "something is wrong, or a bound was met", nil
	case check.Held(check.FoundIn([]lts.System{sys})):
		return nil, "timers wait for goroutines that can run, and may do so forever", nil
	case guessesHold(u.known, check.FoundIn([]lts.System{sys})) != nil:
		return nil, "reduction may assume less than before", nil
	case looksOutside(sys):
		return nil, "the program looks at files of the host now", nil
	}
	return res, "", nil
}

// looksOutside reports whether the program has looked at files of the host.
func looksOutside(sys lts.System) bool {
	s, ok := sys.(interface{ Outside() bool })
	return !ok || s.Outside()
}
