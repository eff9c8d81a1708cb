package distribute

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/queue"
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
	Check     certcheck.Options // its seed is one that the author of the certificate cannot know
	// Found reads what the system of a worker has found out about the assumptions of
	// the reduction. An error says that it is none.
	Found func(text string) error

	Recheck float64 // share of the parts that are examined here, too
	Secret  uint64  // decides which ones these are; nobody else knows it
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
	d := &certCoordinator{Certificate: c, r: r, check: c.Check, all: certcheck.NewCollector(c.Trustful), done: map[int]claim{}}
	d.check.Workers, d.check.Progress = 1, nil
	var err error
	if d.parts, err = newSpool(); err != nil {
		return nil, err
	}
	defer d.parts.close()
	if err := d.cut(text.Slice); err != nil {
		return nil, err
	}
	d.coordinator = coordinator{
		o: o, text: text,
		total: len(d.parts.kept),
		put:   d.put, ready: func() { d.check.Seed = d.text.Seed }, add: d.addParts, number: partNumber, take: d.takePart, finish: d.finishParts,
	}
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
//   - some parts, which nobody can know in advance, are examined here as well.
type certCoordinator struct {
	coordinator
	*Certificate
	r     *cert.Reader
	check certcheck.Options

	parts *spool // as they were cut here
	all   *certcheck.Collector
	done  map[int]claim
	sys   lts.System // one's own, made when it is needed
	res   *certcheck.Result
}

// A claim is what a worker said about a part: the hash of its result.
type claim struct {
	worker string
	sum    [sha256.Size]byte
}

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
// against them, but there are to be many, since one that is lost is done again.
func distributedSlice(c cert.Counts) uint64 {
	size := max(c.Transitions/128, 1<<12, 8*uint64(c.Depth))
	return min(size, c.Transitions/4+1)
}

// cut cuts the certificate into parts, which are kept here: those in the queue are for
// workers, and may be others by now.
func (d *certCoordinator) cut(slice uint64) error {
	return d.r.Slices(slice, func(p *cert.Part) error { return d.parts.put(p.Number, p.Append(nil)) })
}

// addParts adds all parts that have no result yet. Those that wait are not added
// twice.
func (d *certCoordinator) addParts(ctx context.Context, answered map[string]bool) error {
	for n := 1; n <= d.total; n++ {
		name := partName(n)
		if answered[name] {
			continue
		}
		data, err := d.parts.get(n)
		if err != nil {
			return err
		}
		if err := d.job.Put(ctx, name, bytes.NewReader(data)); err != nil {
			return ofQueue(err)
		}
		if err := d.job.Add(ctx, name, nil); err != nil {
			return ofQueue(err)
		}
	}
	return nil
}

// part returns a part of one's own.
func (d *certCoordinator) part(n int) (*cert.Part, error) {
	data, err := d.parts.get(n)
	if err != nil {
		return nil, err
	}
	return cert.ReadPart(data)
}

// takePart looks at the result of a part and adds it.
func (d *certCoordinator) takePart(ctx context.Context, r queue.Result) error {
	n := partNumber(r.Task)
	if r.Failed != "" {
		return diag.Incompletef("part %d is given up: %s", n, r.Failed)
	}
	p, err := d.part(n)
	if err != nil {
		return err
	}
	res, err := d.judge(p, r)
	if err != nil {
		return err
	}
	d.done[n] = claim{r.Worker, sha256.Sum256(res.Append(nil))}
	if err := d.all.Add(res); err != nil {
		return d.blame(ctx, err)
	}
	if len(d.done) == d.total || len(res.Findings) > 0 && !d.check.All {
		return errDone
	}
	return nil
}

// finishParts puts the results together.
func (d *certCoordinator) finishParts(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	if d.res, err = d.all.Result(d.r); err != nil {
		return d.blame(ctx, err)
	}
	return nil
}

