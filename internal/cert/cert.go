// Package cert has the format of certificates: the record of a complete
// depth-first search, from which the state space can be examined again without
// searching it (paper 002, search-carrying code).
//
//	search ── Recorder ──► Writer ──► file ──► Reader ──► certcheck
//	                                            │
//	                                            └──► partition ──► parts
//
// A file is a list of sections. The header says what was searched and with which
// settings; the search script follows in chunks, each with the instructions that
// it is the first to use; then come the sizes of subgraphs, the numbers of states
// and transitions, and a digest over everything before. A signature signs all of it.
// docs/certificate.md describes it to the byte.
//
// The script is the tree of the search: of each state it says which of its steps
// lead to new states, in the order of the search. States are numbered from 1 in the
// order of discovery. All other steps lead to states that were found before. Where there is
// reduction it also says in which states that leaves out something (choice.go). Whoever
// follows the script has the program, so what the program itself tells is not
// written: what steps are called, how many there are, where the others lead. Sums
// over all of that are (sums.go), and the number of transitions of each few states
// (blocks.go).
//
// The package knows neither Go nor mCRL2, and does not judge: a script can be
// read that is the script of nothing. Package certcheck holds it against a
// system. A reader never trusts: sizes are bounded, memory grows with what was
// read and not with what was announced, and errors say where in the file.
package cert

import "strconv"

// Version is the version of the format that is written and read.
const Version = 8

// versionText is that as it is written.
var versionText = strconv.Itoa(Version)

// A Kind is what a script covers.
type Kind string

// The kinds.
const (
	Full Kind = "full" // every transition: it can be checked by whoever does not trust it
	Tree Kind = "tree" // one transition to each state: it has to be trusted
)

// A Header says what a certificate is about. It is compared, and told to people;
// what the texts mean is the front end's affair.
type Header struct {
	Kind Kind `json:"kind"`
	// Tool is the program that made the certificate, with its version.
	Tool string `json:"tool"`
	// Target is what was searched, as it was named.
	Target string `json:"target"`
	// Program identifies the system: what is equal here is the same system.
	Program []Pair `json:"program"`
	// Functions have a hash of each function of the program, in the order of their
	// numbers, so that it can be said what has changed.
	Functions []Pair `json:"functions,omitempty"`
	// Settings shaped the graph.
	Settings []Pair `json:"settings"`
	// Reduce says that the steps followed are those of lts.Reducer.
	Reduce bool `json:"reduce"`
	// Properties were checked in each state and step, and hold.
	Properties []string `json:"properties"`
}

// A Pair is a named text.
type Pair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Lookup returns the text with a name, "" if there is none.
func Lookup(list []Pair, name string) string {
	for _, p := range list {
		if p.Name == name {
			return p.Value
		}
	}
	return ""
}

// An Op is what an event does.
type Op uint8

// The events.
const (
	Fresh Op = iota // a step leads to a new state
	Back            // no more steps do: back to the parent
	Skip            // of parts only: back without having done the rest, over so many states
)

var opNames = [...]string{"fresh", "back", "skip"}

func (o Op) String() string { return opNames[o] }

// An Event is an element of the script.
type Event struct {
	Op Op
	// Index says of Fresh which step of the state it is, counted from 0 in their
	// order. Steps between one and the next lead to states that were found before.
	Index int
	// State is where the event leads to. For Skip it is the number of states that
	// are left out.
	State uint32
	// Choice says of the first event in a state which of its steps are counted.
	Choice Choice
}

// Counts are the size of a graph.
type Counts struct {
	States      uint32
	Transitions uint64
	Depth       uint32 // the most states on the way from the start, without it
}

// Bounds of what is read. They keep a damaged file from taking memory, and are
// far above what a search can produce.
const (
	maxHeader  = 16 << 20 // bytes of the header, unpacked
	maxSteps   = 1 << 24  // steps of a state
	maxSection = 4 << 20  // bytes of a section in the file
	maxTraffic = 1 << 30  // bytes of traffic, unpacked
	maxPart    = 1 << 28  // bytes of a part, unpacked
	maxDepth   = 1 << 26  // states on the stack
)
