package effect

import (
	"fmt"
	"sort"
	"strings"

	"github.com/heddle-mc/heddle/internal/mem"
)

// A Row says what a native acts on, as far as that can be said without looking at a
// state. The zero Row acts on everything.
type Row struct {
	Name string // of the native: "sync/atomic.LoadInt32", "(*sync.WaitGroup).Wait"
	Acts []Act  // none means everything
	Stop Stop
	// Memory says that it looks at nothing but its goroutine and memory, which it accesses
	// by Heap.Read and Heap.Write, and at others by Machine.Wake alone. It has no
	// choices.
	Memory bool
	// Atomic says that it accesses memory that plain accesses may race with.
	Atomic bool
	// Begins says that it begins an operation that others go on with.
	Begins bool
	// Addresses says that numbers among its arguments may be pointers.
	Addresses bool
	// Publishes are the arguments whose objects others can reach afterwards.
	Publishes []int
	Why       string // a sentence
}

// A How says what is done to something. Several can be joined by |.
type How uint8

// What can be done.
const (
	Reads How = 1 << iota
	Writes
	Waits
)

// A What is a word of rows: something that a native or a system call acts on. The zero
// What is everything, so what was left out can only cost time.
type What uint8

// The words of rows.
const (
	Anything What = iota // whatever there is
	Nothing              // nothing that others could notice
	Pointed              // Size bytes to which argument Arg points, all of the object if Size is 0
	Time                 // the clock of the process, and its timers
	Own                  // whatever the goroutines of the process have in common; nothing of other processes
	Observed             // who is told what the program does
	Count                // how many goroutines there are
	Garbage              // what nobody can reach any more
	Told                 // what the native tells the machine while it runs: channels, random numbers
	ByCall               // what the system call acts on whose number is argument 0

	// Of descriptors. Arg is the argument with the number. What is behind a file or a
	// directory all goroutines of the process have in common, since they may open it by its name.
	NearEnd    // what is behind the descriptor
	BothEnds   // the same, and the far end of its connection
	Inflow     // the near end; the far end too, unless that has room anyway and what it may still send makes no difference
	Outflow    // both ends; and who gets what is sent to an address, if the call names one
	Closing    // both ends; everything if others may know its address: it listens, or has a port that the program has chosen
	Option     // the near end; everything if the call changes who else may bind to its address
	Connecting // the near end, and who listens at the address in argument 1
	Makes      // the numbers of the descriptors that the call makes
	Polled     // the near end of the descriptor whose number is one less than argument Arg; the far end too while it is waited for
)

// An Act is one thing that is acted on.
type Act struct {
	How  How
	What What
	Arg  int
	Size uint32
}

// A Stop says where a goroutine that is searched stops before a native, so that others
// can come first.
type Stop uint8

// The kinds of stops.
const (
	Seen     Stop = iota // before it, unless nobody else can see what it acts on
	Chosen               // before it, if it can go in several ways
	Itself               // where the native says so
	Observes             // before it, unless the program itself orders what is observed
	Never                // as plain code
)

// Native returns the row of a native. One that is in no table acts on everything.
func Native(name string) *Row {
	if r, ok := natives[name]; ok {
		return r
	}
	return &Row{Name: name, Why: "It has no row."}
}

// Natives lists the rows of natives, sorted by name.
func Natives() []*Row {
	list := make([]*Row, 0, len(natives))
	for _, r := range natives {
		list = append(list, r)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// Does returns what is done to something.
func (r *Row) Does(w What) (how How) {
	for _, a := range r.Acts {
		if a.What == w {
			how |= a.How
		}
	}
	return how
}

// Has reports whether a word is in the row.
func (r *Row) Has(w What) bool { return has(r.Acts, w) }

func has(acts []Act, w What) bool {
	if len(acts) == 0 {
		return w == Anything
	}
	for _, a := range acts {
		if a.What == w {
			return true
		}
	}
	return false
}

// OnlyReads returns how many bytes a native reads that changes nothing and reads memory
// alone, 0 if it is not such a one.
func (r *Row) OnlyReads() uint32 {
	if len(r.Acts) == 1 && r.Acts[0].How == Reads && r.Acts[0].What == Pointed {
		return r.Acts[0].Size
	}
	return 0
}

// Footprint adds the tokens of the row in a process, given the pointers among the
// arguments. Where a word needs more than that to be understood, as those of descriptors, it
// is everything: whoever knows the kernel says it better.
func (r *Row) Footprint(f *Footprint, process int, arg func(int) mem.Ptr) {
	f.Everything = f.Everything || len(r.Acts) == 0
	for _, a := range r.Acts {
		var t Token
		switch a.What {
		case Nothing:
			continue
		case Told: // where that is all, nothing is known before it runs
			f.Everything = f.Everything || len(r.Acts) == 1
			continue
		case Pointed:
			t = At(process, arg(a.Arg), a.Size)
		case Time:
			t = Of(Clock, process)
		case Own, Count:
			t = Of(Process, process)
		case Observed:
			t = Of(Observer, process)
		default:
			f.Everything = true
			continue
		}
		f.Put(a.How, t)
	}
}

var whats = [...]string{
	Anything: "everything", Nothing: "nothing", Time: "the clock", Own: "the process", Observed: "the observer",
	Count: "the number of goroutines", Garbage: "garbage", Told: "what it tells", ByCall: "what the call of its number does",
	NearEnd: "near end of %d", BothEnds: "both ends of %d", Inflow: "near end of %d, far end if it matters",
	Outflow: "both ends of %d, whoever is sent to", Closing: "both ends of %d, everything if it has an address",
	Option:     "near end of %d, everything if it is about its address",
	Connecting: "near end of %d, who listens at address 1", Makes: "new numbers",
	Polled: "near end of %d, far end while waiting",
}

// String prints an act as in "waits+writes *0:8".
func (a Act) String() string {
	text := whats[a.What]
	if strings.Contains(text, "%d") {
		text = fmt.Sprintf(text, a.Arg)
	}
	if a.What == Pointed {
		text = fmt.Sprintf("*%d", a.Arg)
		if a.Size != 0 {
			text += fmt.Sprintf(":%d", a.Size)
		}
	}
	var verbs []string
	for _, v := range [...]struct {
		how  How
		word string
	}{{Waits, "waits"}, {Reads, "reads"}, {Writes, "writes"}} {
		if a.How&v.how != 0 {
			verbs = append(verbs, v.word)
		}
	}
	if len(verbs) == 0 {
		return text
	}
	return strings.Join(verbs, "+") + " " + text
}

// actsText prints a list of acts.
func actsText(acts []Act) string {
	if len(acts) == 0 {
		return whats[Anything]
	}
	list := make([]string, len(acts))
	for i, a := range acts {
		list[i] = a.String()
	}
	return strings.Join(list, "; ")
}

func (s Stop) String() string {
	return [...]string{"if seen", "if chosen", "itself", "if observed", "never"}[s]
}
