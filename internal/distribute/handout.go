package distribute

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/queue"
)

// Parts can be handed out as files, too, without any queue. Who cuts a certificate draws a seed, and gives
// a ticket with each part, which comes back with its result: it is sealed by a key that nobody else has, so a
// result of another seed, or of another certificate, is not taken. What results say is judged as that of workers.

// A Ticket goes with a part that is handed out, and comes back with its result.
type Ticket struct {
	Digest string `json:"certificate"`
	Seed   uint64 `json:"seed"`  // of fingerprints: nobody knew it before
	Parts  int    `json:"parts"` // how many were asked for
	Greedy bool   `json:"greedy,omitempty"`
	Seal   []byte `json:"seal"`
}

// NewTicket returns the ticket of all parts that a certificate is cut into.
func NewTicket(r *cert.Reader, parts int, greedy bool, seed uint64, key []byte) *Ticket {
	t := &Ticket{Digest: hex.EncodeToString(r.Digest[:]), Seed: seed, Parts: parts, Greedy: greedy}
	t.Seal = t.seal(key)
	return t
}

// ReadTicket reads what Bytes has written.
func ReadTicket(data []byte) (*Ticket, error) {
	t := new(Ticket)
	if err := json.Unmarshal(data, t); err != nil || t.Parts < 1 {
		return nil, diag.Usagef("its ticket cannot be read")
	}
	return t, nil
}

// Bytes returns a ticket as it is written.
func (t *Ticket) Bytes() []byte {
	data, _ := json.Marshal(t) // texts and numbers can be written
	return data
}

func (t *Ticket) seal(key []byte) []byte {
	own := *t
	own.Seal = nil
	m := hmac.New(sha256.New, key)
	m.Write(own.Bytes())
	return m.Sum(nil)
}

// Cut cuts a certificate as a ticket says.
func (t *Ticket) Cut(r *cert.Reader, emit func(*cert.Part) error) error {
	if !t.Greedy {
		return r.Cut(t.Parts, emit)
	}
	parts, err := r.Parts(r.Subgraphs.Greedy(t.Parts, r.Counts.Transitions))
	for i := 0; i < len(parts) && err == nil; i++ {
		err = emit(parts[i])
	}
	return err
}

// magicResult begins a result that is a file.
const magicResult = "heddle result 1"

// A handed is what a result in a file says besides the result, in a line of JSON.
type handed struct {
	Ticket     *Ticket  `json:"ticket"`
	Number     int      `json:"number"`
	Properties []string `json:"properties"` // that were looked for
}

// ExaminePart examines a part that was handed out. It returns what it found and, as bytes for who handed it out,
// the result. Found tells what the system has found out about the assumptions of its reduction.
func ExaminePart(f *cert.PartFile, t *Ticket, sys lts.System, properties []string, found func() string, o certcheck.Options) (*certcheck.PartResult, []byte, error) {
	if f.Part.Kind == cert.Tree || f.Header.Kind == cert.Tree {
		return nil, nil, diag.Usagef("the certificate has the way to each state only: its parts cannot be examined")
	}
	o.Seed = t.Seed
	res, err := certcheck.CheckPart(f.Part, sys, f.Header.Reduce, false, o)
	if err != nil {
		return nil, nil, err
	}
	sum := sha256.Sum256(f.Data)
	line, _ := json.Marshal(handed{t, f.Part.Number, properties}) // texts and numbers can be written
	out := append([]byte(magicResult+"\n"), line...)
	return res, append(append(out, '\n'), envelope{Part: sum[:], Found: found(), Result: res.Append(nil)}.bytes()...), nil
}

// A Handed is a result that has come back.
type Handed struct {
	handed
	From string // who has sent it, for people
	data []byte
}

// ReadHanded reads the file of a result.
func ReadHanded(from string, data []byte) (*Handed, error) {
	first, rest, ok := bytes.Cut(data, []byte("\n"))
	line, rest, more := bytes.Cut(rest, []byte("\n"))
	h := &Handed{From: from, data: rest}
	if !ok || !more || string(first) != magicResult || json.Unmarshal(line, &h.handed) != nil || h.Ticket == nil || h.Ticket.Parts < 1 {
		return nil, diag.Usagef("it is not the result of a part, or was damaged")
	}
	return h, nil
}

// Of refuses a result that does not belong to what whoever has the key has handed out of a certificate.
func (h *Handed) Of(r *cert.Reader, key []byte) error {
	switch {
	case !hmac.Equal(h.Ticket.seal(key), h.Ticket.Seal):
		return diag.Usagef("it is not of a part that you have handed out")
	case h.Ticket.Digest != hex.EncodeToString(r.Digest[:]):
		return diag.Usagef("it is of a part of another certificate")
	}
	return nil
}

// Collect puts results together that have come back, all with one ticket: those of workers that may have lied. Parts without a result are
// examined here. In text is what they were to look for.
func Collect(c *Certificate, results []*Handed, text Job, view View) (*certcheck.Result, error) {
	r, t := c.Reader, results[0].Ticket
	if r.Header.Kind == cert.Tree || c.Trustful {
		return nil, diag.Usagef("parts that were handed out are examined to the last transition, and not on trust")
	}
	d, err := newCertCoordinator(c)
	if err != nil {
		return nil, err
	}
	defer d.close()
	d.check.Seed = t.Seed
	if err := t.Cut(r, d.keepCut); err != nil {
		return nil, err
	}
	text.All = c.Check.All
	d.coordinator = coordinator{text: text, total: len(d.parts.kept), view: view, out: map[string]bool{}}
	d.by = make([]string, d.total+1)
	answers := make([]answer, d.total+1)
	for _, h := range results {
		if h.Number < 1 || h.Number > d.total || answers[h.Number].worker != "" {
			continue
		}
		a := &answers[h.Number]
		a.worker, a.data = h.From, h.data
		switch {
		case !slices.Equal(h.Properties, text.Properties):
			a.err = fmt.Errorf("it is about other properties: %q", h.Properties)
		case int64(len(h.data)) > d.limits[h.Number]:
			a.err = fmt.Errorf("it is larger than it may be")
		}
	}
	for n := 1; n <= d.total; n++ {
		var err error
		if answers[n].worker == "" {
			view.Say(fmt.Sprintf("there is no result of part %d: it is examined here", n))
			err = d.alonePart(n)
		} else {
			err = d.takePart(n, answers[n])
		}
		view.Ended(n - 1)
		if err == errDone {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if err := d.finishParts(nil); err != nil {
		return nil, err
	}
	return d.res, nil
}

// Quiet is a view that shows only what is said.
type Quiet func(text string)

func (Quiet) Told(int, queue.Progress) {}
func (Quiet) Ended(int)                {}

// Say says something.
func (q Quiet) Say(text string) { q(text) }

// Clear ends nothing.
func (Quiet) Clear() {}
