package native

import (
	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/effect"
	"github.com/heddle-mc/heddle/internal/kernel/process"
	"github.com/heddle-mc/heddle/internal/vm"
)

// The runtime's poller. Word 0 is the number of a descriptor, shifted by one.

func pollActs(c *vm.NativeCall, f *effect.Footprint) { pollOwners(c, f, true) }

// pollOwners adds the owners of a descriptor and, unless only the near end matters,
// of the far end of its connection.
func pollOwners(c *vm.NativeCall, f *effect.Footprint, near bool) {
	k := kernelOf(c.M)
	if k == nil {
		f.Write(processToken(c))
		return
	}
	fd := c.Int(0) - 1
	var room [4]process.Owner
	owners, all := room[:0], k.Listens(fd)
	if k.Owned(fd) {
		owners, all = k.Owners(owners, fd, near)
	}
	if !near {
		awaits(f, k, fd)
	}
	tokens{f, drive.Of(c.M), k, effect.Waits | effect.Writes}.add(owners, 1, all)
}

// pollReady: the wait is over. One with a deadline begins at once: the clock ends
// it.
func pollReady(c *vm.NativeCall) bool {
	k := kernelOf(c.M)
	if k == nil {
		return true
	}
	id, mode := c.Int(0), byte(c.Int(1))
	defer k.Failure()
	return k.PollDeadline(id, mode) != 0 || k.PollCheck(id, mode, c.M.Now()) != 0 || k.PollReady(id, mode)
}

func pollWaitActs(c *vm.NativeCall, f *effect.Footprint) {
	pollOwners(c, f, pollReady(c))
	if k := kernelOf(c.M); k != nil && k.PollDeadline(c.Int(0), byte(c.Int(1))) > 0 {
		f.Wait(effect.Of(effect.Clock, k.Process))
	}
}

func pollDeadlineActs(c *vm.NativeCall, f *effect.Footprint) {
	pollActs(c, f)
	if int64(c.Word(1)) > 0 {
		f.Write(effect.Of(effect.Clock, numberOfProcess(c.M)))
	}
}

func init() {
	operations["internal/poll.runtime_pollWait"] = drive.Operation{
		Acts: pollWaitActs, Ready: pollReady, Follows: inMethod,
		Idle: func(c *vm.NativeCall) drive.Idleness {
			if k := kernelOf(c.M); k != nil && c.Int(1) == 'r' {
				return idleAt(k, c.Int(0)-1)
			}
			return drive.Waits
		},
	}
	operations["internal/poll.runtime_pollClose"] = drive.Operation{Acts: pollActs, Follows: inMethod}
	operations["internal/poll.runtime_pollUnblock"] = drive.Operation{Acts: pollActs, Follows: inMethod}
	operations["internal/poll.runtime_pollSetDeadline"] = drive.Operation{Acts: pollDeadlineActs, Follows: inMethod}
}
