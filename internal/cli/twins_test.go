package cli

import (
	"encoding/json"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/heddle-mc/heddle/internal/gosuite/randconc"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestTwins checks generated programs, and tests that do the same: what goes wrong in the one goes wrong in the other. What is said of those who
// are left behind differs, since a program ends with main.
func TestTwins(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	dir := t.TempDir()
	write := func(name, text string) { t.Helper(); writeFile(t, filepath.Join(dir, name), text) }
	write("go.mod", "module twins\n\ngo 1.26\n")
	found := 0
	for seed := uint64(100); seed < uint64(testlong.Or(103, 400)); seed++ {
		program := randconc.Program(seed, randconc.Options{})
		test := strings.Replace(program, "package main\n", "package p\n\nimport \"testing\"\n", 1)
		test = strings.Replace(test, "func main() {", "func TestIt(*testing.T) {", 1)
		write(fmt.Sprintf("main%d/main.go", seed), program)
		write(fmt.Sprintf("test%d/p_test.go", seed), test)
		kinds := func(args ...string) (list []string, all bool) {
			t.Helper()
			cmd := exec.CommandContext(t.Context(), "heddle", args...)
			cmd.Dir = dir
			out, _ := cmd.Output()
			var result struct {
				Findings []struct{ Kind string }
				Left     []json.RawMessage
			}
			if err := json.Unmarshal(out, &result); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, out)
			}
			if code := cmd.ProcessState.ExitCode(); code > 1 && code != 3 {
				t.Fatalf("%v: got exit code %d\n%s", args, code, out)
			}
			for _, f := range result.Findings {
				if f.Kind != "leak" && f.Kind != "deadlock" && f.Kind != "exit" && !slices.Contains(list, f.Kind) {
					list = append(list, f.Kind)
				}
			}
			slices.Sort(list)
			return list, len(result.Left) == 0
		}
		asMain, all := kinds("check", "-all", "-json", "-o", "", "-states", "20000", fmt.Sprintf("./main%d", seed))
		asTest, allTest := kinds("test", "-all", "-json", "-o", "", "-budget", "0", "-states", "20000", fmt.Sprintf("./test%d", seed))
		if all && allTest && !slices.Equal(asMain, asTest) {
			t.Errorf("seed %d: got %v for the program, and %v for the test\n%s", seed, asMain, asTest, program)
		}
		found += len(asMain)
	}
	if found == 0 {
		t.Error("nothing is wrong with all of them, want some with a fault")
	}
}
