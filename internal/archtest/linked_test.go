package archtest

import (
	"os/exec"
	"strings"
	"testing"
)

// unlinked are packages that the command heddle does without, and what each costs: who
// types go run ./cmd/heddle on a new machine waits for all that is linked.
var unlinked = []struct{ path, why string }{
	{"github.com/nats-io/", "a message server is a third of the time that a build takes: it is in cmd/heddle-nats"},
	{"net/http", "heddle is no web server, and no client of one"},
	{"crypto/tls", "connections that need it are those of heddle-nats"},
	{"crypto/x509", "the keys of certificates are read by internal/cert"},
	{"golang.org/x/tools/go/packages", "go list is read by internal/load"},
	{"go/doc", "go list is read by internal/load"},
	{"debug/", "the build ID is read by internal/progcache"},
	{"testing", "it is for tests"},
}

// TestLinked: the command heddle links nothing that only other commands need, and
// heddle-nats has what heddle has not.
func TestLinked(t *testing.T) {
	for _, dep := range linked(t, "heddle") {
		for _, u := range unlinked {
			if within(dep, strings.TrimSuffix(u.path, "/")) {
				t.Errorf("cmd/heddle links %s: %s", dep, u.why)
			}
		}
	}
	nats := false
	for _, dep := range linked(t, "heddle-nats") {
		nats = nats || strings.HasPrefix(dep, unlinked[0].path)
	}
	if !nats {
		t.Error("cmd/heddle-nats does not link NATS")
	}
}

// linked returns what a command links.
func linked(t *testing.T, command string) []string {
	t.Helper()
	out, err := exec.Command("go", "list", "-deps", module+"/cmd/"+command).Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	return strings.Fields(string(out))
}