// judge returns the result of a part that counts.
func (d *certCoordinator) judge(p *cert.Part, r queue.Result) (*certcheck.PartResult, error) {
	e, err := readEnvelope(r.Data)
	if err != nil {
		return nil, errLie(r.Worker, p.Number, "%v", err)
	}
	if mine, err := d.parts.get(p.Number); err != nil {
		return nil, err
	} else if sum := sha256.Sum256(mine); !bytes.Equal(sum[:], e.Part) {
		d.view.Say(fmt.Sprintf("worker %s was given another part %d than this one: it is examined here", r.Worker, p.Number))
		return d.own(p)
	}
	if e.Failure != "" {
		if _, err := d.own(p); err != nil {
			return nil, err
		}
		return nil, errLie(r.Worker, p.Number, "it says %q, which is not so", e.Failure)
	}
	res, err := certcheck.ReadPartResult(e.Result, d.r.Counts.States)
	if err != nil {
		return nil, errLie(r.Worker, p.Number, "%v", err)
	}
	if e.Found != "" {
		if err := d.Found(e.Found); err != nil {
			return nil, errLie(r.Worker, p.Number, "%v", err)
		}
	}
	if len(res.Findings) > 0 {
		// Where files lie is another place there, so it is one's own words that count.
		own, err := d.own(p)
		if err == nil && len(own.Findings) == 0 {
			err = errLie(r.Worker, p.Number, "it says %q, which is not so", res.Findings[0].Error())
		}
		return own, err
	}
	if err := res.Accounts(p, d.text.Trustful); err != nil {
		return nil, errLie(r.Worker, p.Number, "%v", err)
	}
	if chosen(d.Secret, d.Recheck, p.Number) {
		own, err := d.own(p)
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(own.Append(nil), e.Result) {
			return nil, d.lied(r.Worker, p.Number, own)
		}
	}
	return res, nil
}

// lied says what is wrong with a result, by what was found here.
func (d *certCoordinator) lied(worker string, part int, own *certcheck.PartResult) error {
	if len(own.Findings) > 0 {
		return errLie(worker, part, "it does not say %q", own.Findings[0].Error())
	}
	return errLie(worker, part, "it came to other states than this process does")
}

// own examines a part here.
func (d *certCoordinator) own(p *cert.Part) (*certcheck.PartResult, error) {
	if d.sys == nil {
		var err error
		if d.sys, err = d.NewSystem(); err != nil {
			return nil, err
		}
	}
	return certcheck.CheckPart(p, d.sys, d.r.Header.Reduce, d.text.Trustful, d.check)
}

// blame finds out why parts do not fit together: because of the certificate, which
// is then refused for it, or because a worker was wrong about a part that has one of
// the states.
func (d *certCoordinator) blame(ctx context.Context, why error) error {
	var dev *certcheck.Deviation
	if !errors.As(why, &dev) {
		return why
	}
	var numbers []int
	for n := range d.done {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	for _, n := range numbers {
		p, err := d.part(n)
		if err != nil {
			return err
		}
		if len(dev.States) > 0 && !certcheck.Knows(p, dev.States) {
			continue
		}
		own, err := d.own(p)
		if err != nil {
			return err
		}
		if c := d.done[n]; sha256.Sum256(own.Append(nil)) != c.sum {
			if len(own.Findings) == 0 && len(dev.States) > 0 {
				return errLie(c.worker, n, "it is wrong about one of the states %d", dev.States)
			}
			return d.lied(c.worker, n, own)
		}
	}
	return why
}

// chosen reports whether a part is among the share that is examined twice. Who does
// not know the secret cannot know which ones are.
func chosen(secret uint64, share float64, part int) bool {
	var b [16]byte
	binary.LittleEndian.PutUint64(b[:], secret)
	binary.LittleEndian.PutUint64(b[8:], uint64(part))
	sum := sha256.Sum256(b[:])
	return float64(binary.LittleEndian.Uint64(sum[:])>>11)/(1<<53) < share
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
