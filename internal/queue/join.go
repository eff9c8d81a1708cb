package queue

import (
	"encoding/hex"
	"errors"
	"net"
	"strings"
)

// A Join is all that a worker has to know to reach the queue of a coordinator and to be let
// in, in one text:
//
//	heddle://TOKEN@HOST:PORT/FINGERPRINT
//
// The fingerprint is the SHA-256 of the server's TLS certificate. Who has the text can work.
type Join struct{ Addr, Token, Pin string }

const joinScheme = "heddle://"

func (j Join) String() string { return joinScheme + j.Token + "@" + j.Addr + "/" + j.Pin }

// ParseJoin reads the text.
func ParseJoin(text string) (j Join, err error) {
	rest, ok := strings.CutPrefix(text, joinScheme)
	token, rest, found := strings.Cut(rest, "@")
	addr, pin, ends := strings.Cut(rest, "/")
	if _, _, err := net.SplitHostPort(addr); !ok || !found || !ends || token == "" || err != nil {
		return j, errors.New("it is not what a coordinator prints: " + joinScheme + "TOKEN@HOST:PORT/FINGERPRINT")
	}
	if sum, err := hex.DecodeString(pin); err != nil || len(sum) != 32 {
		return j, errors.New("its end is missing, which is the fingerprint of the server's certificate")
	}
	return Join{addr, token, pin}, nil
}

// URL returns the address of the server.
func (j Join) URL() string { return "tls://" + j.Addr }

// Credentials returns who one is, and who the server has to be.
func (j Join) Credentials() Credentials { return Credentials{Token: j.Token, Pin: j.Pin} }
