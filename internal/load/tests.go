package load

import "github.com/heddle-mc/heddle/internal/diag"

// A Listed package is one that patterns name.
type Listed struct {
	Path  string   // import path
	Dir   string   // where its tests run
	Tests bool     // has test files
	Files []string // its Go files, without those of tests
	Err   error    // what is wrong with it, if others can be tested: it is not there, say
}

// ListTests returns the packages that the patterns of cfg name, in the order of
// the go command, without loading them or looking at what they import. It fails if something is wrong with all of them.
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
	wrong := 0
	for _, m := range found {
		tests := len(m.TestFiles) > 0
		p := Listed{Path: m.PkgPath, Dir: m.Dir, Tests: tests, Files: m.GoFiles}
		var own diag.List
		for _, e := range m.Errors {
			if !tests { // a package may consist of tests only
				own = append(own, listError(e))
			}
		}
		if own.Sort(); len(own) > 0 {
			p.Err = own.Err()
			errs = append(errs, own...)
			wrong++
		}
		list = append(list, p)
	}
	if wrong < len(list) {
		return list, nil
	}
	errs.Sort()
	return list, errs.Err()
}
