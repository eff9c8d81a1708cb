package certify

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/plain"
)

// Options say how a certificate is examined.
type Options struct {
	File     string // the certificate
	Workers  int
	Trustful bool // go to each state once and believe that there are no others
	All      bool // go on after the first finding
	Stop     func() bool
	Tags     []string // with which the program was built, for workers elsewhere
	Others   *Others  // who examine the parts, nil for nobody
	Results  *Results // of parts that others have examined, nil for none
	known    execute.Known
	observe  func(from, to uint32, s lts.Step, l lts.Label) // is told each transition, if it is not nil
}

// Others are workers elsewhere, who examine parts of a certificate.
type Others struct {
	Options *distribute.Options
	Heddle  string // the version
	Slice   uint64 // how many transitions a part has; 0 means some thousands

	Assurance distribute.Assurance // how sure it is to be that they have not lied
}

// examine examines a certificate: here, or by handing it to others. What their systems
// have found out about the assumptions of the reduction is in found.
func (o *Options) examine(ctx context.Context, r *cert.Reader, newSystem func() (lts.System, error), job distribute.Job) (res *certcheck.Result, found []*execute.Found, err error) {
	if !o.elsewhere() {
		res, err = certcheck.Check(r, newSystem, o.Trustful, o.check())
		return res, nil, err
	}
	c := &distribute.Certificate{
		File: o.File, Reader: r, NewSystem: newSystem, Trustful: o.Trustful, Check: o.check(),
		Found: func(text string) (news bool, err error) {
			f := new(execute.Found)
			if err := json.Unmarshal([]byte(text), f); err != nil {
				return false, err
			}
			if _, news = o.known.Learn(f); !news {
				found = append(found, f)
			}
			return news, nil
		},
	}
	if o.Results != nil {
		c.Assurance = o.Results.Assurance
		res, err = distribute.Collect(c, o.Results.List, job, distribute.Quiet(o.Results.Say))
		return res, found, err
	}
	job.Heddle, job.Slice, c.Assurance = o.Others.Heddle, o.Others.Slice, o.Others.Assurance
	res, err = distribute.Examine(ctx, o.Others.Options, c, job)
	return res, found, err
}

// elsewhere reports whether others examine parts, so that this process has not seen all.
func (o *Options) elsewhere() bool { return o.Others != nil || o.Results != nil }

// check returns how parts are examined here.
func (o *Options) check() certcheck.Options {
	return certcheck.Options{Seed: unknownSeed(), Workers: o.Workers, All: o.All, Interrupt: o.Stop, Observe: o.observe}
}

// unknownSeed returns a number that the author of a certificate cannot know.
func unknownSeed() uint64 {
	var b [8]byte
	rand.Read(b[:]) // it does not fail
	return binary.LittleEndian.Uint64(b[:])
}

// LoadModel returns the model of a certificate, which is in a file. What is looked for in it is
// not the certificate's affair.
func LoadModel(r *cert.Reader, file string, look model.Spec, workers int) (*model.Systems, error) {
	of, err := ReadModelSpec(r)
	if err != nil {
		return nil, err
	}
	s := &look
	s.Passes = of.Passes
	if err := s.Keeps(); err != nil {
		return nil, Refuse(diag.Usagef("it is about a model that was transformed: %v (check -cert -invariant writes one for invariants)", err))
	}
	m, err := model.Load(file, s.Passes)
	if err != nil {
		return nil, err
	}
	if want := cert.Lookup(r.Header.Program, identityName); want != m.Identity() {
		return nil, Refuse(diag.Usagef("it is about another model: %s, and not %s", plain.Word(want), m.Identity()))
	}
	if err := s.Fits(m); err != nil {
		return nil, err
	}
	return model.Prepare(m, s, workers)
}

// ExamineModel follows a certificate with a model. The job has what was asked for
// besides, for workers elsewhere.
func ExamineModel(ctx context.Context, r *cert.Reader, m *model.Systems, o Options, job distribute.Job) (*certcheck.Result, error) {
	if o.Results != nil {
		job.Properties = m.Spec.Looked()
	}
	if len(m.Spec.Formulas) == 0 {
		res, _, err := o.examine(ctx, r, m.New, job)
		return res, Refuse(err)
	}
	if o.elsewhere() || o.Workers > 1 || o.Trustful {
		return nil, diag.Usagef("-formula is about the whole graph: leave out -workers, -trustful, -distribute, -part and -results")
	}
	w := m.Witness()
	o.observe = w.Observe
	res, _, err := o.examine(ctx, r, m.New, job)
	if err == nil && len(res.Findings) == 0 {
		err = w.Verify(res.Counts.States, func(hash [sha256.Size]byte) ([]byte, bool, error) { return r.Evidence(hash) })
	}
	return res, Refuse(err)
}
