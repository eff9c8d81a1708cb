package main

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed table2.txt
var table2 string

// A part is one third of a row of the paper's table.
type part string

// The parts, in the paper's order.
const (
	central part = "central" // all processes in the checker
	client  part = "client"  // the client in the checker, its server a live peer
	server  part = "server"  // the server in the checker, its clients live peers
)

var parts = []part{central, client, server}

// A cell is what the paper says of one part: a time and numbers of states, or a
// time alone if JPF failed, or neither, if it took more than two hours.
type cell struct {
	time           string
	new, revisited int64
}

const tooLong = "> 2 h"

// A row is one row of table 2. A part that the paper left out has no cell.
type row struct {
	program     string
	conn, scale int // scale is 0 where the paper has none
	paper       map[part]cell
}

// name is how the row is chosen: alphabet/3x5, daytime/2.
func (r row) name() string {
	if r.scale == 0 {
		return fmt.Sprintf("%s/%d", r.program, r.conn)
	}
	return fmt.Sprintf("%s/%dx%d", r.program, r.conn, r.scale)
}

// parseTable reads table2.txt.
func parseTable(text string) ([]row, error) {
	var rows []row
	for i, line := range strings.Split(text, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		r, err := parseRow(line)
		if err != nil {
			return nil, fmt.Errorf("table2.txt:%d: %w", i+1, err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

func parseRow(line string) (row, error) {
	columns := strings.Split(line, "|")
	head := strings.Fields(columns[0])
	if len(columns) != 1+len(parts) || len(head) != 3 {
		return row{}, fmt.Errorf("want program, conn and scale and %d parts, have %q", len(parts), line)
	}
	r := row{program: head[0], paper: map[part]cell{}}
	var err error
	if r.conn, err = strconv.Atoi(head[1]); err != nil {
		return r, err
	}
	if head[2] != "-" {
		if r.scale, err = strconv.Atoi(head[2]); err != nil {
			return r, err
		}
	}
	for i, p := range parts {
		text := strings.TrimSpace(columns[i+1])
		if text == "-" {
			continue
		}
		c, err := parseCell(text)
		if err != nil {
			return r, err
		}
		r.paper[p] = c
	}
	return r, nil
}

func parseCell(text string) (cell, error) {
	fields := strings.Fields(text)
	switch {
	case text == tooLong:
		return cell{time: tooLong}, nil
	case len(fields) == 1 && strings.Contains(text, ":"):
		return cell{time: text}, nil
	case len(fields) != 3:
		return cell{}, fmt.Errorf("want a time and two numbers, have %q", text)
	}
	c := cell{time: fields[0]}
	var err error
	if c.new, err = strconv.ParseInt(fields[1], 10, 64); err != nil {
		return c, err
	}
	c.revisited, err = strconv.ParseInt(fields[2], 10, 64)
	return c, err
}
