package execute

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestExamples runs every example that needs nobody to talk to natively and in the
// machine, under three schedules, and compares what they print; then to its end and
// back.
func TestExamples(t *testing.T) {
	mains, err := filepath.Glob("../../examples/*/main.go")
	if err != nil || len(mains) == 0 {
		t.Fatal("no examples: ", err)
	}
	for _, main := range mains {
		dir := filepath.Dir(main)
		if _, err := os.Stat(filepath.Join(dir, "heddle.yaml")); err == nil || filepath.Base(dir) == "loadbalancer" {
			continue // it has peers
		}
		t.Run(filepath.Base(dir), func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command("go", "run", ".")
			cmd.Dir = dir
			want, err := cmd.Output()
			if err != nil {
				t.Fatal(err)
			}
			files, err := filepath.Glob(filepath.Join(dir, "*.go"))
			if err != nil {
				t.Fatal(err)
			}
			prog := CompileShared(t, files...)
			for seed := range uint64(3) {
				var out, errs bytes.Buffer
				exit, err := Run(prog, Process{Args: []string{"example"}, Dir: abs(t, dir), Stdout: &out, Stderr: &errs, Seed: seed})
				if err != nil || exit.Code != 0 {
					t.Fatalf("seed %d: %v %+v\n%s", seed, err, exit, errs.Bytes())
				}
				if !bytes.Equal(out.Bytes(), want) {
					t.Errorf("seed %d: got\n%s\nwant\n%s", seed, out.Bytes(), want)
				}
			}
			m, err := Start(prog, Process{Args: []string{"example"}, Dir: abs(t, dir), Stdout: io.Discard, Stderr: io.Discard, Isolated: true})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if _, err := CheckUndo(m, 1<<30); err != nil {
				t.Error(err)
			}
		})
	}
}

func abs(t *testing.T, dir string) string {
	dir, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	return dir
}
