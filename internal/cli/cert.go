package cli

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/cert"
	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/distribute"
	"github.com/heddle-mc/heddle/internal/plain"
)

var cmdCert = &command{
	name:  "cert",
	words: func() []string { return []string{"info", "partition", "sign", "verify", "keygen"} },
	noted: true,
	args:  "info|partition|sign|verify|keygen ARGS",
	short: "explain, cut and sign certificates",
	mixed: true,
	long: `Cert works on the certificates that heddle check -cert writes:

  cert info CERT             what it is about, its size, who has signed it
  cert partition -k N CERT   cut it into N parts of equal size, or those of figure 4
                             of paper 002 with -greedy, and print a table of them;
                             with -o DIR, write them, for certify -part
  cert keygen NAME           write a new pair of keys to NAME.key and NAME.pub
  cert sign -key F CERT      sign it with the private key in file F
  cert verify -key F CERT    exit 0 if the owner of the public key in file F has
                             signed it, or the statement of certify -sign, and
                             1 if not`,
	setup: func(app *App, fs *flag.FlagSet) func(context.Context, []string) (int, error) {
		c := certTool{app: app}
		fs.StringVar(&c.key, "key", "", "of sign and verify: the key in `file`")
		fs.IntVar(&c.parts, "k", 10, "of partition: cut into `n` parts")
		fs.BoolVar(&c.greedy, "greedy", false, "of partition: parts are subgraphs, chosen greedily")
		fs.StringVar(&c.out, "o", "", "of partition: write the parts to `dir`")
		fs.DurationVar(&c.limit, "timeout", 10*time.Minute, "of partition: give up after `d`; 0 means never")
		return func(_ context.Context, args []string) (int, error) {
			if len(args) != 2 {
				return 0, diag.Usagef("say info, partition, sign, verify or keygen, and one file")
			}
			do, ok := map[string]func(string) (int, error){
				"info": c.info, "partition": c.partition, "sign": c.sign, "verify": c.verify, "keygen": c.keygen,
			}[args[0]]
			if !ok {
				return 0, diag.Usagef("unknown command %q: say info, partition, sign, verify or keygen", args[0])
			}
			return do(args[1])
		}
	},
}

// A certTool works on a certificate.
type certTool struct {
	app    *App
	key    string
	parts  int
	greedy bool
	out    string
	limit  time.Duration
}

// info explains a certificate, or those of a package.
func (c *certTool) info(name string) (int, error) {
	if isPacked(name) {
		return c.infoPacked(name)
	}
	f, err := certify.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	w := c.app.Stdout
	file, script := f.Size()
	kinds := map[cert.Kind]string{cert.Full: "full: every transition", cert.Tree: "trustful: the way to each state"}
	fmt.Fprintf(w, "kind            %s\n", kinds[f.Header.Kind])
	fmt.Fprintf(w, "bytes           %d, of which %d are the script: %.3f a transition\n", file, script, float64(script)/float64(max(f.Counts.Transitions, 1)))
	traffic, err := f.Traffic()
	if err != nil {
		return 0, diag.Usagef("%v", err)
	}
	if len(traffic) > 0 {
		fmt.Fprintf(w, "traffic         %d bytes\n", len(traffic))
	}
	proofs, size, err := f.Evidences()
	if err != nil {
		return 0, diag.Usagef("%v", err)
	}
	if len(proofs) > 0 {
		fmt.Fprintf(w, "evidence        of %d formulas, %d bytes\n", len(proofs), size)
	}
	if len(f.Signatures) == 0 {
		fmt.Fprintln(w, "signed by       nobody")
	}
	for _, s := range f.Signatures {
		fmt.Fprintf(w, "signed by       %x\n", []byte(s.Key))
	}
	c.claims(f)
	return diag.ExitOK, nil
}

// claims tells what a certificate only says: heddle certify finds out whether it is so.
func (c *certTool) claims(f *certify.File) {
	w := c.app.Stdout
	fmt.Fprintf(w, "\nclaimed, and examined by heddle certify only:\n")
	fmt.Fprintf(w, "certificate of  %s\nwritten by      %s\n", plain.Word(f.Header.Target), plain.Word(f.Header.Tool))
	for _, p := range f.Header.Program {
		fmt.Fprintf(w, "%-15s %s\n", p.Name, plain.Word(p.Value))
	}
	fmt.Fprintf(w, "size            %d states, %d transitions, depth %d\n", f.Counts.States, f.Counts.Transitions, f.Counts.Depth)
	fmt.Fprintf(w, "properties      %s\nsettings        reduce %v\n", strings.Join(f.Header.Properties, ", "), f.Header.Reduce)
	for _, p := range f.Header.Settings {
		if p.Name != "properties" && p.Value != "" {
			fmt.Fprintf(w, "                %s %s\n", p.Name, plain.Word(p.Value))
		}
	}
}

