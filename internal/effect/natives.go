package effect

// The natives. Each name is written out: that a native is called like another one says
// nothing about what it acts on.

// natives are the rows by name.
var natives = table(
	group{
		"A lock lies in the eight bytes of a Mutex; who waits is in no queue.",
		Row{Acts: on(Waits|Reads|Writes, 8), Memory: true, Atomic: true},
		names{"(*internal/sync.Mutex).Lock"},
	},
	group{
		"It changes the eight bytes of a Mutex and wakes who waits for them.",
		Row{Acts: on(Reads|Writes, 8), Memory: true, Atomic: true},
		names{"(*internal/sync.Mutex).TryLock", "(*internal/sync.Mutex).Unlock"},
	},
	group{
		"A lock lies in the 24 bytes of a RWMutex.",
		Row{Acts: on(Waits|Reads|Writes, 24), Memory: true, Atomic: true},
		names{"(*sync.RWMutex).Lock", "(*sync.RWMutex).RLock"},
	},
	group{
		"It changes the 24 bytes of a RWMutex and wakes who waits for them.",
		Row{Acts: on(Reads|Writes, 24), Memory: true, Atomic: true},
		names{"(*sync.RWMutex).RUnlock", "(*sync.RWMutex).TryLock", "(*sync.RWMutex).TryRLock", "(*sync.RWMutex).Unlock"},
	},
	group{
		"The counter lies in the WaitGroup, as does the number of its bubble.",
		Row{Acts: on(Waits|Reads|Writes, 16), Memory: true, Atomic: true},
		names{"(*sync.WaitGroup).Wait"},
	},
	group{
		"It changes the counter in the WaitGroup and wakes who waits for zero.",
		Row{Acts: on(Reads|Writes, 16), Memory: true, Atomic: true},
		names{"(*sync.WaitGroup).Add"},
	},
	group{
		"A semaphore is a word with the number of its permits.",
		Row{Acts: on(Waits|Reads|Writes, 4), Memory: true},
		names{
			"internal/sync.runtime_SemacquireMutex", "sync.runtime_Semacquire", "sync.runtime_SemacquireRWMutex",
			"sync.runtime_SemacquireRWMutexR", "sync.runtime_SemacquireWaitGroup",
		},
	},
	group{
		"It adds a permit to the word of a semaphore and wakes who waits for one.",
		Row{Acts: on(Reads|Writes, 4), Memory: true},
		names{"internal/sync.runtime_Semrelease", "sync.runtime_Semrelease"},
	},
	group{
		"The queue of a Cond lies in its notifyList.",
		Row{Acts: on(Waits|Reads|Writes, 0), Memory: true},
		names{"sync.runtime_notifyListWait"},
	},
	group{
		"It changes the queue in the notifyList of a Cond.",
		Row{Acts: on(Reads|Writes, 0), Memory: true},
		names{"sync.runtime_notifyListAdd", "sync.runtime_notifyListNotifyAll", "sync.runtime_notifyListNotifyOne"},
	},
	group{
		"It puts an item into a pool, or takes one out. A search takes those of the library to be empty, as they may be at any time.",
		Row{Acts: on(Reads|Writes, 40)},
		names{"(*sync.Pool).Get", "(*sync.Pool).Put"},
	},
	group{
		"A word of a Pool, which nobody else accesses plainly.",
		Row{Acts: on(Reads|Writes, 8), Memory: true},
		names{"sync.runtime_LoadAcquintptr", "sync.runtime_StoreReluintptr"},
	},

	// Channels and coroutines.
	group{
		"It stops at the channels, as the statements of the language do.",
		Row{Acts: told, Stop: Itself},
		names{"reflect.chanrecv", "reflect.chansend0", "reflect.rselect"},
	},
	group{
		"It closes the channel.",
		Row{Acts: on(Reads|Writes, 0)},
		names{"reflect.chanclose"},
	},
	group{
		"It looks how much is in the channel.",
		Row{Acts: on(Reads, 0)},
		names{"internal/reflectlite.chanlen", "reflect.chanlen"},
	},
	group{
		"A coroutine that is made does not run yet.",
		Row{Acts: told, Stop: Itself},
		names{"iter.newcoro", "runtime.newcoro"},
	},
	group{
		"A switch orders what the two sides do, so it acts on the coroutine.",
		Row{Acts: on(Waits|Reads|Writes, 0)},
		names{"iter.coroswitch", "runtime.coroswitch"},
	},

	// Goroutines, time and the process.
	group{
		"A search decides who goes on in any case.",
		Row{Acts: told, Stop: Itself},
		names{"runtime.Goexit", "runtime.Gosched"},
	},
	group{
		"A setting of the process.",
		Row{Acts: []Act{{How: Reads | Writes, What: Own}}},
		names{
			"runtime.GOMAXPROCS", "runtime/debug.setGCPercent", "runtime/debug.setMaxStack", "runtime/debug.setMaxThreads",
			"runtime/debug.setMemoryLimit",
		},
	},
	group{
		"It tells how many goroutines there are.",
		Row{Acts: []Act{{How: Reads, What: Own}, {How: Reads, What: Count}}},
		names{"runtime.NumGoroutine"},
	},
	group{
		"It tells how many goroutines there are, among others.",
		Row{Acts: []Act{{How: Reads, What: Own}, {How: Reads, What: Count}}},
		names{"runtime.GoroutineProfile", "runtime/metrics.runtime_readMetrics"},
	},
	group{
		"It frees what nobody can reach any more, and finalizers are told.",
		Row{Acts: []Act{{How: Writes, What: Garbage}}},
		names{"runtime.GC", "runtime/debug.freeOSMemory"},
	},
	group{
		"It looks whether there was a collection, or changes what comes of the next one.",
		Row{Acts: []Act{{How: Reads | Writes, What: Own}, {How: Reads, What: Garbage}}},
		names{
			"(runtime.Cleanup).Stop", "runtime.AddCleanup", "runtime.SetFinalizer", "weak.runtime_makeStrongFromWeak",
		},
	},
	group{
		"It waits until some goroutines have ended.",
		Row{Acts: []Act{{How: Waits | Reads, What: Own}, {How: Reads, What: Count}}},
		names{
			"runtime.blockUntilEmptyFinalizerQueue", "sync_test.runtime_blockUntilEmptyCleanupQueue",
			"unique.runtime_blockUntilEmptyCleanupQueue",
		},
	},
	group{
		"The clock ends it.",
		Row{Acts: []Act{{How: Waits | Reads, What: Time}}},
		names{"time.Sleep"},
	},
	group{
		"The clock sees a new timer, and its function and argument.",
		Row{Acts: []Act{{How: Reads | Writes, What: Time}}, Publishes: []int{2, 4, 5}},
		names{"time.newTimer"},
	},
	group{
		"A timer is an object, which the clock reaches as long as it runs. That others change their places in the queue is noted as it happens.",
		Row{Acts: []Act{{How: Reads | Writes, What: Pointed}, {What: Told}}},
		names{"time.resetTimer", "time.stopTimer"},
	},
	group{
		"It begins a bubble, whose clock stands still until all of its goroutines wait, or waits for that.",
		Row{Acts: []Act{{How: Waits | Reads | Writes, What: Own}}},
		names{
			"internal/synctest.Run", "internal/synctest.Wait", "internal/synctest.acquire", "internal/synctest.inBubble",
			"internal/synctest.release",
		},
	},
	group{
		"Which signals are pending and which are wanted is kept for the process.",
		Row{Acts: []Act{{How: Waits | Reads | Writes, What: Own}}},
		names{
			"os.sigpipe", "os/signal.signalWaitUntilIdle", "os/signal.signal_disable", "os/signal.signal_enable",
			"os/signal.signal_ignore", "os/signal.signal_ignored", "os/signal.signal_recv",
		},
	},
	group{
		"It ends the process. What that means to others the reduction finds out itself.",
		Row{Acts: []Act{{How: Writes, What: Own}}},
		names{"syscall.Exit"},
	},
	group{
		"The first one of all chooses a seed; each one says that it changes the generator.",
		Row{Acts: told, Stop: Chosen},
		names{"math/rand.runtime_rand", "math/rand/v2.runtime_rand"},
	},

	// Descriptors of package internal/poll.
	group{
		"A method of an FD begins with it. The FD is the object that stands for the descriptor.",
		Row{Acts: on(Reads|Writes, 0), Begins: true},
		names{"(*internal/poll.fdMutex).incref", "(*internal/poll.fdMutex).increfAndClose"},
	},
	group{
		"It takes the lock of an FD; a reader may wait there for what it reads, so that may be acted on as well.",
		Row{Acts: []Act{{How: Waits | Reads | Writes, What: Pointed}, {How: Waits, What: Inflow}}, Begins: true},
		names{"(*internal/poll.fdMutex).rwlock"},
	},
	group{
		"A method of an FD ends with it.",
		Row{Acts: on(Reads|Writes, 0)},
		names{"(*internal/poll.fdMutex).decref", "(*internal/poll.fdMutex).rwunlock"},
	},
	group{
		"A semaphore in an FD.",
		Row{Acts: on(Waits|Reads|Writes, 4)},
		names{"internal/poll.runtime_Semacquire"},
	},
	group{
		"A semaphore in an FD, in which who waits is woken.",
		Row{Acts: on(Reads|Writes, 4)},
		names{"internal/poll.runtime_Semrelease"},
	},
	group{
		"It waits until the descriptor is ready; the clock too may end that.",
		Row{Acts: []Act{{How: Waits | Reads, What: Polled}, {How: Waits, What: Time}}},
		names{"internal/poll.runtime_pollWait"},
	},
	group{
		"It ends the waits for a descriptor.",
		Row{Acts: []Act{{How: Writes, What: Polled}}},
		names{"internal/poll.runtime_pollClose", "internal/poll.runtime_pollUnblock"},
	},
	group{
		"It says until when others wait for a descriptor; the clock counts if that is later than now.",
		Row{Acts: []Act{{How: Writes, What: Polled}, {How: Writes, What: Time}}},
		names{"internal/poll.runtime_pollSetDeadline"},
	},
	group{
		"A system call has a row of its own, by its number; plain accesses may race with its buffers.",
		Row{Acts: []Act{{What: ByCall}}, Addresses: true, Atomic: true},
		names{
			"syscall.Syscall", "syscall.Syscall6", "syscall.RawSyscall", "syscall.RawSyscall6", "syscall.rawSyscallNoError",
			"golang.org/x/sys/unix.SyscallNoError", "golang.org/x/sys/unix.RawSyscallNoError",
			"golang.org/x/sys/unix.Syscall", "golang.org/x/sys/unix.Syscall6",
			"golang.org/x/sys/unix.RawSyscall", "golang.org/x/sys/unix.RawSyscall6",
		},
	},

	// Package verify.
	group{
		"It decides how the goroutine goes on, which nobody else can see.",
		Row{Acts: nothing},
		names{"github.com/heddle-mc/heddle/verify.atomic", "github.com/heddle-mc/heddle/verify.choose"},
	},
	group{
		"It is about the path as a whole, which a search sees itself.",
		Row{Acts: told, Stop: Itself},
		names{
			"github.com/heddle-mc/heddle/verify.assume", "github.com/heddle-mc/heddle/verify.fail",
			"github.com/heddle-mc/heddle/verify.promise", "github.com/heddle-mc/heddle/verify.watch",
		},
	},
	group{
		"What happens to datagrams of the process is set; what goes on in other processes does not depend on it.",
		Row{Acts: []Act{{How: Reads | Writes, What: Own}}},
		names{"github.com/heddle-mc/heddle/verify.udp"},
	},
	group{
		"An operation of the program that a model is told of.",
		Row{Acts: []Act{{How: Writes, What: Observed}}, Stop: Observes},
		names{Observation},
	},
)

// Observation is the native that stands for observed operations. Package execute supplies
// it where there is a model to be held against.
const Observation = "heddle.observe"

// on is for natives that act on the memory to which argument 0 points.
func on(how How, size uint32) []Act { return []Act{{How: how, What: Pointed, Size: size}} }

var (
	told    = []Act{{What: Told}}
	nothing = []Act{{What: Nothing}}
)

// A group is rows that differ in their names alone.
type group struct {
	why string
	row Row
	names
}

type names []string

// table makes rows of groups.
func table(groups ...group) map[string]*Row {
	rows := make(map[string]*Row)
	for _, g := range append(groups, atomics...) {
		for _, name := range g.names {
			if rows[name] != nil {
				panic("effect: " + name + " has two rows")
			}
			r := g.row
			r.Name, r.Why = name, g.why
			rows[name] = &r
		}
	}
	return rows
}
