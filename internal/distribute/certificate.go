package distribute

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// certificateBlob is where workers find the certificate.
const certificateBlob = "certificate"

func partName(n int) string { return "part-" + strconv.Itoa(n) }

// partNumber returns the number of a part by its name, 0 if there is none.
func partNumber(name string) int {
	n, _ := strconv.Atoi(strings.TrimPrefix(name, "part-"))
	return n
}

// A Certificate is one that others examine.
type Certificate struct {
	File      string // where it is
	Reader    *cert.Reader
	NewSystem func() (lts.System, error) // makes a system of this process
	Trustful  bool
	Check     certcheck.Options // with how many systems parts are examined here
	// Found reads what the system of a worker has found out about the assumptions of
	// the reduction. News say that they do not hold, which is not believed. An error says
	// that it cannot be read.
	Found func(text string) (news bool, err error)

	Assurance Assurance

	below func(n int) int // draws the parts that are examined here, nil for unforeseen
}

// Examine has a certificate examined by others. In text is what workers have to know
// of the program. It ends early if ctx does.
func Examine(ctx context.Context, o *Options, c *Certificate, text Job) (*certcheck.Result, error) {
	r := c.Reader
	if r.Header.Kind == cert.Tree && !c.Trustful {
		return nil, diag.Usagef("the certificate has the way to each state only: it can be examined by who trusts it, or not at all")
	}
	text.Kind, text.Identity = kindCertify, cert.Lookup(r.Header.Program, "identity")
	text.Digest = hex.EncodeToString(r.Digest[:])
	text.All, text.Trustful = c.Check.All, c.Trustful
	if text.Slice == 0 {
		text.Slice = distributedSlice(r.Counts)
	}
	d, err := newCertCoordinator(c)
	if err != nil {
		return nil, err
	}
	defer d.close()
	if err := r.Slices(text.Slice, d.keepCut); err != nil {
		return nil, err
	}
	d.coordinator = coordinator{
		o: o, text: text, total: len(d.parts.kept),
		put: d.put, ready: func() { d.check.Seed = d.text.Seed }, name: partName, number: partNumber, limit: func(n int) int64 { return d.limits[n] }, keep: d.keepPart,
		take: d.takePart, alone: d.alonePart, finish: d.finishParts,
	}
	d.by = make([]string, d.total+1)
	err = d.run(ctx)
	var stopped errInterrupted
	if errors.As(err, &stopped) {
		err = diag.Incompletef("%v; the certificate was not examined to its end", err)
	}
	if err != nil {
		return nil, err
	}
	return d.res, nil
}

// A certCoordinator has the parts of one certificate examined by others. What they
// say is not believed as such:
//
//   - that a part is not in order, or has a finding, is examined here, and it is what
//     was found here that counts;
//   - a result has to have the fingerprints of all states of its part, and they have
//     to be those of all other parts; where they are not, it is found out here who
//     was wrong;
//   - when all results are there some parts are drawn and examined here as well.
//
// A worker that was wrong once is out, and all parts that it has done are examined here.
type certCoordinator struct {
	coordinator
	*Certificate
	r     *cert.Reader
	check certcheck.Options

	parts   *spool          // as they were cut here
	limits  map[int]int64   // how large results of parts may be
	results *spool          // of parts, as they count now
	by      []string        // who has said so, by the number of the part: "" for nobody
	ended   int             // so many parts have a result
	found   bool            // a part has findings, which were found here
	suspect map[string]bool // workers that say that assumptions do not hold
	systems []lts.System    // one's own, made when they are needed
	res     *certcheck.Result
}

// newCertCoordinator returns one that has no parts yet.
func newCertCoordinator(c *Certificate) (*certCoordinator, error) {
	d := &certCoordinator{Certificate: c, r: c.Reader, check: c.Check, suspect: map[string]bool{}, limits: map[int]int64{}}
	d.check.Workers, d.check.Progress = 1, nil
	if d.below == nil {
		d.below = unforeseen
	}
	var err error
	if d.parts, err = newSpool(); err != nil {
		return nil, err
	}
	if d.results, err = newSpool(); err != nil {
		d.parts.close()
		return nil, err
	}
	return d, nil
}

// close removes what was kept.
func (d *certCoordinator) close() {
	d.parts.close()
	d.results.close()
}

// here is who has examined a part that was examined in this process. No worker has the name.
const here = "here"

// put keeps the certificate for all.
func (d *certCoordinator) put(ctx context.Context) error {
	f, err := os.Open(d.File)
	if err != nil {
		return err
	}
	defer f.Close()
	return d.job.Put(ctx, certificateBlob, f)
}

// distributedSlice returns the size of parts. The ways to them are to be short
// against them, but there are to be many, since one that is lost is done again, and since
// the more there are the smaller is the share that is examined here.
func distributedSlice(c cert.Counts) uint64 {
	size := max(c.Transitions/512, 1<<12, 8*uint64(c.Depth))
	return min(size, c.Transitions/4+1)
}

// keepCut keeps a part that was cut: those in the queue are for workers, and may be others by now.
func (d *certCoordinator) keepCut(p *cert.Part) error {
	// A transition to another part has at most 25 bytes, and a state 21. How many
	// transitions there are is known to within a block; findings have the rest.
	d.limits[p.Number] = 8<<20 + 64*int64(uint64(p.Steps())+p.Transitions)
	return d.parts.put(p.Number, p.Append(nil))
}

