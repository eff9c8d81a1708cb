package scout

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/sockets"
)

// usual are commands of servers that are known by their ports.
var usual = map[int]struct{ name, command string }{
	1883:  {"mosquitto", "mosquitto -p {port:1883}"},
	4222:  {"nats", "nats-server -a 127.0.0.1 -p {port:4222}"},
	6379:  {"redis", "redis-server --port {port:6379}"},
	11211: {"memcached", "memcached -l 127.0.0.1 -p {port:11211}"},
}

// A peer is an entry of the list peers.
type peer struct {
	about string // for a comment
	role  string
	line  string // its command
	known bool   // the command can be used as it is
	count int
	name  string
	host  string // by which the program knows it, or ""
}

// YAML returns the file: what is not known is in comments.
func (s *Sight) YAML() string {
	var b strings.Builder
	if s.Tests {
		fmt.Fprintf(&b, `# How heddle checks the tests of this package: %s
# heddle init has written this file. Flags on the command line go before it;
# docs/flags.md and 'heddle help test' list all settings.

# Settings that are often wanted:
# late: 0            # timers fire only when everybody waits: fewer schedules
# leak: false        # a kind of finding that is not looked for: heddle explain
# env: [DEBUG=1]     # variables of the environment
`, s.Command())
		return b.String()
	}
	fmt.Fprintf(&b, `# How heddle checks this package: %s
# heddle init has written this file from a look at the program. Flags on the command
# line go before it; docs/flags.md and 'heddle help check' list all settings.
`, s.Command())
	if s.Ended != "" {
		fmt.Fprintf(&b, "\n# While nobody answered, the program ended: %s\n# It may need arguments (args), or the servers below, to go on. Then run\n# heddle init -force again.\n", oneLine(s.Ended))
	}
	if len(s.Args) > 0 {
		quoted := make([]string, len(s.Args))
		for i, a := range s.Args {
			quoted[i] = quoteYAML(a)
		}
		fmt.Fprintf(&b, "\nargs: [%s]\n", strings.Join(quoted, ", "))
	}
	s.writePeers(&b)
	if len(s.Calls) > 0 {
		b.WriteString("\n# Calls in this package that listen or dial. The program may not have come to all\n# of them:\n")
		for _, c := range s.Calls {
			fmt.Fprintf(&b, "#   %s  %s\n", c.Where, c.Text)
		}
	}
	b.WriteString("\n# Settings that are often wanted:\n")
	if len(s.Args) == 0 {
		b.WriteString("# args: [-n, 2]      # arguments of the program: small numbers make small searches\n")
	}
	b.WriteString(`# timeout: 5m        # end the search after that, inconclusive
# late: 0            # timers fire only when everybody waits: fewer schedules
# leak: false        # a kind of finding that is not looked for: heddle explain
# faults: reset:1    # one connection may be reset on each path: docs/network.md
`)
	return b.String()
}

// Command is what one types to have it checked.
func (s *Sight) Command() string {
	if s.Tests {
		return "heddle test " + s.Target
	}
	return "heddle check " + s.Target
}

// writePeers writes the list of peers and the names by which the program knows them.
func (s *Sight) writePeers(b *strings.Builder) {
	peers := s.peers()
	if len(peers) == 0 {
		b.WriteString("\n# The program was not seen to listen or to dial: it needs no peers.\n")
		return
	}
	active := false
	for _, p := range peers {
		active = active || p.known
	}
	lead := func(on bool) string {
		if on {
			return ""
		}
		return "# "
	}
	fmt.Fprintf(b, "\n# Who talks to the program. Commands run in this folder by sh; {addr:N} is the\n# address that the program calls port N, {port:N} its number (docs/network.md).\n%speers:\n", lead(active))
	hosts := ""
	for _, p := range peers {
		fmt.Fprintf(b, "  # %s\n", p.about)
		if !p.known {
			b.WriteString("  # Put a command in the place of COMMAND, and take the # away.\n")
		}
		fmt.Fprintf(b, "  %s- %s: %s\n", lead(p.known), p.role, p.line)
		if p.name != "" {
			fmt.Fprintf(b, "  %s  name: %s\n", lead(p.known), p.name)
		}
		if p.count > 1 {
			fmt.Fprintf(b, "  %s  count: %d        # so many of them at a time\n", lead(p.known), p.count)
		}
		if p.host != "" {
			hosts += fmt.Sprintf("%s  %s: %s\n", lead(p.known), p.host, p.name)
		}
	}
	if hosts != "" {
		on := false
		for line := range strings.Lines(hosts) {
			on = on || !strings.HasPrefix(line, "#")
		}
		fmt.Fprintf(b, "\n# The names and addresses by which the program knows them.\n%shosts:\n%s", lead(on), hosts)
	}
}

// peers makes a peer of each place.
func (s *Sight) peers() (list []peer) {
	names := map[string]int{}
	for _, p := range s.Places {
		at := place(p)
		switch {
		case p.Listens && s.Itself:
			continue
		case p.Listens:
			x := peer{about: "The program listens at " + at + ".", role: "client", line: "COMMAND " + braces(p)}
			if s.HTTP && p.Net == "tcp" {
				x.line, x.known, x.count = "curl -s http://"+braces(p)+"/", true, 2
			}
			list = append(list, x)
		default:
			x := peer{about: "The program dials " + at + ", and nobody is there.", role: "server", line: "COMMAND " + braces(p), name: "server"}
			if p.Net == "name" {
				x.about, x.line = "The program looks up "+p.Host+".", "COMMAND {addr}"
			}
			if u, ok := usual[p.Port]; ok && p.Net == "tcp" {
				x.name, x.line, x.known = u.name, u.command, true
			}
			if p.Net == "name" || outside(p) {
				x.host = p.Host
				if label, _, _ := strings.Cut(p.Host, "."); net.ParseIP(p.Host) == nil && !x.known {
					x.name = label
				}
			}
			if names[x.name]++; names[x.name] > 1 {
				x.name += strconv.Itoa(names[x.name])
			}
			list = append(list, x)
		}
	}
	return list
}

// place writes where something is.
func place(p sockets.Place) string {
	switch p.Net {
	case "unix":
		return p.Host + " (unix)"
	case "name":
		return p.Host
	}
	host := p.Host
	if host == "::" || host == "0.0.0.0" {
		host = ""
	}
	return net.JoinHostPort(host, strconv.Itoa(p.Port)) + " (" + p.Net + ")"
}

// braces writes what stands for a place in a command.
func braces(p sockets.Place) string {
	switch {
	case p.Net == "unix":
		return "{unix:" + p.Host + "}"
	case p.Net == "udp":
		return fmt.Sprintf("{udp:%d}", p.Port)
	case p.Port == 0 || p.Port >= 32768: // one that the system has chosen
		return "{addr}"
	}
	return fmt.Sprintf("{addr:%d}", p.Port)
}

func quoteYAML(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
