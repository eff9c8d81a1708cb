package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/heddle-mc/heddle/internal/hostile"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestHostileParts gives parts to certify -part, and results to certify -results, in which something was changed, with sums that are
// right: nothing crashes, and nothing that is wrong is certified, whatever results say.
func TestHostileParts(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	writeTree(t, dir, map[string]string{"m.mcrl2": unsafePrograms["m.mcrl2"]})
	t.Chdir(dir)
	run := func(want int, args ...string) {
		t.Helper()
		if code, stdout, stderr := runHeddle(args...); code != want {
			t.Fatalf("%q: got exit %d, %s, %s", args, code, stdout, stderr)
		}
	}
	const parts = 4
	run(0, "check", "-search", "dfs", "-cert", "c.heddle", "m.mcrl2")
	run(0, "cert", "partition", "-k", fmt.Sprint(parts), "-o", "parts", "c.heddle")
	read := func(name string) []byte {
		t.Helper()
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	file := func(n int) string { return filepath.Join("parts", fmt.Sprintf("part-%04d", n)) }
	// What others say who look for deadlocks only, which there are none of.
	var results [parts + 1][]byte
	for n := 1; n <= parts; n++ {
		run(0, "certify", "-part", file(n), "m.mcrl2")
		results[n] = read(file(n) + ".result")
	}
	run(0, "certify", "-results", "parts", "-confidence", "0", "c.heddle", "m.mcrl2")
	run(1, "certify", "-results", "parts", "-confidence", "0", "-deadlock", "-action", "bad", "c.heddle", "m.mcrl2")
	for k := range testlong.Or(120, 2000) {
		r := hostile.Dice(2, uint64(k))
		n := 1 + r.IntN(parts)
		bad, what := hostile.Certificate(r, read(file(n)))
		if err := os.WriteFile("bad", bad, 0o666); err != nil {
			t.Fatal(err)
		}
		os.Remove("bad.result")
		code, stdout, stderr := runHeddle("certify", "-part", "bad", "-deadlock", "-action", "bad", "m.mcrl2")
		if code != 0 && code != 1 && code != 3 {
			t.Errorf("part %d, file %d: %s: got exit %d, %s, %s", n, k, what, code, stdout, stderr)
		}
		// Whatever has come of it goes back, and so does a result in which something was changed.
		back, err := os.ReadFile("bad.result")
		if err != nil {
			at := r.IntN(len(results[n]))
			back = append([]byte(nil), results[n]...)
			back[at] ^= 1 << r.IntN(8)
		}
		if err := os.WriteFile(file(n)+".result", back, 0o666); err != nil {
			t.Fatal(err)
		}
		if code, stdout, stderr := runHeddle("certify", "-results", "parts", "-confidence", "0", "-deadlock", "-action", "bad", "c.heddle", "m.mcrl2"); code != 1 {
			t.Errorf("result of part %d, file %d: %s: got exit %d, %s, %s", n, k, what, code, stdout, stderr)
		}
		if code, stdout, stderr := runHeddle("certify", "-results", "parts", "-confidence", "0", "c.heddle", "m.mcrl2"); code != 0 {
			t.Errorf("result of part %d, file %d, of what is right: %s: got exit %d, %s, %s", n, k, what, code, stdout, stderr)
		}
		if err := os.WriteFile(file(n)+".result", results[n], 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
