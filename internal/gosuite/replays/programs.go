package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/gosuite/goker"
	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
)

// A program is what is checked.
type program struct {
	kind, name string
	args       []string // of check, unless there is a text
	text       string   // the one file of a main package
	model      bool
}

// programs lists what is checked, with n generated programs.
func programs(n int) (list []program, err error) {
	if list, err = examples(); err != nil {
		return nil, err
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	kernels, err := goker.Kernels(strings.TrimSpace(string(root)))
	if err != nil {
		return nil, err
	}
	for _, k := range kernels {
		list = append(list, program{kind: "kernels", name: k.Name, text: string(k.Source)})
	}
	for seed := range uint64(n) {
		list = append(list, program{kind: "generated", name: fmt.Sprint("seed ", seed), text: randconc.Program(seed, randconc.Options{})})
	}
	for seed := range uint64(max(n/10, 1)) {
		list = append(list, program{kind: "descriptors", name: fmt.Sprint("seed ", seed), text: descriptors(seed)})
	}
	return list, nil
}

// issues are the arguments by which the load balancer has its six issues.
var issues = []string{
	"-issue 1 -nc 2 -rounds 2 -does done,work", "-issue 2 -does ask", "-issue 3 -does ask", "-issue 4 -does ask", "-issue 5 -rounds 0",
	"-issue 6 -rounds 3 -does done",
}

// examples lists the examples. Those with peers have them in heddle.yaml.
func examples() (list []program, err error) {
	files, err := mains("examples")
	if err != nil {
		return nil, err
	}
	var servers, clients []string
	for _, dir := range files {
		list = append(list, program{kind: "examples", name: dir, args: []string{"-C", dir, "."}})
		switch short := strings.TrimSuffix(dir, "/buggy"); filepath.Base(short) {
		case "server":
			servers = append(servers, dir)
		case "client":
			clients = append(clients, dir)
		}
	}
	for _, s := range servers {
		for _, c := range clients {
			if side(s, "server") == side(c, "client") {
				list = append(list, program{kind: "pairs", name: s + " " + c, args: []string{"./" + s, "./" + c}})
			}
		}
	}
	for _, args := range issues {
		list = append(list, program{kind: "issues", name: args, args: append([]string{"./examples/loadbalancer", "--"}, strings.Fields(args)...)})
	}
	models, err := filepath.Glob("examples/models/*.mcrl2")
	if err != nil {
		return nil, err
	}
	for _, m := range models {
		list = append(list, program{kind: "models", name: filepath.Base(m), args: []string{"-deadlock", m}, model: true})
	}
	for _, kind := range []string{"examples", "pairs", "models"} {
		if !slices.ContainsFunc(list, func(p program) bool { return p.kind == kind }) {
			return nil, fmt.Errorf("there are no %s: run this in the root of the repository", kind)
		}
	}
	return list, nil
}

// side is what a server and its client have in common.
func side(dir, what string) string {
	return strings.TrimSuffix(strings.TrimSuffix(dir, "/buggy"), what)
}

// mains lists the folders below one that have a main package, also those in modules of their own.
func mains(root string) (list []string, err error) {
	err = filepath.WalkDir(root, func(name string, d os.DirEntry, err error) error {
		if err == nil && d.Name() == "main.go" {
			list = append(list, filepath.ToSlash(filepath.Dir(name)))
		}
		return err
	})
	return list, err
}
