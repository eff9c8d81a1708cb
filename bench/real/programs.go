package main

import (
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// A program of examples/real, with its folders wrong and right.
type program struct {
	name   string
	pkg    string   // what it is made with
	peer   string   // whom it talks to
	needs  []string // commands
	debian string   // the packages that have them
	ask    []string // the command that tells the version of the peer
	// open has, for wrong and right, why it is known that the check does not come to its end.
	open map[string]string
}

var ways = []string{"wrong", "right"}

var programs = []program{
	{name: "redis", pkg: "go-redis", peer: "redis-server", needs: []string{"redis-server"}, debian: "redis-server",
		ask: []string{"redis-server", "--version"}, open: map[string]string{
			"right": "the pool of go-redis dials in goroutines that go on beside those who use the connections, takes locks and atomics that all share at each command, and looks " +
				"at the clock again and again, which moves it: one connection and one command are 4,243 states already, without maintenance notifications, and more than 30,000 with them",
		}},
	{name: "postgres", pkg: "database/sql, pgx", peer: "postgres", needs: []string{"initdb", "postgres"}, debian: "postgresql",
		ask: []string{"postgres", "--version"}, open: map[string]string{
			"right": "contexts: database/sql has a goroutine that opens connections and one that waits for the end of each query. They lock contexts at any moment beside those who query. " +
				"To open one connection are 5,209 states; a state takes 2 ms, half of it to find out who can reach what in a large heap",
		}},
	{name: "tftp", pkg: "pin/tftp", peer: "atftpd", needs: []string{"atftpd"}, debian: "atftpd", ask: []string{"atftpd", "--version"}},
	{name: "ftp", pkg: "jlaffaye/ftp", peer: "vsftpd", needs: []string{"vsftpd"}, debian: "vsftpd",
		ask: []string{"sh", "-c", "vsftpd -v 0>&1"}, open: map[string]string{ // it tells its version on descriptor 0
			"right": "a connection for data depends on the one on which its port was announced, so all connections are taken together, and each order of the requests of both workers " +
				"is a state of its own. To take together only those that depend may do; that was not tried",
		}},
	{name: "proxy", pkg: "net/http/httputil", peer: "nginx, curl", needs: []string{"nginx", "curl"}, debian: "nginx-light curl",
		ask: []string{"nginx", "-v"}, open: map[string]string{
			"right": "not measured, probably this: a request has goroutines for its connection, for what comes next on it, and two for the connection with nginx, with the locks of the transport between them",
		}},
	{name: "mqtt", pkg: "paho.mqtt.golang", peer: "mosquitto", needs: []string{"mosquitto"}, debian: "mosquitto",
		ask: []string{"mosquitto", "-h"}, open: map[string]string{
			"right": "not measured, probably this: each of the three clients has half a dozen goroutines, which hand packets to each other and look at the clock",
		}},
	{name: "grpc", pkg: "grpc-go", peer: "two clients, of grpc-go, too", needs: []string{"go"}, debian: "golang", ask: []string{"go", "version"},
		open: map[string]string{
			"right": "not measured, probably this: a connection has goroutines that read, write and keep it alive, each request one more, and buffers with locks between them",
		}},
}

// missing returns a command that is needed and not there, if any.
func (p *program) missing() string {
	for _, c := range p.needs {
		if _, err := exec.LookPath(c); err != nil && !inPostgres(c) {
			return c
		}
	}
	return ""
}

// inPostgres reports whether a command is where Debian has those of postgres, which is not in PATH.
func inPostgres(command string) bool {
	out, err := exec.Command("sh", "-c", "ls /usr/lib/postgresql/*/bin/"+command).Output()
	return err == nil && len(out) > 0
}

var versionNumber = regexp.MustCompile(`\d+\.\d+(\.\d+)*`)

// version is what the peer says of itself.
func (p *program) version() string {
	cmd := exec.Command("sh", "-c", `PATH="$PATH:$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -1)"; exec "$@" 2>&1`, "sh")
	cmd.Args = append(cmd.Args, p.ask...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	out, _ := cmd.Output() // some end with an error though they tell it
	return versionNumber.FindString(strings.ReplaceAll(string(out), "(", " "))
}
