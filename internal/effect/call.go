package effect

import "sort"

// A Call is the row of a system call. The zero Call acts on everything.
type Call struct {
	Name string // as in "read"
	// About says which arguments are descriptors. It matters where the program keeps
	// numbers itself: it is noted if those are numbers that one of the Keepers keeps too.
	About About
	// Kept is what the call acts on if it is made by one of the Keepers. Made by the program itself, on
	// a number that it keeps wherever it likes, a call that acts on descriptors acts on
	// everything. None means everything.
	Kept []Act
	// Mode is what the call does to its descriptor: 'r' for reading and accepting, 'w'
	// for writing and connecting, 0 for neither. If its acts wait, it waits for that.
	Mode byte
	// Flags is the argument that may say that this call does not wait (MSG_DONTWAIT), 0 for none.
	Flags int
	Bytes Bytes
	Opens bool // it makes descriptors
	Why   string
}

// An About says which arguments of a system call are descriptors.
type About uint8

// What a call is about.
const (
	AnyFD    About = iota // not known: any descriptor
	NoFD                  // none that there is
	FirstFD               // argument 0
	FirstTwo              // arguments 0 and 1
	WatchFD               // arguments 0 and 2
	MapFD                 // argument 4
	AskedFDs              // those in a list in memory
)

// A Bytes says how many bytes a call is about.
type Bytes uint8

// How many bytes there are.
const (
	OneByte      Bytes = iota // it is about none, or that is not known
	CountedBytes              // argument 2 tells
	VectorBytes               // those of the parts that arguments 1 and 2 describe
	MessageBytes              // those of the message in argument 1
)

// Keepers are the packages that keep each descriptor in one object, or, as package time that
// of the file of a time zone, in one call. Only who can reach the object makes calls on the
// number through them. What others do with a number cannot be foreseen.
var Keepers = map[string]bool{"net": true, "os": true, "internal/poll": true, "time": true}

// Beneath are the packages through which others make system calls.
var Beneath = map[string]bool{
	"syscall": true, "internal/syscall/unix": true, "golang.org/x/sys/unix": true, "internal/runtime/syscall/linux": true,
}

// Waits reports whether the call waits until it can do what Mode says.
func (c *Call) Waits() bool {
	for _, a := range c.Kept {
		if a.How&Waits != 0 {
			return true
		}
	}
	return false
}

// OnlyAsks reports whether the call changes nothing, also not what later calls see.
func (c *Call) OnlyAsks() bool {
	for _, a := range c.Kept {
		if a.How != Reads {
			return false
		}
	}
	return len(c.Kept) > 0
}

// OnFirst reports whether the call acts on what is behind argument 0 and on no address.
func (c *Call) OnFirst() bool {
	return len(c.Kept) > 0 && c.Kept[0].What >= NearEnd && c.Kept[0].What <= Option
}

// What returns the word of the call, made by one of the keepers or by another one.
func (c *Call) What(kept bool) What {
	if len(c.Kept) == 0 || !kept && c.Kept[0].What >= NearEnd {
		return Anything
	}
	return c.Kept[0].What
}

// CallNamed returns the row of a system call. One that is in no table acts on everything.
func CallNamed(name string) *Call {
	if c, ok := calls[name]; ok {
		return c
	}
	return &Call{Name: name, Why: "It has no row."}
}

// Calls lists the rows of system calls, sorted by name.
func Calls() []*Call {
	list := make([]*Call, 0, len(calls))
	for _, c := range calls {
		list = append(list, c)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}
