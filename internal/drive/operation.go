package drive

import (
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// An Operation is what a search must know of a visible native: its row, and what needs
// code to be found out.
type Operation struct {
	Row *effect.Row
	// Acts, if it is not nil, says instead of the row what it acts on as things are.
	Acts func(c *vm.NativeCall, f *effect.Footprint)
	// Plain reports whether it is plain code here, of which nobody else can see anything. Nil means that it is not.
	Plain func(c *vm.NativeCall) bool
	// Ready reports whether it can be done now. Nil means always.
	Ready func(c *vm.NativeCall) bool
	// Choices returns in how many ways it can be done. Nil means one. The
	// native asks Machine.Choice which one.
	Choices func(c *vm.NativeCall) int
	// Commutes reports whether it makes no difference, as things are, when others
	// act on the same. It is visible nevertheless.
	Commutes func(c *vm.NativeCall) bool
	// Fails reports whether it leaves everything as it is, as things are: an attempt that fails, or a look. Nil
	// means that it does not, unless its row says that it only reads.
	Fails func(c *vm.NativeCall) bool
	// Glance says that one which fails tells what another has done, although nothing orders it after that. It is the package by which
	// others do it, or empty.
	Glance string
	// Unordered reports whether others can see what it does, although the race detector does not order by it what was before.
	Unordered func(c *vm.NativeCall) bool
	// Counts reports whether it does no more, as things are, than to count something down that does
	// not come to zero.
	Counts func(c *vm.NativeCall) bool
	// Awaits returns how often others have to count down before a goroutine that waits here
	// goes on.
	Awaits func(c *vm.NativeCall) int
	// Idle says whether a goroutine that waits here is waiting for the world
	// outside. Nil means that it never is.
	Idle func(c *vm.NativeCall) Idleness
	// Durable reports whether nobody outside of the bubble of a goroutine that waits here can end that. Nil means that
	// somebody may.
	Durable func(c *vm.NativeCall) bool
	// Insists says that nobody waits here on purpose, as for work that others may have: whoever
	// waits needs it to go on.
	Insists bool
	// Rival tells what the operation is to others on the same object, as things are, and
	// the object. Nil means that it has no rivals.
	Rival func(c *vm.NativeCall) (mem.Ptr, Rival)
	// Outside reports whether it can be done only because somebody outside may act now. He need not, so
	// that time does not wait for him, nor does who waits until all others are blocked.
	Outside func(c *vm.NativeCall) bool
	// Hears, if it is not nil, says that a goroutine waits here for somebody outside who may always act,
	// or never. It returns the only package variable that the goroutine then uses, by name, "" for never.
	Hears func(c *vm.NativeCall) string
	// Follows reports whether the native goes on with the operation before it: if
	// that was a stop, this one is a stop only if it has to wait. Nil means that it
	// does not. Of an operation on memory it says that it is never a stop, and reads
	// what that depends on by Heap.Read.
	Follows func(c *vm.NativeCall) bool
}

// An Idleness tells what it means that a goroutine waits.
type Idleness uint8

// The kinds of waiting.
const (
	Waits   Idleness = iota // for others, or for ever
	Serves                  // for somebody outside who begins something: all is done that there is to do
	Attends                 // for somebody outside who may go on; nothing is wrong with that as long as another one serves
	Unmet                   // for somebody outside who begins something, and there is nobody: what would be then is not known
)
