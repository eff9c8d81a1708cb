package certify

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/model"
)

// ResultSuffix is what the names of results have behind those of their parts.
const ResultSuffix = ".result"

// maxResult bounds the file of a result.
const maxResult = 1 << 30

// partKey returns the secret that the tickets of this user's parts are sealed with.
func partKey() ([]byte, error) {
	own, err := OwnKey()
	if err != nil {
		return nil, err
	}
	seal := hmac.New(sha256.New, own.Seed())
	seal.Write([]byte("heddle parts"))
	return seal.Sum(nil), nil
}

// NewTicket returns the ticket of parts that are handed out.
func NewTicket(r *cert.Reader, parts int, greedy bool) (*distribute.Ticket, error) {
	key, err := partKey()
	if err != nil {
		return nil, err
	}
	return distribute.NewTicket(r, parts, greedy, unknownSeed(), key), nil
}

// A PartFile is a part that somebody has handed out.
type PartFile struct {
	*cert.PartFile
	Ticket *distribute.Ticket
	file   *os.File
}

// Close closes the file.
func (f *PartFile) Close() error { return f.file.Close() }

// OpenPart opens a part. It understands all of its header.
func OpenPart(name string) (*PartFile, error) {
	file, size, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	f := &PartFile{file: file}
	if f.PartFile, err = cert.OpenPart(file, size); err == nil {
		err = readable(f.Reader)
	}
	if err == nil {
		f.Ticket, err = distribute.ReadTicket(f.PartFile.Ticket)
	}
	if err != nil {
		file.Close()
		return nil, diag.Usagef("%v", err)
	}
	return f, nil
}

// ExaminePart examines a part with the program, and returns the bytes of the result for who has handed it out.
func (p *Program) ExaminePart(f *PartFile, o Options) (*Examined, []byte, error) {
	pool := &check.Pool{Make: p.New}
	defer pool.Close()
	sys, err := pool.New()
	if err != nil {
		return nil, nil, err
	}
	found := func() string {
		for _, f := range check.FoundIn(pool.List) {
			if f != nil {
				data, _ := json.Marshal(f) // numbers and strings can be written
				return string(data)
			}
		}
		return ""
	}
	res, data, err := distribute.ExaminePart(f.PartFile, f.Ticket, sys, p.Spec.Model.Properties(), found, o.check())
	if err != nil {
		return nil, nil, Refuse(err)
	}
	e := &Examined{Result: &certcheck.Result{Counts: res.Counts, Findings: res.Findings}, Bounds: p.bounds(nil)}
	for _, f := range res.Findings {
		e.Findings = append(e.Findings, explore.Found{Finding: f.Finding, Path: f.Path, View: p.Settings.Known.Views.String()})
	}
	if len(e.Findings) == 0 {
		err = guessesHold(p.Settings.Known, check.FoundIn(pool.List))
	}
	return e, data, Refuse(err)
}

// ExamineModelPart does the same with a model.
func ExamineModelPart(f *PartFile, m *model.Systems, o Options) (*certcheck.Result, []byte, error) {
	sys, err := m.New()
	if err != nil {
		return nil, nil, err
	}
	res, data, err := distribute.ExaminePart(f.PartFile, f.Ticket, sys, m.Spec.Looked(), func() string { return "" }, o.check())
	if err != nil {
		return nil, nil, Refuse(err)
	}
	return &certcheck.Result{Counts: res.Counts, Findings: res.Findings}, data, nil
}

// ReadResults reads the results of parts of a certificate in folders. What is said in one folder is said by one. What was not handed out by this user, or is
// no result at all, is told and left out; all others have to have been handed out together.
func ReadResults(r *cert.Reader, folders []string, say func(text string)) ([]*distribute.Handed, error) {
	key, err := partKey()
	if err != nil {
		return nil, err
	}
	var list []*distribute.Handed
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return nil, diag.Usagef("-results: %v", err)
		}
		for _, e := range entries {
			if !strings.HasSuffix(e.Name(), ResultSuffix) {
				continue
			}
			name := filepath.Join(folder, e.Name())
			h, err := readResult(folder, name)
			if err == nil {
				err = h.Of(r, key)
			}
			if err == nil && len(list) > 0 && h.Ticket.Seed != list[0].Ticket.Seed {
				return nil, diag.Usagef("-results: %s was handed out another time than %s: give results of parts that were cut together", name, list[0].From)
			}
			if err != nil {
				say(name + " does not count: " + err.Error())
				continue
			}
			list = append(list, h)
		}
	}
	if len(list) == 0 {
		return nil, diag.Usagef("-results: there is no result of a part of this certificate that you have handed out in %s", strings.Join(folders, ", "))
	}
	return list, nil
}

// readResult reads the file of a result.
func readResult(from, name string) (*distribute.Handed, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxResult {
		return nil, diag.Usagef("it is no regular file, or too large")
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return distribute.ReadHanded(from, data)
}

// Results are those of parts that were handed out.
type Results struct {
	List      []*distribute.Handed
	Say       func(text string)
	Assurance distribute.Assurance // how sure it is to be that nobody has lied
}
