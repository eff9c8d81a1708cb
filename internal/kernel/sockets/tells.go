package sockets

import (
	"fmt"
	"regexp"
	"strconv"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
)

// ownPort finds a port as PORT and EPRT of FTP tell it: the last two of six numbers, or a number between bars behind
// an address.
var ownPort = regexp.MustCompile(`(?:^|[^0-9,])[0-9]{1,3}(?:,[0-9]{1,3}){3},([0-9]{1,3}),([0-9]{1,3})(?:[^0-9,]|$)|\|[12]\|[0-9a-fA-F.:]+\|([0-9]{1,5})\|`)

// tellsPort refuses what the process says to a peer if it is where the process listens, for the peer to
// connect to: the port is one of the modelled machine, which the peer cannot reach.
func (k *Stack) tellsPort(s *socket, p []byte) linux.Errno {
	if !k.listensAny() {
		return 0
	}
	for _, m := range ownPort.FindAllSubmatch(p, -1) {
		port, _ := strconv.Atoi(string(m[3]))
		if len(m[3]) == 0 {
			high, _ := strconv.Atoi(string(m[1]))
			low, _ := strconv.Atoi(string(m[2]))
			port = high<<8 | low
		}
		for _, o := range k.net.named {
			if o.state == stateListening && o.domain != linux.AF_UNIX && int(o.local.port) == port {
				return k.Refuse(fmt.Sprintf("telling a peer outside to connect to port %d of the modelled machine", port))
			}
		}
	}
	return 0
}

// listensAny reports whether there is a listener of the internet.
func (k *Stack) listensAny() bool {
	for _, o := range k.net.named {
		if o.state == stateListening && o.domain != linux.AF_UNIX {
			return true
		}
	}
	return false
}
