package alphabet_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestConform holds the server against its model, with the clients of its
// heddle.yaml, and against one that knows another alphabet.
func TestConform(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	text, err := os.ReadFile("model/server.mcrl2")
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.mcrl2")
	if err := os.WriteFile(other, []byte(strings.Replace(string(text), "letter(1) = A;", "letter(1) = B;", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		model, flags, want string
		code               int
	}{
		{"model/server.mcrl2", "", "verified: every interleaving of ./server as model/server.mcrl2: ", 0},
		{"model/server.mcrl2", "-reduce=false", "verified: every interleaving of ./server as model/server.mcrl2: ", 0},
		{other, "", "difference: the program does answer(1, A), the model allows answer(1, B)", 1},
	} {
		args := append([]string{"conform", "-o", t.TempDir(), "-map", "model/map.yaml", "./server", test.model}, strings.Fields(test.flags)...)
		cmd := exec.CommandContext(t.Context(), "heddle", args...)
		out, _ := cmd.CombinedOutput()
		if got := cmd.ProcessState.ExitCode(); got != test.code || !strings.Contains(string(out), test.want) {
			t.Errorf("%v: got exit code %d and\n%swant %d and %q", args, got, out, test.code, test.want)
		}
	}
}
