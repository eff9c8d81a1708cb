package peer

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// In a command and in the environment of a peer stand for addresses:
//
//	{addr}          where the other side can really be reached
//	{addr:8080}     the same, for what the program under test calls port 8080
//	{port}          the port of {addr} alone; {port:8080} that of {addr:8080}
//	{program:9000}  in the command of a server: where the program's own port 9000
//	                can be reached, for peers that also connect to the program
//	{udp}           as {addr}, for datagrams; {udp:69} the same, for port 69
//	{udpport}       the port of {udp} alone; {udpport:69} that of {udp:69}
//	{unix:/a/b}     the path of a socket of the Unix domain, for what the program under test calls /a/b: that of
//	                the peer, or of the program if the peer is a client. The real one is in a folder of its own
//	{n}             the number of the peer among those of the same spec
//
// For a client the other side is the program under test. A server is told where
// it shall listen, so that the program's connections to port 8080 reach it.
var placeholder = regexp.MustCompile(`\{(addr|port|program|udpport|udp)(?::([0-9]+))?\}|\{n\}|\{unix:(/[^{}\s]+)\}`)

// Ports are the ports, as the program under test calls them, that a command
// mentions. 0 stands for "whichever the program uses".
type ports struct {
	peer    []int  // the peer is to listen there
	program []int  // the program listens there, and the peer connects
	udp     []int  // datagrams are received there: by the program, if the peer is a client
	unix    string // the path at which connections are accepted, by the program if the peer is a client
}

// ports finds the placeholders of a command.
func (s *Spec) ports() (ports, error) {
	var p ports
	for _, text := range slices.Concat([]string{s.Command}, s.Args, s.Env) {
		if odd := misspelt(text); odd != "" {
			return p, diag.Usagef("%s: %s: there are {addr}, {port}, {udp}, {udpport}, {program}, all of them also with a number as in {addr:8080}, {unix:/path} and {n}", s.what(), odd)
		}
		for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
			if m[3] != "" && p.unix != "" && p.unix != m[3] {
				return p, diag.Usagef("%s: mentions several paths (%s, %s): only one can be told apart: use a peer for each", s.what(), p.unix, m[3])
			}
			p.unix = cmp.Or(m[3], p.unix)
			if m[1] == "" {
				continue
			}
			port := 0
			if m[2] != "" {
				var err error
				if port, err = strconv.Atoi(m[2]); err != nil || port < 1 || port > 65535 {
					return p, diag.Usagef("%s: %s: want a port from 1 to 65535", s.what(), m[0])
				}
			}
			at := &p.peer
			if m[1] == "udp" || m[1] == "udpport" {
				at = &p.udp
			} else if s.Role == Client || m[1] == "program" {
				at = &p.program
			}
			if !slices.Contains(*at, port) {
				*at = append(*at, port)
			}
		}
	}
	if p.unix != "" && len(p.peer)+len(p.program)+len(p.udp) > 0 {
		return p, diag.Usagef("%s: mentions a path (%s) and a port: only one can be told apart: use a peer for each", s.what(), p.unix)
	}
	if s.Role == Client && len(p.program)+len(p.udp) == 0 && p.unix == "" {
		p.program = []int{0}
	}
	for _, list := range [][]int{p.program, p.peer, p.udp} {
		if len(list) > 1 {
			return p, diag.Usagef("%s: mentions %d ports (%s): only one can be told apart: use a peer for each", s.what(), len(list), joinPorts(list))
		}
	}
	return p, nil
}

func joinPorts(list []int) string {
	var text []string
	for _, p := range list {
		if p == 0 {
			text = append(text, "{addr}")
		} else {
			text = append(text, strconv.Itoa(p))
		}
	}
	return strings.Join(text, ", ")
}

// An addressing holds the real addresses of one run of a peer.
type addressing struct {
	listen  netip.AddrPort // where the peer was told to listen
	program netip.AddrPort // where we listen in place of the program
	udp     netip.AddrPort // where the peer, or the program, is to receive datagrams
	unix    string         // the real path of the socket, of the peer or ours
}

// fill replaces the placeholders in text.
func (a *addressing) fill(s *Spec, text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(p string) string {
		switch {
		case p == "{n}":
			return strconv.Itoa(s.Count)
		case strings.HasPrefix(p, "{unix"):
			return a.unix
		case strings.HasPrefix(p, "{port") && s.Role == Client:
			return strconv.Itoa(int(a.program.Port()))
		case strings.HasPrefix(p, "{port"):
			return strconv.Itoa(int(a.listen.Port()))
		case strings.HasPrefix(p, "{udpport"):
			return strconv.Itoa(int(a.udp.Port()))
		case strings.HasPrefix(p, "{udp"):
			return a.udp.String()
		case s.Role == Client || strings.HasPrefix(p, "{program"):
			return a.program.String()
		}
		return a.listen.String()
	})
}

// mayBe finds what could be meant for a placeholder. What a shell would see in it after a $ is none.
var mayBe = regexp.MustCompile(`(\$?)\{([A-Za-z]+)(:[^{}\s,;]*)?\}`)

// misspelt returns the first text in braces that was most likely meant for a placeholder
// and is none: one of our words with something else than a number behind it, or almost one
// of our words. Commands have braces of their own, for shells, awk or jq, so words
// that differ in a letter, as {sort}, count only with a number.
func misspelt(text string) string {
	for _, m := range mayBe.FindAllStringSubmatch(text, -1) {
		if m[1] != "" || placeholder.MatchString(m[0]) {
			continue
		}
		number := len(m[3]) > 1 && strings.Trim(m[3][1:], "0123456789") == ""
		for _, word := range []string{"addr", "port", "program", "udp", "udpport"} {
			if m[2] == word || (m[3] == "" || number) && alike(strings.ToLower(m[2]), word, number) {
				return m[0]
			}
		}
	}
	return ""
}

// alike reports whether two words of three letters or more differ in one place: a letter more, a letter less, two that
// have changed places, or, if other is set, another letter.
func alike(a, b string, other bool) bool {
	if len(a) < 3 {
		return false
	}
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	switch {
	case len(a) == 2 && len(b) == 2:
		return a[0] == b[1] && a[1] == b[0]
	case len(a) == 1 && len(b) == 1:
		return other
	}
	return len(a)+len(b) <= 1
}

// env returns what is added to the environment of a peer.
func (a *addressing) env(s *Spec) []string {
	addr := a.listen
	if s.Role == Client {
		addr = a.program
	}
	if !addr.IsValid() {
		addr = a.udp
	}
	where := addr.String()
	if a.unix != "" {
		where = a.unix
	}
	env := []string{"HEDDLE_ADDR=" + where, fmt.Sprintf("HEDDLE_N=%d", s.Count)}
	for _, e := range s.Env {
		env = append(env, a.fill(s, e))
	}
	return env
}