// keepPart keeps a part for workers.
func (d *certCoordinator) keepPart(ctx context.Context, n int) error {
	data, err := d.parts.get(n)
	if err != nil {
		return err
	}
	return ofQueue(d.job.Put(ctx, partName(n), bytes.NewReader(data)))
}

// part returns a part of one's own.
func (d *certCoordinator) part(n int) (*cert.Part, error) {
	data, err := d.parts.get(n)
	if err != nil {
		return nil, err
	}
	return cert.ReadPart(data)
}

// takePart looks at what is said about a part.
func (d *certCoordinator) takePart(n int, a answer) error {
	switch {
	case a.err != nil:
		d.view.Say(fmt.Sprintf("the result of part %d does not count: %v: it is examined here", n, a.err))
	case !d.out[a.worker]:
		said, err := d.judge(n, a)
		if err != nil {
			return err
		}
		if said == nil {
			break
		}
		if err := d.results.put(n, said); err != nil {
			return err
		}
		d.by[n] = a.worker
	}
	return d.alonePart(n)
}

// alonePart examines a part here if it has no result yet, and says whether it was the last
// one.
func (d *certCoordinator) alonePart(n int) error {
	if d.by[n] == "" {
		if _, err := d.own(n); err != nil {
			return err
		}
	}
	if d.ended++; d.ended == d.total || d.found && !d.check.All {
		return errDone
	}
	return nil
}

// judge returns the result of a part if it may be believed. If not, the part was examined
// here, or is to be.
func (d *certCoordinator) judge(n int, a answer) ([]byte, error) {
	lie := func(format string, args ...any) ([]byte, error) {
		d.expel(a.worker, n, format, args...)
		return nil, nil
	}
	e, err := readEnvelope(a.data)
	if err != nil {
		return lie("%v", err)
	}
	mine, err := d.parts.get(n)
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(mine); !bytes.Equal(sum[:], e.Part) {
		d.view.Say(fmt.Sprintf("worker %s was given another part %d than this one: it is examined here", a.worker, n))
		return nil, nil
	}
	if e.Failure != "" {
		if _, err := d.own(n); err != nil {
			return nil, err
		}
		return lie("it says %q, which is not so", e.Failure)
	}
	res, err := certcheck.ReadPartResult(e.Result, d.r.Counts.States)
	if err != nil {
		return lie("%v", err)
	}
	if e.Found != "" {
		news, err := d.Found(e.Found)
		if err != nil {
			return lie("%v", err)
		}
		if news {
			d.suspect[a.worker] = true
		}
	}
	if len(res.Findings) > 0 {
		// Where files lie is another place there, so it is one's own words that count.
		own, err := d.own(n)
		if err == nil && len(own.Findings) == 0 {
			return lie("it says %q, which is not so", res.Findings[0].Error())
		}
		return nil, err
	}
	p, err := d.part(n)
	if err != nil {
		return nil, err
	}
	if err := res.Accounts(p, d.text.Trustful); err != nil {
		return lie("%v", err)
	}
	return e.Result, nil
}

// own examines a part here. What was said about it before does not count any more.
func (d *certCoordinator) own(n int) (*certcheck.PartResult, error) {
	res, err := d.examine([]int{n})
	if err != nil {
		return nil, err
	}
	return res[0], d.keepOwn(n, res[0])
}

// keepOwn keeps what was found out here.
func (d *certCoordinator) keepOwn(n int, res *certcheck.PartResult) error {
	d.by[n], d.found = here, d.found || len(res.Findings) > 0
	return d.results.put(n, res.Append(nil))
}

// examine examines parts, each with a system of its own.
func (d *certCoordinator) examine(list []int) ([]*certcheck.PartResult, error) {
	results, errs := make([]*certcheck.PartResult, len(list)), make([]error, len(list))
	for len(d.systems) < len(list) {
		sys, err := d.NewSystem()
		if err != nil {
			return nil, err
		}
		d.systems = append(d.systems, sys)
	}
	var running sync.WaitGroup
	for i, n := range list {
		p, err := d.part(n)
		if err != nil {
			return nil, err
		}
		running.Go(func() {
			results[i], errs[i] = certcheck.CheckPart(p, d.systems[i], d.r.Header.Reduce, d.text.Trustful, d.check)
		})
	}
	running.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// An envelope is what a worker gives back for a part: what its system has found out
// about assumptions, and the result, or why there is none.
type envelope struct {
	Failure string `json:"failure,omitempty"`
	Found   string `json:"found,omitempty"` // see Programs
	Part    []byte `json:"part"`            // hash of the part that was examined
	Result  []byte `json:"-"`               // follows in the next line
}

func (e envelope) bytes() []byte {
	line, _ := json.Marshal(e) // texts can be written
	return append(append(line, '\n'), e.Result...)
}

func readEnvelope(data []byte) (e envelope, err error) {
	line, rest, ok := bytes.Cut(data, []byte("\n"))
	if !ok || json.Unmarshal(line, &e) != nil {
		return e, fmt.Errorf("it cannot be read")
	}
	e.Result = rest
	return e, nil
}
