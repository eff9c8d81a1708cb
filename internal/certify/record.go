package certify

import (
	"bufio"
	"crypto/ed25519"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/model"
)

// A Recording writes a certificate of what a search sees. It has a name only when it
// is finished, so there is never a file of that name with half a certificate.
type Recording struct {
	Header cert.Header

	name     string
	graph    bool
	key      ed25519.PrivateKey // that signs it, or nil
	file     *os.File
	out      *bufio.Writer
	recorder *cert.Recorder
}

// Create begins a certificate that is to have a name. The caller discards it in the end,
// finished or not.
func Create(name string, h cert.Header) (*Recording, error) {
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, diag.Usagef("-cert: %s is there and is no regular file", name) // a device would be replaced
	}
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return nil, diag.Usagef("-cert: %v", err)
	}
	return &Recording{Header: h, name: name, file: file}, nil
}

// Graph has the graph recorded, and what each step of the program executes, for [NewReuse], which believes
// what the user's own key has signed. The program runs in the folder root.
func (r *Recording) Graph(prog *bytecode.Program, root string) (err error) {
	r.graph = true
	addGraph(&r.Header, CodeOf(prog), root)
	r.key, err = OwnKey()
	return err
}

// Search searches a program. What reduction may assume is part of the header, so the
// file begins anew with each try.
func (r *Recording) Search(run *check.Task) (*check.Outcome, error) {
	run.Begin = func(o *explore.Options, known execute.Known) error {
		h := r.Header
		h.Settings = append(slices.Clone(h.Settings), cert.Pair{Name: assumeName, Value: known.Text()}, cert.Pair{Name: viewsName, Value: known.Views.String()})
		return r.begin(o, h)
	}
	return run.Search()
}

// SearchModel searches a model.
func (r *Recording) SearchModel(m *model.Systems, o explore.Options) (*explore.Result, error) {
	if err := r.begin(&o, r.Header); err != nil {
		return nil, err
	}
	return explore.Run(m.New, o)
}

// begin makes a search one with a recorder that writes to the file from its beginning.
func (r *Recording) begin(o *explore.Options, h cert.Header) error {
	if err := r.file.Truncate(0); err != nil {
		return err
	}
	if _, err := r.file.Seek(0, 0); err != nil {
		return err
	}
	r.out = bufio.NewWriter(r.file)
	w, err := cert.NewWriter(r.out, h)
	if err != nil {
		return err
	}
	r.recorder = cert.NewRecorder(w)
	if r.graph {
		r.recorder.Graph()
	}
	if o.Observer == nil {
		o.Observer = r.recorder
	} else {
		o.Observer = watched{r.recorder, o.Observer}
	}
	return nil
}

// A watched recorder has somebody else who sees what it sees.
type watched struct {
	*cert.Recorder
	also explore.Observer
}

func (w watched) State(sys lts.System, digest []byte, depth int) {
	w.Recorder.State(sys, digest, depth)
	w.also.State(sys, digest, depth)
}

func (w watched) Step(sys lts.System, from, to []byte, s lts.Step, l lts.Label) {
	w.Recorder.Step(sys, from, to, s, l)
	w.also.Step(sys, from, to, s, l)
}

// Prove adds the evidence of formulas.
func (r *Recording) Prove(list []model.Proof) error {
	for _, p := range list {
		data, err := p.Evidence()
		if err != nil {
			return err
		}
		r.recorder.Evidence(p.Hash, data)
	}
	return nil
}

// Written is told of each file that has got its name, if it is not nil. Tests have all certificates examined a second time.
var Written func(name string)

// Finish ends the file and gives it its name.
func (r *Recording) Finish(traffic []byte) error {
	err := r.recorder.Close(traffic)
	if err == nil {
		err = r.out.Flush()
	}
	if err == nil && r.key != nil {
		err = r.sign()
	}
	if err == nil {
		err = r.file.Chmod(0o644)
	}
	if cerr := r.file.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(r.file.Name(), r.name)
	}
	if err == nil && Written != nil {
		Written(r.name)
	}
	return err
}

// sign appends a signature to what was written.
func (r *Recording) sign() error {
	size, err := r.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	c, err := cert.Open(r.file, size)
	if err != nil {
		return err
	}
	_, err = r.file.Write(cert.Sign(c, r.key))
	return err
}

// Discard removes what was not finished.
func (r *Recording) Discard() {
	r.file.Close()
	os.Remove(r.file.Name())
}
