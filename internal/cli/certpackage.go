package cli

import (
	"archive/zip"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/plain"
)

// The certificates of all tests of a package may be one file: a zip archive with TestName.heddle for each.
const (
	packedSuffix = ".zip"
	certSuffix   = ".heddle"
)

// maxPacked bounds a certificate in such a file.
const maxPacked = 1 << 30

// isPacked reports whether a file has the certificates of a package.
func isPacked(name string) bool { return strings.HasSuffix(name, packedSuffix) }

// packCerts puts the certificates in a folder into one file. Equal ones make equal files.
func packCerts(folder, name string) (err error) {
	list, err := filepath.Glob(filepath.Join(folder, "*"+certSuffix))
	if err != nil || len(list) == 0 {
		return err
	}
	out, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(out.Name())
	w := zip.NewWriter(out)
	slices.Sort(list)
	for _, file := range list {
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		entry, err := w.CreateHeader(&zip.FileHeader{Name: filepath.Base(file), Method: zip.Store}) // they are packed as they are
		if err == nil {
			_, err = entry.Write(data)
		}
		if err != nil {
			return err
		}
	}
	err = cmp.Or(w.Close(), out.Chmod(0o644))
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(out.Name(), name)
	}
	return err
}

// certifyPackage certifies the tests of a package, all that -run and -skip choose: each has to have a certificate.
func (c *certifier) certifyPackage(ctx context.Context, args []string) (int, error) {
	z, err := zip.OpenReader(args[0])
	if err != nil {
		return c.refuse(args[0], certify.Refuse(diag.Usagef("%v", err)))
	}
	defer z.Close()
	if len(c.handout.results) > 0 {
		return 0, diag.Usagef("-results is about one certificate: unpack %s", args[0])
	}
	c.packed = true
	c.claim.runs = cmp.Or(c.claim.runs, ".")
	patterns, own, err := splitArgs(args[1:])
	if err != nil {
		return 0, err
	}
	names, err := c.testNames(ctx, patterns)
	if err != nil {
		return c.refuse(args[0], err)
	}
	files, err := packedFiles(&z.Reader)
	if err != nil {
		return c.refuse(args[0], err)
	}
	folder, err := os.MkdirTemp("", "heddle-certificates-")
	if err != nil {
		return 0, diag.Usagef("%v", err)
	}
	defer os.RemoveAll(folder)
	worst, missing := diag.ExitOK, []string{}
	for _, name := range names {
		f := files[name]
		if f == nil {
			missing = append(missing, name)
			continue
		}
		file := filepath.Join(folder, name+certSuffix)
		if err := unpackCert(f, file); err != nil {
			return c.refuse(args[0], certify.Refuse(diag.Usagef("%s: %v", name, err)))
		}
		c.src.Patterns, c.claim.only = patterns, name
		code, err := c.certifyFile(ctx, file, patterns, own)
		if err != nil && diag.ExitCode(err) != diag.ExitIncomplete {
			return 0, err
		}
		if err != nil {
			fmt.Fprintf(c.app.Stdout, "inconclusive: %s: %s\n", name, plain.Line(err.Error()))
			code = diag.ExitIncomplete
		}
		if worst != diag.ExitFinding && code != diag.ExitOK {
			worst = code
		}
	}
	if len(missing) > 0 {
		return c.refuse(args[0], certify.Refuse(diag.Usagef("it has no certificate of %s", strings.Join(missing, ", "))))
	}
	if worst == diag.ExitOK {
		skipped := ""
		if len(c.skipped) > 0 {
			skipped = fmt.Sprintf(", %d of which skip themselves: %s", len(c.skipped), strings.Join(c.skipped, ", "))
		}
		fmt.Fprintf(c.app.Stdout, "certified: %d tests of %s%s\n", len(names), strings.Join(patterns, " "), skipped)
		return worst, c.write(certify.StateTests(c.stated))
	}
	return worst, nil
}

// infoPacked explains the certificates of a package, one after the other.
func (c *certTool) infoPacked(name string) (int, error) {
	z, err := zip.OpenReader(name)
	if err != nil {
		return 0, diag.Usagef("%s: %v", name, err)
	}
	defer z.Close()
	files, err := packedFiles(&z.Reader)
	if err != nil {
		return 0, diag.Usagef("%s: %v", name, err)
	}
	folder, err := os.MkdirTemp("", "heddle-certificates-")
	if err != nil {
		return 0, diag.Usagef("%v", err)
	}
	defer os.RemoveAll(folder)
	for i, test := range slices.Sorted(maps.Keys(files)) {
		if i > 0 {
			fmt.Fprintln(c.app.Stdout)
		}
		fmt.Fprintf(c.app.Stdout, "file            %s\n", plain.Word(test+certSuffix))
		file := filepath.Join(folder, fmt.Sprint(i))
		if err := unpackCert(files[test], file); err != nil {
			return 0, diag.Usagef("%s: %v", plain.Word(test), err)
		}
		if _, err := c.info(file); err != nil {
			return 0, err
		}
		os.Remove(file)
	}
	return diag.ExitOK, nil
}

// testNames returns the tests of the one package that -run and -skip choose.
func (c *certifier) testNames(ctx context.Context, patterns []string) ([]string, error) {
	run, err := parsePattern("run", c.claim.runs)
	if err != nil {
		return nil, err
	}
	skip, err := parsePattern("skip", c.claim.skips)
	if err != nil {
		return nil, err
	}
	c.src.Patterns = patterns
	pkg, err := c.testPackage(ctx, "all of a package")
	if err != nil {
		return nil, err
	}
	names, _, _, err := c.app.listTests(ctx, BuildOptions{Source: c.src, Test: true, Access: c.claim.spec.Model.Interleave == "access"}, pkg)
	names = slices.DeleteFunc(names, func(name string) bool { return !run.matches(name) || skip.whole(name) })
	if err == nil && len(names) == 0 {
		err = certify.Refuse(diag.Usagef("there are no such tests"))
	}
	return names, err
}

// packedFiles returns the certificates in an archive by the names of the tests. One that is there twice, or is none, is refused.
func packedFiles(z *zip.Reader) (map[string]*zip.File, error) {
	files := map[string]*zip.File{}
	for _, f := range z.File {
		name, ok := strings.CutSuffix(f.Name, certSuffix)
		if _, twice := files[name]; !ok || twice || strings.ContainsAny(name, `/\`) {
			return nil, certify.Refuse(diag.Usagef("it has %s, which is not one certificate of a test", plain.Word(f.Name)))
		}
		files[name] = f
	}
	return files, nil
}

// unpackCert writes a certificate of an archive to a file.
func unpackCert(f *zip.File, name string) error {
	in, err := f.Open()
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	n, err := io.Copy(out, io.LimitReader(in, maxPacked))
	if err == nil && n == maxPacked {
		err = fmt.Errorf("a certificate of more than %d bytes", maxPacked)
	}
	if cerr := out.Close(); err == nil {
		err = cerr
	}
	return err
}
