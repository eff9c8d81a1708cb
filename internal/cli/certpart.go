package cli

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certcheck"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/plain"
)

// A handout says what to do with parts that are files.
type handout struct {
	part, result string   // files: that is examined, and where its result goes
	results      textList // folders with results that are put together

	open *certify.PartFile    // the part
	data []byte               // its result
	list []*distribute.Handed // results that are put together
}

func (h *handout) declare(fs *flag.FlagSet) {
	fs.StringVar(&h.part, "part", "", "examine the part in `file` only, which heddle cert partition -o has written, and write its result: name no certificate then")
	fs.StringVar(&h.result, "result", "", "of -part: write the result to `file`; the name of the part with "+certify.ResultSuffix+" if it is not given")
	fs.Var(&h.results, "results", "put the results of -part in `dir` together, which others may have made, and examine as many parts here as -confidence, -liars and -recheck ask for; may be repeated, once for each who has made some")
}

// writePart writes a part to a file.
func writePart(name string, r *cert.Reader, p *cert.Part, t *distribute.Ticket) error {
	var b bytes.Buffer
	if err := cert.WritePart(&b, r, p, t.Bytes()); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o666)
}

// certifyPart examines one part. Arguments are those behind the certificate.
func (c *certifier) certifyPart(ctx context.Context, args []string) (int, error) {
	switch {
	case len(args) < 1:
		return 0, diag.Usagef("name the program that the part is about")
	case c.distribute.on || c.trustful || c.unsigned || c.statement != "" || c.key != "" || len(c.handout.results) > 0:
		return 0, diag.Usagef("-part examines one part, and all of it: leave out -distribute, -trustful, -key, -statement and -results")
	case c.workers != 1:
		return 0, diag.Usagef("-workers %d: a part is examined by one", c.workers)
	}
	if len(c.look.Formulas) > 0 {
		return 0, diag.Usagef("-formula is about the whole graph: a part does not show it")
	}
	if _, err := c.claim.spec.System(); err != nil {
		return 0, err
	}
	name := c.handout.part
	f, err := certify.OpenPart(name)
	if err != nil {
		return c.refuse(name, certify.Refuse(err))
	}
	defer f.Close()
	c.handout.open = f
	return c.certifyOpen(ctx, append([]string{name}, args...), f.Reader)
}

// follow examines the program with a certificate, or with the part that it is.
func (c *certifier) follow(ctx context.Context, r *cert.Reader, p *certify.Program, o certify.Options) (res *certify.Examined, err error) {
	if c.handout.open == nil {
		return p.Examine(ctx, r, o)
	}
	res, c.handout.data, err = p.ExaminePart(c.handout.open, o)
	return res, err
}

// partDone tells that nothing is wrong in a part, and writes its result.
func (c *certifier) partDone(name string, res *certcheck.Result, looked string) (int, error) {
	out := c.handout.result
	if out == "" {
		out = c.handout.part + certify.ResultSuffix
	}
	if err := os.WriteFile(out, c.handout.data, 0o644); err != nil {
		return 0, diag.Usagef("-result: %v", err)
	}
	fmt.Fprintf(c.app.Stdout, "certified: part %d of %s: %d states, %d transitions; %s; nothing is shown without the other parts, with which certify -results puts it together\n",
		c.handout.open.Part.Number, name, res.Counts.States, res.Counts.Transitions, looked)
	return diag.ExitOK, nil
}

// readResults reads what others have said about parts of a certificate, if that is asked for.
func (c *certifier) readResults(r *cert.Reader) (err error) {
	if len(c.handout.results) > 0 {
		c.handout.list, err = certify.ReadResults(r, c.handout.results, c.say)
	}
	return err
}

// say says something about results.
func (c *certifier) say(text string) { fmt.Fprintln(c.app.Stderr, plain.Text(text)) }
