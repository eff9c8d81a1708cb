package recheck

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os/exec"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
)

// The certificates of all tests of a package may be one file: a zip archive with TestName.heddle for each.

// archive reports whether the file is such an archive, going by its name, and tests whether it is about tests.
func (o *options) archive() bool { return strings.HasSuffix(o.file, ".zip") }
func (o *options) tests() bool   { return o.archive() || o.test != "" }

// packageOf returns the import path and the folder of the package of tests.
func packageOf(pattern string) (pkg, dir string) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}\n{{.Dir}}", pattern).CombinedOutput()
	pkg, dir, _ = strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || dir == "" || strings.Contains(dir, "\n") {
		stop(diag.Usagef("%s: name the one package that has the tests: %s", pattern, out))
	}
	return pkg, dir
}

// all returns the functions of each test of the package: a package and its tests outside may both have one of a name. A package main is called so.
func (p *program) all() map[string][]string {
	list, code := map[string][]string{}, p.members[0].Program
	for _, f := range code.Funcs {
		dot := strings.LastIndex(f.Name, ".")
		pkg, name := f.Name[:max(dot, 0)], f.Name[dot+1:]
		after, ok := strings.CutPrefix(name, "Test")
		if !ok || name == "TestMain" || strings.IndexFunc(after, unicode.IsLower) == 0 || strings.ContainsAny(after, "$[") {
			continue
		}
		if slices.Contains([]string{p.pkg, p.pkg + "_test", "main", "main_test"}, pkg) && strings.HasSuffix(code.Files[f.File], "_test.go") {
			list[name] = append(list[name], f.Name)
		}
	}
	return list
}

// choose says how a test is started.
func (p *program) choose(test string, o *options) {
	p.name, p.test, p.functions = o.source[0]+"."+test, test, p.all()[test]
	if len(p.functions) == 0 {
		refuse("%s has no test %s", p.pkg, test)
	}
	p.members[0].Process = execute.Process{
		Args: append([]string{path.Base(p.pkg) + ".test", "-test.paniconexit0", "-test.v=true", "-test.parallel=1000", "-test.run=^" + test + "$"}, o.args...),
		Env:  append(slices.Clone(standard), "PWD="+p.dir), Dir: p.dir,
	}
}

// examineTests examines the certificates in an archive: of the test that was asked for, or of all tests of the package.
func (o *options) examineTests(data []byte) string {
	files := map[string]*zip.File{}
	for _, f := range accept(zip.NewReader(bytes.NewReader(data), int64(len(data)))).File {
		name, ok := strings.CutSuffix(f.Name, ".heddle")
		if !ok || files[name] != nil || f.Method != zip.Store { // what is packed once more may be very large
			refuse("it has %q, which is no certificate of a test, or there twice, or not stored as it is", f.Name)
		}
		files[name] = f
	}
	p := o.build()
	names := slices.Sorted(maps.Keys(p.all()))
	if o.test != "" {
		names = []string{o.test}
	}
	if len(names) == 0 {
		refuse("%s has no tests", p.pkg)
	}
	var said []string
	var worst error // one that is inconclusive does not keep others from being refused
	for _, name := range names {
		text, err := attempt(func() string {
			own := *p
			own.choose(name, o)
			if files[name] == nil {
				refuse("it has no certificate of %s", name)
			}
			return own.examine(read(accept(io.ReadAll(accept(files[name].Open())))), o)
		})
		if no := (refusal{}); worst == nil || errors.As(err, &no) {
			worst = err
		}
		said = append(said, text)
	}
	stop(worst)
	return fmt.Sprintf("%s\ncertified: %d tests of %s", strings.Join(said, "\n"), len(names), o.source[0])
}
