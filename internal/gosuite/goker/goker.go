// Package goker turns the kernels of real concurrency bugs that come with the Go
// distribution into programs that can be model checked.
//
// The kernels are in runtime/testdata/testgoroutineleakprofile/goker of GOROOT.
// They were cut out of Cockroach, etcd, gRPC, Kubernetes, Docker and others by
// the authors of "GoBench: A Benchmark Suite of Real-World Go Concurrency Bugs"
// and changed by the Go team into a test of the goroutine leak profile: each one
// starts the faulty code a hundred or a thousand times, sleeps, and writes the
// profile. A model checker needs neither the repetition nor the luck. So of each
// kernel there is made a program of its own that executes the faulty code once.
// The files are read where they are; nothing of them is kept here.
//
// What should leak is in runtime/goroutineleakprofile_test.go, as regular
// expressions on lines like
//
//	Cockroach584.func2(...) [sync.Mutex.Lock]
//
// They are read from there too. The text of a kernel is changed in place: lines
// stay lines and closures keep their numbers, so positions and names of functions
// are those of the original.
//
// The folder testdata/fixed has versions of some kernels without the bug, written
// here after the idea of the fix.
package goker

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Kernel is one bug as a program.
type Kernel struct {
	Name   string // the function that the bug is in, as in Cockroach584
	File   string // the file it was read from
	Source []byte // a file of package main that imports only the standard library

	// Leaks are the goroutines that can be blocked forever: the function that
	// was started and what it waits for.
	Leaks []*regexp.Regexp
	// Flaky says that the Go team does not rely on seeing the leaks in a run.
	Flaky bool
	// Listed says that the test of the Go team has the kernel at all.
	Listed bool
	// Random says that the kernel draws random numbers. The bug may need others
	// than the fixed ones.
	Random bool
	// Notes say what else was changed besides the repetition and the profile,
	// and why.
	Notes []string
}

// Kernels reads the kernels of a Go distribution, sorted by name. It fails if one
// of them does not look as expected: a kernel that is silently left as it is
// would prove nothing.
func Kernels(goroot string) ([]Kernel, error) {
	dir := filepath.Join(goroot, "src", "runtime", "testdata", "testgoroutineleakprofile", "goker")
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s: no kernels: they come with Go 1.26 and later", dir)
	}
	list, err := expectations(filepath.Join(goroot, "src", "runtime", "goroutineleakprofile_test.go"))
	if err != nil {
		return nil, err
	}
	var all []Kernel
	for _, file := range files {
		if filepath.Base(file) == "main.go" {
			continue
		}
		src, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		k, err := transform(file, src)
		if err != nil {
			return nil, err
		}
		if e, ok := list[k.Name]; ok {
			k.Leaks, k.Flaky, k.Listed = e.leaks, e.flaky, true
			delete(list, k.Name)
		}
		all = append(all, k)
	}
	for name := range list {
		return nil, fmt.Errorf("%s: no kernel %s, but leaks of it are expected", dir, name)
	}
	slices.SortFunc(all, func(a, b Kernel) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// Leaked tells whether a goroutine is one of those that are expected to leak. The
// function is the one that the goroutine was started with, written as in
// (*Tx_cockroach13197).awaitDone or Cockroach584.func2; the reason is what the Go
// runtime says of a goroutine that waits, as in sync.Mutex.Lock. The result is the
// index of the first of Leaks that matches, or -1.
//
// A writer that waits for a RWMutex may be blocked on the mutex inside, where the
// runtime says sync.Mutex.Lock. The two are one here.
func (k *Kernel) Leaked(function, reason string) int {
	reasons := []string{reason}
	if reason == "sync.RWMutex.Lock" {
		reasons = append(reasons, "sync.Mutex.Lock")
	}
	return slices.IndexFunc(k.Leaks, func(re *regexp.Regexp) bool {
		return slices.ContainsFunc(reasons, func(r string) bool { return re.MatchString(function + "(...) [" + r + "]") })
	})
}
