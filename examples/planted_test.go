package examples

import (
	"encoding/json"
	"os/exec"
	"strconv"
	"testing"

	"github.com/heddle-mc/heddle/internal/testlong"
)

// TestPlantedDefect: the read without asking, which paper 003 has planted in the
// alphabet server, is found among the first ten states, however many clients there are.
func TestPlantedDefect(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	for _, n := range testlong.Or([]int{1, 10}, []int{1, 2, 10, 99}) {
		args := []string{"check", "-json", "-answer", "10m", "-o", t.TempDir(), "./alphabet/epoll/server/buggy"}
		for range n {
			args = append(args, "-client", "alphabet/peer/client.sh {addr} 2")
		}
		out, _ := exec.CommandContext(t.Context(), "heddle", append(args, "--", "-n", strconv.Itoa(n), "-m", "2")...).Output()
		var r struct {
			Verdict  string
			States   int
			Findings []struct{ Kind string }
		}
		if err := json.Unmarshal(out, &r); err != nil {
			t.Fatalf("%d clients: %v\n%s", n, err, out)
		}
		if r.Verdict != "violation" || len(r.Findings) != 1 || r.Findings[0].Kind != "assert" {
			t.Errorf("%d clients: got %s %v, want an assertion that fails", n, r.Verdict, r.Findings)
		}
		if r.States > 10 {
			t.Errorf("%d clients: got %d states, want at most 10", n, r.States)
		}
	}
}
