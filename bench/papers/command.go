package main

import (
	"fmt"
	"slices"
	"strconv"
)

// A pair is a server and its clients: two folders below examples, and how they are
// run as the other side of what is checked.
type pair struct {
	server, client string
	endless        []string // arguments of a server that is a peer and goes on
}

var pairs = map[string]pair{
	"daytime":  {"daytime/server", "daytime/client", []string{"-n", "0"}},
	"jget":     {"jget/server", "jget/client", []string{"-n", "-1"}},
	"alphabet": {"alphabet/server", "alphabet/client", []string{"-n", "0"}},
	"chat":     {"chat/server", "chat/client", []string{"-n", "0"}},
}

// args are the arguments of both sides: the programs of a pair take the same ones.
func (r row) args() []string {
	switch r.program {
	case "alphabet":
		return []string{"-n", strconv.Itoa(r.conn), "-m", strconv.Itoa(r.scale)}
	case "chat":
		return []string{"-n", strconv.Itoa(r.scale)} // as many are let in
	}
	return []string{"-n", strconv.Itoa(r.conn)}
}

// clients are the commands of the clients of a server that is checked. Each has one
// connection. Those of Jget's server are curl, for the whole and for each piece: the
// client has all connections in one process, in an order that nobody knows.
func (r row) clients(bin string) []string {
	switch r.program {
	case "alphabet":
		return slices.Repeat([]string{peer(bin, []string{"-n", "1", "-m", strconv.Itoa(r.scale)})}, r.conn)
	case "jget":
		const size = 8 // of the file
		list := []string{"curl -s http://{addr}/"}
		for i := range r.conn {
			list = append(list, fmt.Sprintf("curl -s -r %d-%d http://{addr}/", i*size/r.conn, (i+1)*size/r.conn-1))
		}
		return list
	}
	return slices.Repeat([]string{peer(bin, nil)}, r.conn)
}

// A builder turns a folder below examples into a binary, and says where it is.
type builder func(folder string) (string, error)

// command returns the arguments of heddle for one part of a row.
func (r row) command(p part, build builder) ([]string, error) {
	pr, ok := pairs[r.program]
	if !ok {
		return nil, fmt.Errorf("%s: no such example", r.program)
	}
	args, err := pr.command(r, p, build)
	if p == central && r.program == "chat" && r.scale == 4 { // the one part that takes many minutes
		args = append([]string{"-workers", "2"}, args...)
	}
	return args, err
}

// command is the same for another pair of programs with the arguments of the row.
func (pr pair) command(r row, p part, build builder) ([]string, error) {
	var args []string
	switch p {
	case central:
		args = append(args, example(pr.server))
		processes := 1
		if r.program == "chat" {
			processes = r.conn // the others have all connections in one
		}
		for range processes {
			args = append(args, example(pr.client))
		}
	case client:
		bin, err := build(pr.server)
		if err != nil {
			return nil, err
		}
		args = append(args, example(pr.client), "-server", peer(bin, pr.endless))
	case server:
		bin, err := build(pr.client)
		if err != nil {
			return nil, err
		}
		args = append(args, example(pr.server))
		for _, c := range r.clients(bin) {
			args = append(args, "-client", c)
		}
	}
	return append(append(args, "--"), r.args()...), nil
}

func example(folder string) string { return "./examples/" + folder }

// peer is the command of a peer. Heddle puts in the address.
func peer(bin string, args []string) string {
	text := bin + " -addr {addr}"
	for _, a := range args {
		text += " " + a
	}
	return text
}
