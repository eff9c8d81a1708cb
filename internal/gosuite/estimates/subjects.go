package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/gosuite"
	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/model"
	"github.com/heddle-mc/heddle/internal/native"
)

// A subject is something to be searched.
type subject struct {
	kind, name string
	// open makes it ready. The function that it returns searches up to some limits.
	open func() (search, error)
}

type search = func(limits) (*explore.Result, error)

// limits are how many states a search sees at most, and how long it takes; 0 is no limit.
type limits struct {
	states int64
	time   time.Duration
}

// budgets are how large generated programs are, about.
var budgets = []int{10_000, 100_000, 1_000_000}

// randoms lists generated programs.
func randoms(first uint64, seeds int) (list []subject, err error) {
	session, err := load.NewSession(load.Config{
		Patterns: []string{"context", "fmt", "os", "runtime", "sync", "sync/atomic", "time"}, Intrinsic: native.Has, OwnRuntime: true,
	})
	if err != nil {
		return nil, err
	}
	for seed := first; seed < first+uint64(seeds); seed++ {
		list = append(list, generated(session, seed))
	}
	return list, nil
}

// subjects lists everything that is tried.
func subjects(first uint64, seeds int) ([]subject, error) {
	list, err := randoms(first, seeds)
	if err != nil {
		return nil, err
	}
	for _, pattern := range []string{"bench/search/programs/*", "examples/*"} {
		dirs, err := filepath.Glob(pattern)
		if err != nil || len(dirs) == 0 {
			return nil, fmt.Errorf("there is no %s: run this in the root of the repository (%v)", pattern, err)
		}
		for _, dir := range dirs {
			if _, err := os.Stat(filepath.Join(dir, "main.go")); err == nil {
				list = append(list, program("programs", dir, dir, true), program("programs", dir+", no reduction", dir, false))
			}
		}
	}
	models, err := filepath.Glob("examples/models/*.mcrl2")
	if err != nil {
		return nil, err
	}
	for _, file := range models {
		list = append(list, ofModel(file))
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	kernels, err := goker.Kernels(strings.TrimSpace(string(goroot)))
	if err != nil {
		return nil, err
	}
	for _, k := range kernels {
		list = append(list, kernel(k))
	}
	return list, nil
}

// checked searches a program as the command does.
func checked(code *check.Code, reduce bool) search {
	return func(l limits) (*explore.Result, error) {
		spec := check.New()
		spec.Search.All, spec.Search.Reduce = true, reduce
		spec.Limits.States, spec.Limits.Timeout = l.states, l.time
		r, err := check.Run(context.Background(), spec, check.Hooks{
			Code: code, Process: &execute.Process{Args: []string{"main"}, Env: []string{}, Dir: "/"},
		})
		if err != nil {
			return nil, err
		}
		return r.Result, nil
	}
}

func generated(session *load.Session, seed uint64) subject {
	return subject{"generated", fmt.Sprint("seed ", seed), func() (search, error) {
		dir, err := os.MkdirTemp("", "estimates")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		text := randconc.Program(seed, randconc.Options{Budget: budgets[seed%3], Without: randconc.Faults})
		code, err := gosuite.CompileText(session, filepath.Join(dir, fmt.Sprintf("p%d.go", seed)), text)
		return checked(code, seed%2 == 0), err
	}}
}

func program(kind, name, dir string, reduce bool) subject {
	return subject{kind, name, func() (search, error) {
		code, err := check.Build(execute.Source{Dir: dir, Patterns: []string{"."}})
		return checked(code, reduce), err
	}}
}

func kernel(k goker.Kernel) subject {
	return subject{"kernels", k.Name, func() (search, error) {
		dir, err := os.MkdirTemp("", "estimates")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		if err := os.WriteFile(filepath.Join(dir, "main.go"), k.Source, 0o666); err != nil {
			return nil, err
		}
		code, err := check.Build(execute.Source{Dir: dir, Patterns: []string{"main.go"}})
		return checked(code, false), err
	}}
}

func ofModel(file string) subject {
	return subject{"models", filepath.Base(file), func() (search, error) {
		m, err := model.Load(file, model.UsualPasses)
		if err != nil {
			return nil, err
		}
		systems, err := model.Prepare(m, &model.Spec{Deadlock: true}, 1)
		if err != nil {
			return nil, err
		}
		return func(l limits) (*explore.Result, error) {
			began := time.Now()
			return explore.Run(systems.New, explore.Options{
				All: true, Limits: explore.Limits{States: l.states, Time: int64(l.time)}, Clock: func() int64 { return int64(time.Since(began)) },
			})
		}, nil
	}}
}
