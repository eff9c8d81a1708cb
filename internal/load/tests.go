package load

import "github.com/heddle-mc/heddle/internal/diag"

// A Listed package is one that patterns name.
type Listed struct {
	Path  string   // import path
	Dir   string   // where its tests run
	Tests bool     // has test files
	Files []string // its Go files, without those of tests
}

// ListTests returns the packages that the patterns of cfg name, in the order of
// the go command, without loading them or looking at what they import.
func ListTests(cfg Config) ([]Listed, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	found, err := newUniverse(cfg).golist(cfg.Patterns, false, false)
	if err != nil {
		return nil, err
	}
	var list []Listed
	var errs diag.List
	for _, m := range found {
		tests := len(m.TestFiles) > 0
		list = append(list, Listed{m.PkgPath, m.Dir, tests, m.GoFiles})
		for _, e := range m.Errors {
			if !tests { // a package may consist of tests only
				errs = append(errs, listError(e))
			}
		}
	}
	errs.Sort()
	return list, errs.Err()
}
