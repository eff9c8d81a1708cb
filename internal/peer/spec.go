package peer

import (
	"fmt"
	"net"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/internal/diag"
)

// A Role says who connects to whom.
type Role uint8

// The roles.
const (
	Server Role = iota // the program under test connects to the peer
	Client             // the peer connects to the program under test
)

var roleNames = [...]string{Server: "server", Client: "client"}

func (r Role) String() string { return roleNames[r] }

// A Spec says what a peer is. One of Command, Args and Addr must be set; the
// zero value of every other field will do.
type Spec struct {
	Name    string   // what histories call the peer: the role if it is empty
	Role    Role     //
	Command string   // a command for sh -c
	Args    []string // or a program and its arguments, run as they are
	Addr    string   // or the host:port of a server that runs already
	UDP     bool     // at that address it receives datagrams
	Env     []string // is added to the environment of Heddle
	Dir     string   // where it runs: where Heddle does if it is empty
	Count   int      // so many peers of this kind, with names that end in .1, .2 and so on: 1 if it is zero

	// Ready limits the time until a server listens, or a client connects: 10 s if it is zero.
	Ready time.Duration
	// Answer limits the time from a request until the peer is quiet again, for a
	// client also the time from its launch: 10 s if it is zero.
	Answer time.Duration
	// Patience is the longest timeout of a wait for input that is waited out
	// before the peer counts as quiet: 2 s if it is zero. See [Group] on timers.
	Patience time.Duration
	// Delay, if it is not zero, replaces looking at the peer: it is quiet when it
	// has said nothing for so long. For an Addr it is 100 ms if it is zero.
	Delay time.Duration
	// Whole takes each answer in one piece: it is not looked at how often the peer has written.
	Whole bool
	// Fixed makes what the peer takes for time and random numbers the same in each of its runs. Free says that
	// this must not be done.
	Fixed, Free bool
	// Copied says that runs may be copies of one that was started. Started says that this must not be done.
	Copied, Started bool
	// MaxBytes bounds what the peer may say on one connection between one request
	// and the next: 16 MiB if it is zero.
	MaxBytes int
}

// streams reports whether the peer is one for connections, perhaps among others.
func (s *Spec) streams() bool {
	p, _ := s.ports()
	return !s.UDP && p.unix == "" && (len(p.udp) == 0 || len(p.peer)+len(p.program) > 0)
}

// path returns the path of the socket of the Unix domain that the peer is at, or that it connects to, as the program calls it; "" if it
// is one for ports.
func (s *Spec) path() string {
	p, _ := s.ports()
	return p.unix
}

// watched reports whether it is looked at how often the peer writes.
func (s *Spec) watched() bool { return s.local() && !s.Whole }

// Repeatable reports whether the peer can be made to repeat itself, and is not yet.
func (s *Spec) Repeatable() bool { return s.local() && !s.Fixed && !s.Free }

// fixed reports whether the peer is made to repeat itself.
func (s *Spec) fixed() bool { return s.local() && s.Fixed }

// copyable reports whether copies of the peer may be made.
func (s *Spec) copyable() bool {
	return s.Role == Server && s.watched() && s.Copied && !s.Fixed && !s.Started && s.path() == ""
}

// local reports whether the peer is a process of ours.
func (s *Spec) local() bool { return s.Addr == "" }

var addrPattern = regexp.MustCompile(`^(\[[0-9a-fA-F:.%]+\]|[A-Za-z0-9.-]+):[0-9]+$`)

// ParseSpec reads what was written after -server or -client: a command, or for
// a server also host:port.
func ParseSpec(role Role, text string) (Spec, error) {
	s := Spec{Role: role, Command: text}
	if rest, ok := strings.CutPrefix(text, "udp:"); ok && addrPattern.MatchString(rest) {
		text, s.UDP = rest, true
	}
	if addrPattern.MatchString(text) {
		if role == Client {
			return s, diag.Usagef("-client %s: a client must be a command, since it is launched when the program is ready to accept", text)
		}
		s.Command, s.Addr = "", text
	}
	return s, s.check()
}

// check finds what cannot be meant.
func (s *Spec) check() error {
	ways := 0
	for _, set := range []bool{s.Command != "", len(s.Args) > 0, s.Addr != ""} {
		if set {
			ways++
		}
	}
	what := s.what()
	switch {
	case ways != 1:
		return diag.Usagef("%s: want one of a command, arguments and an address, have %d", what, ways)
	case s.Addr != "" && s.Role == Client:
		return diag.Usagef("%s: a client must be a command", what)
	case s.Addr != "" && s.Count > 1:
		return diag.Usagef("%s: there is one server at an address, want count 1, have %d", what, s.Count)
	case s.Count < 0 || s.Ready < 0 || s.Answer < 0 || s.Patience < 0 || s.Delay < 0 || s.MaxBytes < 0:
		return diag.Usagef("%s: limits and counts must not be negative", what)
	}
	if s.Addr != "" {
		if _, port, err := net.SplitHostPort(s.Addr); err != nil || port == "0" || port == "" {
			return diag.Usagef("%s: want host:port, have %q", what, s.Addr)
		}
	}
	if _, _, err := s.place(); err != nil {
		return diag.Usagef("%s: %v", what, err)
	}
	_, err := s.ports()
	return err
}

// place returns where the command runs and the file that is executed. A name
// with a slash is seen from there.
func (s *Spec) place() (dir, path string, err error) {
	if dir, err = filepath.Abs(s.Dir); err != nil || len(s.Args) == 0 {
		return dir, "/bin/sh", err
	}
	name := s.Args[0]
	if strings.Contains(name, "/") && !filepath.IsAbs(name) {
		name = filepath.Join(dir, name)
	}
	path, err = exec.LookPath(name)
	if err == nil {
		path, err = filepath.Abs(path)
	}
	return dir, path, err
}

// what names the peer in messages.
func (s *Spec) what() string {
	if s.Name != "" {
		return fmt.Sprintf("%v %s", s.Role, s.Name)
	}
	return s.Role.String()
}

// fill puts in what stands for zero.
func (s *Spec) fill() {
	if s.Name == "" {
		s.Name = s.Role.String()
	}
	for _, d := range []struct {
		at *time.Duration
		is time.Duration
	}{{&s.Ready, 10 * time.Second}, {&s.Answer, 10 * time.Second}, {&s.Patience, 2 * time.Second}} {
		if *d.at == 0 {
			*d.at = d.is
		}
	}
	if s.Delay == 0 && !s.local() {
		s.Delay = 100 * time.Millisecond
	}
	if s.MaxBytes == 0 {
		s.MaxBytes = 16 << 20
	}
	if s.Count == 0 {
		s.Count = 1
	}
}

// group returns what peers that are alike have in common.
func (s *Spec) group() string {
	for _, text := range slices.Concat([]string{s.Command}, s.Args, s.Env) {
		if strings.Contains(text, "{n}") || strings.Contains(text, "HEDDLE_N") {
			return s.Name
		}
	}
	return strings.TrimSuffix(s.Name, "."+strconv.Itoa(s.Count))
}

// expand returns a spec with a name of its own for each peer that s counts.
func (s Spec) expand() []Spec {
	s.fill()
	if s.Count == 1 {
		return []Spec{s}
	}
	all := make([]Spec, s.Count)
	for i := range all {
		all[i] = s
		all[i].Name = s.Name + "." + strconv.Itoa(i+1)
		all[i].Count = i + 1 // from here on the number of the peer
	}
	return all
}
