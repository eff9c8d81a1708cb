package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// A postgresConn asks for the next number of a row that it changes. It has logged in with a password, by SCRAM.
type postgresConn struct {
	net.Conn
	in *bufio.Reader
}

// send sends a message, without a kind if that is 0.
func (c *postgresConn) send(kind byte, body string) {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)+4))
	if kind != 0 {
		b = append([]byte{kind}, b...)
	}
	_, err := c.Write(append(b, body...))
	must(err)
}

// receive receives a message.
func (c *postgresConn) receive() (kind byte, body string) {
	var head [5]byte
	_, err := io.ReadFull(c.in, head[:])
	must(err)
	b := make([]byte, binary.BigEndian.Uint32(head[1:])-4)
	_, err = io.ReadFull(c.in, b)
	must(err)
	if head[0] == 'E' {
		panic(string(b))
	}
	return head[0], string(b)
}

func dialPostgres(raw net.Conn) conn {
	c := &postgresConn{raw, bufio.NewReader(raw)}
	c.send(0, "\x00\x03\x00\x00user\x00u\x00database\x00postgres\x00\x00")
	c.receive() // how to log in
	bare := "n=,r=abcdefgh"
	c.send('p', "SCRAM-SHA-256\x00"+string(binary.BigEndian.AppendUint32(nil, uint32(len(bare)+3)))+"n,,"+bare)
	_, first := c.receive()
	first = first[4:]
	parts := strings.Split(first, ",")
	salt, err := base64.StdEncoding.DecodeString(parts[1][2:])
	must(err)
	rounds, err := strconv.Atoi(parts[2][2:])
	must(err)
	salted, err := pbkdf2.Key(sha256.New, "secret", salt, rounds, sha256.Size)
	must(err)
	key := sum(salted, "Client Key")
	stored := sha256.Sum256(key)
	last := "c=biws," + parts[0]
	for i, b := range sum(stored[:], bare+","+first+","+last) {
		key[i] ^= b
	}
	c.send('p', last+",p="+base64.StdEncoding.EncodeToString(key))
	c.ready()
	return c
}

func sum(key []byte, text string) []byte {
	h := hmac.New(sha256.New, key)
	fmt.Fprint(h, text)
	return h.Sum(nil)
}

// ready receives up to where the server is ready, and returns the last row.
func (c *postgresConn) ready() (row string) {
	for {
		switch kind, body := c.receive(); kind {
		case 'D':
			row = body[6:] // the number of columns and the length of the first
		case 'Z':
			return row
		}
	}
}

func (c *postgresConn) next() string {
	c.send('Q', "UPDATE counter SET n = n + 1 RETURNING n\x00")
	return c.ready()
}