// partition cuts a certificate and prints a table of the parts.
func (c *certTool) partition(name string) (int, error) {
	if c.parts < 1 {
		return 0, diag.Usagef("-k %d: at least one part is needed", c.parts)
	}
	if c.limit < 0 {
		return 0, diag.Usagef("-timeout %v: a limit is negative: 0 means none", c.limit)
	}
	f, err := certify.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if c.out != "" {
		if err := os.MkdirAll(c.out, 0o777); err != nil {
			return 0, diag.Usagef("%v", err)
		}
	}
	t := &distribute.Ticket{Parts: c.parts, Greedy: c.greedy}
	if c.out != "" {
		if t, err = certify.NewTicket(f.Reader, c.parts, c.greedy); err != nil {
			return 0, err
		}
	}
	begun := time.Now()
	f.Interrupt = func() error {
		if c.limit > 0 && time.Since(begun) >= c.limit {
			return diag.Incompletef("%s: it is not cut to its end: the time is over (-timeout %v)", name, c.limit)
		}
		return nil
	}
	total := f.Counts.Transitions
	count, largest, ways, longest := 0, uint64(0), 0, 0
	emit := func(p *cert.Part) error {
		way := p.Steps()
		fmt.Fprintf(c.app.Stdout, "part %d: %d transitions, %.2f %%, %d steps to its beginning\n", p.Number, p.Transitions, percent(p.Transitions, total), way)
		count, largest, ways, longest = count+1, max(largest, p.Transitions), ways+way, max(longest, way)
		if err := f.Interrupt(); err != nil || c.out == "" {
			return err
		}
		return writePart(filepath.Join(c.out, fmt.Sprintf("part-%04d", p.Number)), f.Reader, p, t)
	}
	err = t.Cut(f.Reader, emit)
	if diag.ExitCode(err) == diag.ExitIncomplete {
		return 0, err
	}
	if err != nil {
		return 0, diag.Usagef("%v", err)
	}
	fmt.Fprintf(c.app.Stdout, "%d parts: the largest has %.2f %% of %d transitions; %.1f steps to the beginning on average, %d at most\n",
		count, percent(largest, total), total, float64(ways)/float64(count), longest)
	return diag.ExitOK, nil
}

func percent(n, of uint64) float64 { return 100 * float64(n) / float64(max(of, 1)) }

// keygen writes a new pair of keys.
func (c *certTool) keygen(name string) (int, error) {
	public, err := certify.WriteKeys(name)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(c.app.Stdout, "%s.key signs, %s.pub is for others: %x\n", name, name, []byte(public))
	return diag.ExitOK, nil
}

// sign appends a signature.
func (c *certTool) sign(name string) (int, error) {
	key, err := certify.ReadPrivateKey(c.key)
	if err != nil {
		return 0, err
	}
	f, err := certify.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if f.SignedBy(key.Public().(ed25519.PublicKey)) {
		fmt.Fprintf(c.app.Stdout, "%s is already signed with this key\n", name)
		return diag.ExitOK, nil
	}
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return 0, diag.Usagef("%v", err)
	}
	_, err = out.Write(cert.Sign(f.Reader, key))
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return 0, diag.Usagef("%v", err)
	}
	return diag.ExitOK, nil
}

// signedBy reports whether the owner of a key has signed a certificate, or a statement.
func signedBy(name string, key ed25519.PublicKey) (bool, error) {
	if data, err := os.ReadFile(name); err == nil && bytes.HasPrefix(data, []byte("{")) {
		return certify.StatementSignedBy(data, key)
	}
	f, err := certify.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	return f.SignedBy(key), nil
}

// verify looks whether the owner of a key has signed.
func (c *certTool) verify(name string) (int, error) {
	key, err := certify.ReadPublicKey(c.key)
	if err != nil {
		return 0, err
	}
	signed, err := signedBy(name, key)
	if err != nil {
		return 0, err
	}
	if !signed {
		fmt.Fprintf(c.app.Stdout, "%s is not signed by the owner of %s\n", name, c.key)
		return diag.ExitFinding, nil
	}
	fmt.Fprintf(c.app.Stdout, "%s is signed by the owner of %s\n", name, c.key)
	return diag.ExitOK, nil
}
