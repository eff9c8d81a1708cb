package main

import (
	"errors"
	"fmt"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"syscall"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/traefik/yaegi/interp"
	"github.com/traefik/yaegi/stdlib"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	ssainterp "golang.org/x/tools/go/ssa/interp"
	"golang.org/x/tools/go/ssa/ssautil"
)

// run executes the program in a folder and returns the CPU seconds it took,
// loading and compiling not counted.
func run(engine, dir, profile string) (float64, error) {
	var start func() (func() error, error)
	switch engine {
	case "heddle":
		start = func() (func() error, error) { return heddle(dir) }
	case "ssa/interp":
		start = func() (func() error, error) { return ssaInterp(dir) }
	case "yaegi":
		start = func() (func() error, error) { return yaegi(dir) }
	case "native":
		return native(dir)
	default:
		return 0, fmt.Errorf("unknown engine %q", engine)
	}
	f, err := start()
	if err != nil {
		return 0, err
	}
	if profile != "" {
		w, err := os.Create(profile)
		if err != nil {
			return 0, err
		}
		defer w.Close()
		if err := pprof.StartCPUProfile(w); err != nil {
			return 0, err
		}
		defer pprof.StopCPUProfile()
	}
	before := cpuSeconds()
	if err := f(); err != nil {
		return 0, err
	}
	return cpuSeconds() - before, nil
}

func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return seconds(u.Utime) + seconds(u.Stime)
}

func seconds(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }

func heddle(dir string) (func() error, error) {
	prog, err := execute.Build(execute.Source{Patterns: []string{filepath.Join(dir, "main.go")}, NoCache: true})
	if err != nil {
		return nil, err
	}
	return func() error {
		exit, err := execute.Run(prog, execute.Process{Args: []string{"bench"}, Stdout: os.Stderr, Stderr: os.Stderr})
		if err == nil && exit.Code != 0 {
			err = fmt.Errorf("exit code %d", exit.Code)
		}
		return err
	}, nil
}

func ssaInterp(dir string) (func() error, error) {
	cfg := &packages.Config{Mode: packages.LoadAllSyntax, Env: append(os.Environ(), "CGO_ENABLED=0")}
	pkgs, err := packages.Load(cfg, "runtime", "./"+filepath.ToSlash(dir))
	if err != nil {
		return nil, err
	}
	prog, all := ssautil.AllPackages(pkgs, ssa.InstantiateGenerics)
	prog.Build()
	return func() error {
		if code := ssainterp.Interpret(all[len(all)-1], 0, types.SizesFor("gc", "amd64"), "main.go", nil); code != 0 {
			return fmt.Errorf("exit code %d", code)
		}
		return nil
	}, nil
}

func yaegi(dir string) (func() error, error) {
	i := interp.New(interp.Options{Stdout: os.Stderr, Stderr: os.Stderr})
	if err := i.Use(stdlib.Symbols); err != nil {
		return nil, err
	}
	p, err := i.CompilePath(filepath.Join(dir, "main.go"))
	if err != nil {
		return nil, err
	}
	return func() error {
		_, err := i.Execute(p)
		return err
	}, nil
}

// native builds the program and runs it as a process.
func native(dir string) (float64, error) {
	tmp, err := os.MkdirTemp("", "bench")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(tmp)
	bin := filepath.Join(tmp, "program")
	if out, err := exec.Command("go", "build", "-o", bin, filepath.Join(dir, "main.go")).CombinedOutput(); err != nil {
		return 0, errors.New(string(out))
	}
	cmd := exec.Command(bin)
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	u := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	return seconds(u.Utime) + seconds(u.Stime), nil
}
