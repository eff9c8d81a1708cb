package execute_test

import (
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/explore"
)

// TestGroupEndIsAStep: another process may send something between the last call of a process and its end. What was sent
// and never read resets the connection.
func TestGroupEndIsAStep(t *testing.T) {
	if testing.Short() {
		t.Skip("loads package net")
	}
	const server = `
func main() {
	l, err := net.Listen("tcp4", "127.0.0.1:7000")
	if err != nil {
		panic(err)
	}
	c, err := l.Accept()
	if err != nil {
		panic(err)
	}
	c.Write([]byte("a"))
	if _, err := c.Read(make([]byte, 1)); errors.Is(err, syscall.ECONNRESET) {
		panic("reset")
	}
	panic("end of file")
}`
	const client = `
func main() {
	c, err := net.Dial("tcp4", "127.0.0.1:7000")
	if err != nil {
		return
	}
	c.SetReadDeadline(time.Unix(1, 0))
	c.Read(make([]byte, 1))
}`
	members := slices.Concat(
		alike(t, "package main\nimport (\"errors\"; \"net\"; \"syscall\")\n"+server, "server"),
		alike(t, "package main\nimport (\"net\"; \"time\")\n"+client, "client"))
	for name, first := range map[string]execute.Known{"plain": execute.Plain(), "reduced": execute.Unknown()} {
		s := settleGroup(t, first, members, execute.Settings{}, explore.Options{All: true, Reduce: name == "reduced"})
		if got := s.found(); len(got) != 2 {
			t.Errorf("%s: got %q, want a reset and an end of file", name, got)
		}
	}
}
