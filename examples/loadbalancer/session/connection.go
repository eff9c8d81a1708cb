package session

import "net"

// A State is what a connection waits for, or what is to be done with it.
type State uint8

// The states. The C program calls them SOCK_FREE and so on, and STATE_TRANSACTION
// and so on.
const (
	Free        State = iota // no socket
	Accept                   // has just connected
	Reading                  // waits for a line
	Writing                  // waits until a line is sent
	Shutdown                 // waits until the other side closes, too
	Transaction              // something is to be done
	Pending                  // a client whose job waits, a processor that waits for a job
	Sleep                    // waits for its partner
	Event                    // waits for an event of the application; not used here
	Disconnect               // is to be shut down
	Break                    // the other side has gone
)

var stateNames = [...]string{"free", "accept", "reading", "writing", "shutdown", "transaction", "pending", "sleep",
	"event", "disconnect", "break"}

func (s State) String() string { return stateNames[s] }

// asleep reports whether requests may change the state.
func (s State) asleep() bool { return s == Pending || s == Sleep }

// An operation is what a transaction begins with: to read, to write, or neither,
// in which case the application is asked.
type operation uint8

const (
	none operation = iota
	read
	write
)

// A Connection is a place for one client or one processor at a time.
type Connection struct {
	id    int // from 1 on: clients, then processors
	iface *Interface

	// PartnerLock guards these.
	state     State
	operation operation
	partner   *Connection
	line      string // to be written; what the partner has sent
	job       string // of a client that waits for a processor or has one

	// These belong to the goroutine of the interface.
	sock     net.Conn
	inbox    []string // lines that came before they were wanted
	received string   // the line that the application has not seen yet
	wants    want
}

// A want is what a processor has asked for.
type want uint8

const (
	nothing want = iota
	aJob
	anAnswer
)

// set changes state and operation together.
func (c *Connection) set(s State, o operation) {
	c.state, c.operation = s, o
}

// setPartner changes the link to the partner; nil removes it.
func (c *Connection) setPartner(p *Connection) { c.partner = p }
