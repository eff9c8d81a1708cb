package check

import (
	"os"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// Options returns how to search. Clock, interrupt and the like are the caller's.
func (s *Spec) Options() (explore.Options, error) {
	order, err := s.Search.strategy()
	x, l := &s.Search, &s.Limits
	o := explore.Options{
		Strategy: order, Reduce: x.Reduce, All: x.All, Workers: x.Workers, Seed: x.Seed, Runs: x.Runs, MaxPreemptions: x.Preemptions,
		Limits: explore.Limits{States: l.States, Depth: l.Depth, Time: int64(l.Timeout), Memory: int64(l.Mem)},
	}
	switch {
	case err != nil:
		return o, err
	case x.Workers < 1:
		return o, diag.Usagef("-workers %d: at least one is needed", x.Workers)
	case l.States < 0 || l.Depth < 0 || l.Timeout < 0:
		return o, diag.Usagef("a limit is negative: 0 means none")
	}
	return o, s.store(&o)
}

// store says how visited states are kept.
func (s *Spec) store(o *explore.Options) error {
	limit := func(usual int64) int64 {
		o.Limits.Memory = 0 // it is what the set takes, not where the search ends
		if s.Limits.Mem > 0 {
			return int64(s.Limits.Mem)
		}
		return usual
	}
	switch s.Search.Store {
	case "fingerprint":
	case "exact":
		o.NewSet = func() stateset.Set { return stateset.NewExact() }
	case "disk": // the limit is what the set keeps in memory before it turns to the disk
		n := limit(1 << 30)
		o.NewSet = func() stateset.Set { return stateset.NewDisk(os.TempDir(), n) }
	case "bitstate":
		n := limit(64 << 20)
		o.NewSet = func() stateset.Set { return stateset.NewBitstate(n) }
	default:
		return oneOf("store", s.Search.Store, "fingerprint", "exact", "disk", "bitstate")
	}
	return nil
}

// StandardEnv is the environment of a program that is checked. It is the same on
// all machines, since it lies in the program's memory: with that of the host, a
// program would have other states on another host, and others tomorrow.
var StandardEnv = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/root", "LANG=C.UTF-8"}

// OwnEnv returns the variables that not every program has. Each test knows the folder that it runs in.
func (p *Program) OwnEnv() []string {
	return slices.DeleteFunc(slices.Clone(p.Env), func(kv string) bool {
		return slices.Contains(StandardEnv, kv) || p.TestDir != "" && kv == "PWD="+p.TestDir
	})
}

// Environment returns the standard environment with more variables, of which later ones
// replace earlier ones, and PWD if the program is started in a folder that it should know.
func Environment(extra []string, dir string) ([]string, error) {
	env := slices.Clone(StandardEnv)
	if dir != "" {
		env = append(env, "PWD="+dir)
	}
	for _, kv := range extra {
		key, _, ok := strings.Cut(kv, "=")
		if !ok || key == "" || strings.ContainsRune(kv, 0) {
			return nil, diag.Usagef("-env %q: say NAME=VALUE", kv)
		}
		if i := slices.IndexFunc(env, func(old string) bool { return strings.HasPrefix(old, key+"=") }); i >= 0 {
			env[i] = kv
		} else {
			env = append(env, kv)
		}
	}
	return env, nil
}

// Process returns how the program is started: it is called name, unless it is a test.
func (s *Spec) Process(name string) execute.Process {
	p := &s.Program
	if p.Test != "" {
		return execute.Process{Args: p.TestArgs, Env: p.Env, Dir: p.TestDir}
	}
	return execute.Process{Args: append([]string{name}, p.Args...), Env: p.Env, Public: true, Servers: p.ServerArgs()}
}

// ServerPackages returns the packages that are servers.
func (p *Program) ServerPackages() (list []string, err error) {
	for _, text := range p.Servers {
		words, err := splitWords(text)
		switch {
		case err != nil:
			return nil, diag.Usagef("-server-package %s: %v", text, err)
		case len(words) == 0:
			return nil, diag.Usagef("-server-package: it is empty")
		case isFile(words[0]):
			return nil, diag.Usagef("-server-package %s: name a package, not files", text)
		}
		list = append(list, words[0])
	}
	return list, nil
}

// ServerArgs returns the arguments of the packages that are servers.
func (p *Program) ServerArgs() (list [][]string) {
	for _, text := range p.Servers {
		words, _ := splitWords(text) // the error was told before
		list = append(list, words[min(1, len(words)):])
	}
	return list
}
