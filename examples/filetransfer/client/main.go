// Client gets files from a server by datagrams, and copes with those that are lost,
// duplicated or late: packets have the number of their file and their index in it.
//
// This is the client of paper 004, section IV.B (algorithms 7 and 8), with the cure
// that the paper proposes: in folder buggy the numbers of files are not looked at. See
// the README of the folder above for how it is checked.
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"log"
	"net"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/heddle-mc/heddle/verify"
)

// reference are local copies of the files, for comparison.
var reference = map[string]string{"one": "abcd", "two": "1234"}

func main() {
	tcp := flag.String("tcp", "127.0.0.1:2628", "address of the server")
	udp := flag.String("udp", "127.0.0.1:2629", "address of the server for datagrams")
	tries := flag.Int("tries", 2, "how often to ask for a file")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		names = []string{"one", "two"}
	}

	control, err := net.Dial("tcp", *tcp)
	if err != nil {
		log.Fatal(err)
	}
	data, err := net.Dial("udp", *udp)
	if err != nil {
		log.Fatal(err)
	}
	answers := bufio.NewReader(control)
	for _, name := range names { // algorithm 7
		fmt.Fprintln(control, name)
		var id, packets int
		if _, err := fmt.Fscan(answers, &id, &packets); err != nil {
			log.Fatal(err)
		}
		text, ok := getFile(data, name, id, packets, *tries)
		verify.Assert(!ok || text == reference[name], "another file")
		fmt.Println(name, text, ok)
	}
	control.Close()
	data.Close()
}

// getFile gets a file in packets (algorithm 8). What does not come in time is asked
// for again, some times.
func getFile(conn net.Conn, name string, id, packets, tries int) (text string, ok bool) {
	parts := make([]string, packets)
	var missing []int
	for i := range packets {
		missing = append(missing, i)
	}
	request(conn, name, missing)
	packet := make([]byte, 128)
	for len(missing) > 0 {
		conn.SetReadDeadline(time.Now().Add(time.Second))
		n, err := conn.Read(packet)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			if tries--; tries == 0 {
				return "", false
			}
			request(conn, name, missing)
			continue
		}
		if err != nil || n < 2 {
			log.Fatal(n, err)
		}
		index := int(packet[1])
		if i := slices.Index(missing, index); i >= 0 && int(packet[0]) == id {
			parts[index] = string(packet[2:n])
			missing = slices.Delete(missing, i, i+1)
		}
	}
	return strings.Join(parts, ""), true
}

// request asks for packets of a file.
func request(conn net.Conn, name string, indices []int) {
	text := name
	for _, i := range indices {
		text += fmt.Sprint(" ", i)
	}
	if _, err := conn.Write([]byte(text)); err != nil {
		log.Fatal(err)
	}
}
