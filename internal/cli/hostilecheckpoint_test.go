package cli

import (
	"fmt"
	"os"
	"testing"

	"github.com/heddle-mc/heddle/internal/certify"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/hostile"
)

// An honest checkpoint, from which bad ones are made.
type honestCheckpoint struct {
	name, flags, program string
	states               int  // after so many it is cut off,
	found                bool // and has found what is wrong
}

var honestCheckpoints = []honestCheckpoint{
	{"dfs", "-search dfs", "./late", 8, false},
	{"dfs without reduction", "-search dfs -reduce=false", "./late", 8, false},
	{"bfs", "-search bfs", "./late", 8, false},
	{"bfs without reduction", "-search bfs -reduce=false", "./late", 60, false},
	{"bfs with workers", "-search bfs -workers 2", "./late", 8, false},
	{"dfs with findings", "-search dfs -all -reduce=false", "./locks", 60, true},
	{"bfs with findings", "-search bfs -all -reduce=false", "./locks", 60, true},
}

// TestHostileCheckpoints resumes from checkpoints in which something was changed, with a sum that is right: what is wrong is not
// verified, nothing crashes, and no file takes much memory, not even if it is sealed with the key of the user.
func TestHostileCheckpoints(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", dir)
	writeTree(t, dir, unsafePrograms)
	t.Chdir(dir)
	h := &hostileRun{t: t, page: &hostileTable{}, backend: newKeepingBackend()}
	key, err := certify.SealKey()
	if err != nil {
		t.Fatal(err)
	}
	files := 0
	for i, c := range honestCheckpoints {
		for k, args := range []string{" " + c.program, " " + c.program + " -- safe"} {
			want := diag.ExitIncomplete
			if c.found && k == 0 {
				want = diag.ExitFinding
			}
			first := hostileCommand{args: fmt.Sprintf("check -o out -states %d -checkpoint FILE %s%s", c.states, c.flags, args)}
			if code, out, _ := h.run(first, nil); code != want {
				t.Fatalf("%s: got exit %d, %s, want one that is cut off", c.name, code, out)
			}
			data, err := os.ReadFile("bad.heddle")
			if err != nil {
				t.Fatal(err)
			}
			cmd := hostileCommand{name: "check -resume, wrong", args: "check -o out -resume FILE " + c.flags + args, wrong: k == 0}
			if k == 1 {
				cmd.name = "check -resume, right"
			}
			_, _, usual := h.run(cmd, data)
			h.usual = map[string]uint64{cmd.name: usual, cmd.name + ", sealed": usual}
			n := (*hostileCheckpoints + 2*len(honestCheckpoints) - 1) / (2 * len(honestCheckpoints))
			files += n
			for j := range n {
				r := hostile.Dice(*hostileSeed, uint64(j*len(honestCheckpoints)+i))
				cmd, key := cmd, key
				if r.IntN(3) == 0 {
					key = nil // as somebody else can do it
				} else {
					cmd.name += ", sealed" // and may say what is not so
					cmd.wrong = false
				}
				bad, what := hostile.Checkpoint(r, data, key)
				h.command(c.name, cmd, bad, fmt.Sprintf("%s, file %d, %s", c.name, j, what))
			}
		}
	}
	h.page.write(t, "Checkpoints", files)
}
