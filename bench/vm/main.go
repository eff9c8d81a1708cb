// Bench times the same Go programs in Heddle's machine, in go/ssa/interp, in
// yaegi and natively, side by side, and prints a Markdown table with the ratios.
//
// Each engine loads and compiles a program first; only its execution is timed,
// in CPU seconds of the process, in a process of its own. The best of -n runs
// counts.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

var engines = []string{"heddle", "ssa/interp", "yaegi", "native"}

func main() {
	log.SetFlags(0)
	n := flag.Int("n", 3, "runs of each program in each engine")
	dir := flag.String("programs", "programs", "folder with one program in each subfolder")
	one := flag.String("engine", "", "run one program in this engine and print its CPU seconds (used internally)")
	cpu := flag.String("cpuprofile", "", "with -engine: write a CPU profile")
	flag.Parse()
	if *one != "" {
		s, err := run(*one, flag.Arg(0), *cpu)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(s)
		return
	}
	entries, err := os.ReadDir(*dir)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("| program | %s | vs interp | vs yaegi |\n", strings.Join(engines, " | "))
	fmt.Println("| --- |" + strings.Repeat(" --- |", len(engines)+2))
	var interp, yaegi []float64
	for _, e := range entries {
		if !e.IsDir() || flag.NArg() > 0 && !slices.Contains(flag.Args(), e.Name()) {
			continue
		}
		row := make([]float64, len(engines))
		for i, engine := range engines {
			row[i] = best(engine, filepath.Join(*dir, e.Name()), *n)
		}
		fmt.Printf("| %s |", e.Name())
		for _, s := range row {
			fmt.Printf(" %.3f s |", s)
		}
		fmt.Printf(" %.1f | %.1f |\n", row[1]/row[0], row[2]/row[0])
		interp = append(interp, row[1]/row[0])
		yaegi = append(yaegi, row[2]/row[0])
	}
	fmt.Printf("| geometric mean | | | | | %.1f | %.1f |\n", geomean(interp), geomean(yaegi))
	fmt.Printf("\n%s, %s/%s, CPU seconds, best of %d\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, *n)
}

// best runs a program n times in an engine, each in a new process.
func best(engine, program string, n int) float64 {
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	s := math.Inf(1)
	for range n {
		cmd := exec.Command(self, "-engine", engine, program)
		cmd.Stderr = io.Discard
		out, err := cmd.Output()
		if err != nil {
			log.Fatalf("%s in %s: %v", program, engine, err)
		}
		v, err := strconv.ParseFloat(strings.TrimSpace(string(out)), 64)
		if err != nil {
			log.Fatalf("%s in %s: printed %q", program, engine, out)
		}
		s = min(s, v)
	}
	return s
}

func geomean(x []float64) float64 {
	s := 0.0
	for _, v := range x {
		s += math.Log(v)
	}
	return math.Exp(s / float64(len(x)))
}
