// Client gets files from a server by datagrams, and may take a packet of one file for
// one of the next.
//
// The bug is that of paper 004, section IV.B (algorithm 8): a packet counts as missing
// by its index alone. If the last packet of a file is duplicated, its second copy
// arrives when the next file is being received, and becomes a part of that. heddle check
// reports the file that is another one. The cure is in the folder above: the number of
// the file that each packet belongs to.
//
// Finding: assert.
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
		text, ok := getFile(data, name, packets, *tries)
		verify.Assert(!ok || text == reference[name], "another file")
		fmt.Println(name, text, ok)
	}
	control.Close()
	data.Close()
}

// getFile gets a file in packets (algorithm 8). What does not come in time is asked
// for again, some times.
func getFile(conn net.Conn, name string, packets, tries int) (text string, ok bool) {
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
		if i := slices.Index(missing, index); i >= 0 { // BUG: of which file?
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
