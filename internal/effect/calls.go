package effect

// The system calls that do not act on everything, or of which it is known what they are
// about. A call that has no row may be about any descriptor and acts on everything.
var calls = callTable(
	// Reading and writing.
	Call{
		Name: "read", About: FirstFD, Mode: 'r', Bytes: CountedBytes, Kept: in,
		Why: "It takes what has come.",
	},
	Call{
		Name: "readv", About: FirstFD, Mode: 'r', Bytes: VectorBytes, Kept: in,
		Why: "It takes what has come.",
	},
	Call{
		Name: "recvfrom", About: FirstFD, Mode: 'r', Flags: 3, Bytes: CountedBytes, Kept: in,
		Why: "It takes what has come.",
	},
	Call{
		Name: "recvmsg", About: FirstFD, Mode: 'r', Flags: 2, Bytes: MessageBytes, Kept: in,
		Why: "It takes what has come, which may be descriptors.",
	},
	Call{
		Name: "write", About: FirstFD, Mode: 'w', Bytes: CountedBytes, Kept: out,
		Why: "The far end gets it.",
	},
	Call{
		Name: "writev", About: FirstFD, Mode: 'w', Bytes: VectorBytes, Kept: out,
		Why: "The far end gets it.",
	},
	Call{
		Name: "sendto", About: FirstFD, Mode: 'w', Flags: 3, Bytes: CountedBytes, Kept: sent,
		Why: "Who is at the address gets it, or the far end.",
	},
	Call{
		Name: "sendmsg", About: FirstFD, Mode: 'w', Flags: 2, Bytes: MessageBytes, Kept: sent,
		Why: "Who is at the address gets it, or the far end; it may hold descriptors.",
	},
	Call{
		Name: "sendfile", About: FirstTwo, Mode: 'w',
		Why: "It reads a file, which others may write.",
	},
	Call{Name: "pread64", About: FirstFD, Why: "Files are shared by name."},
	Call{Name: "pwrite64", About: FirstFD, Why: "Files are shared by name."},
	Call{
		Name: "lseek", About: FirstFD, Kept: own,
		Why: "Where a file is read goes with the open file, whatever its numbers.",
	},

	// Connections.
	Call{
		Name: "accept", About: FirstFD, Mode: 'r', Opens: true, Kept: accepted,
		Why: "It takes the next of those who wait to be connected.",
	},
	Call{
		Name: "accept4", About: FirstFD, Mode: 'r', Opens: true, Kept: accepted,
		Why: "It takes the next of those who wait to be connected.",
	},
	Call{
		Name: "connect", About: FirstFD, Mode: 'w',
		Kept: []Act{{How: Reads | Writes, What: Connecting}},
		Why:  "Who listens at the address sees it, and who else connects there.",
	},
	Call{
		Name: "shutdown", About: FirstFD,
		Kept: []Act{{How: Reads | Writes, What: BothEnds}},
		Why:  "The far end reads an end of file.",
	},
	Call{
		Name: "getsockname", About: FirstFD,
		Kept: []Act{{How: Reads, What: NearEnd}},
		Why:  "The name of a socket does not change while it listens.",
	},
	Call{
		Name: "getpeername", About: FirstFD,
		Kept: []Act{{How: Reads, What: NearEnd}},
		Why:  "The name of the far end is kept at the near end.",
	},
	Call{
		Name: "setsockopt", About: FirstFD,
		Kept: []Act{{How: Reads | Writes, What: Option}},
		Why:  "Options belong to a socket; who may share its address concerns others.",
	},
	Call{
		Name: "getsockopt", About: FirstFD,
		Kept: []Act{{How: Reads | Writes, What: NearEnd}},
		Why:  "SO_ERROR takes the error away. A program that asks for it itself asks whether the far end has answered.",
	},
	Call{Name: "bind", About: FirstFD, Why: "It takes an address from all others."},
	Call{Name: "listen", About: FirstFD, Why: "Others can connect from then on."},

	// Descriptors.
	Call{
		Name: "fcntl", About: FirstFD,
		Kept: []Act{{How: Reads | Writes, What: NearEnd}},
		Why:  "Flags belong to what is behind the number. Keepers keep a new number in an object of its own.",
	},
	Call{
		Name: "close", About: FirstFD,
		Kept: []Act{{How: Reads | Writes, What: Closing}},
		Why:  "The far end reads an end of file; the number is free for others.",
	},
	Call{
		Name: "fstat", About: FirstFD,
		Kept: []Act{{How: Reads, What: NearEnd}},
		Why:  "What kind of thing a socket is does not change.",
	},
	Call{
		Name: "ioctl", About: FirstFD, Kept: own,
		Why: "Terminals and sizes of what has come, of one process.",
	},
	Call{Name: "dup", About: FirstFD, Why: "It makes another number for the same."},
	Call{Name: "dup2", About: FirstTwo, Why: "It makes another number for the same, and closes what had it."},
	Call{Name: "dup3", About: FirstTwo, Why: "It makes another number for the same, and closes what had it."},
	Call{Name: "socket", About: NoFD, Opens: true, Kept: makes, Why: "It gets the next number."},
	Call{Name: "socketpair", About: NoFD, Opens: true, Kept: makes, Why: "It gets the next numbers."},
	Call{Name: "pipe", About: NoFD, Opens: true, Why: "It gets the next numbers."},
	Call{Name: "pipe2", About: NoFD, Opens: true, Kept: makes, Why: "It gets the next numbers."},
	Call{Name: "eventfd", About: NoFD, Opens: true, Why: "It gets the next number."},
	Call{Name: "eventfd2", About: NoFD, Opens: true, Why: "It gets the next number."},
	Call{Name: "epoll_create", About: NoFD, Opens: true, Why: "It gets the next number."},
	Call{Name: "epoll_create1", About: NoFD, Opens: true, Why: "It gets the next number."},
	Call{Name: "timerfd_create", About: NoFD, Why: "The clock writes to what it makes."},
	Call{Name: "timerfd_settime", About: FirstFD, Why: "The clock sees it."},
	Call{Name: "timerfd_gettime", About: FirstFD, Why: "It looks at the clock."},

	// Waiting for several descriptors.
	Call{
		Name: "epoll_ctl", About: WatchFD,
		Why: "Who waits at the epoll may be woken by what is watched from now on.",
	},
	Call{Name: "epoll_wait", About: FirstFD, Why: "It waits for whatever the epoll watches."},
	Call{Name: "epoll_pwait", About: FirstFD, Why: "It waits for whatever the epoll watches."},
	Call{Name: "poll", About: AskedFDs, Why: "It waits for those in its list."},
	Call{Name: "ppoll", About: AskedFDs, Why: "It waits for those in its list."},
	Call{Name: "select", About: AskedFDs, Why: "It waits for those in its sets."},
	Call{Name: "pselect6", About: AskedFDs, Why: "It waits for those in its sets."},

	// Files. Those of a process are its own.
	Call{Name: "open", About: NoFD, Why: "It may make a file and gets the next number."},
	Call{Name: "openat", About: FirstFD, Kept: own, Why: "It may make a file of the process and gets its next number."},
	Call{Name: "newfstatat", About: FirstFD, Kept: own, Why: "It looks at the files of the process."},
	Call{Name: "stat", About: NoFD, Why: "It looks at the files of the process."},
	Call{Name: "lstat", About: NoFD, Why: "It looks at the files of the process."},
	Call{Name: "access", About: NoFD, Why: "It looks at the files of the process."},
	Call{Name: "readlink", About: NoFD, Why: "It looks at the files of the process."},
	Call{Name: "readlinkat", Kept: own, Why: "It looks at the files of the process."},
	Call{Name: "mkdirat", Kept: own, Why: "It changes the files of the process."},
	Call{Name: "unlinkat", Kept: own, Why: "It changes the files of the process."},
	Call{Name: "getdents64", About: FirstFD, Kept: own, Why: "It looks at the files of the process."},
	Call{Name: "getcwd", About: NoFD, Kept: own, Why: "The process has one working directory."},
	Call{Name: "ftruncate", About: FirstFD, Why: "Files are shared by name."},
	Call{Name: "fsync", About: FirstFD, Why: "Files are shared by name."},
	Call{Name: "fdatasync", About: FirstFD, Why: "Files are shared by name."},
	Call{Name: "flock", About: FirstFD, Why: "Who waits for the lock of a file is let go on."},

	// The process.
	Call{Name: "getpid", About: NoFD, Kept: nothing, Why: "It never changes."},
	Call{Name: "gettid", About: NoFD, Kept: nothing, Why: "It never changes."},
	Call{Name: "getppid", About: NoFD, Kept: nothing, Why: "It never changes."},
	Call{Name: "getuid", About: NoFD, Kept: nothing, Why: "It never changes."},
	Call{Name: "geteuid", About: NoFD, Kept: nothing, Why: "It never changes."},
	Call{Name: "getgid", About: NoFD, Kept: nothing, Why: "It never changes."},
	Call{Name: "getegid", About: NoFD, Kept: nothing, Why: "It never changes."},
	Call{Name: "uname", About: NoFD, Kept: nothing, Why: "It never changes."},
	Call{Name: "munmap", About: NoFD, Kept: nothing, Why: "The collector frees memory."},
	Call{Name: "madvise", About: NoFD, Kept: nothing, Why: "There is nothing to be advised."},
	Call{Name: "mlock", About: NoFD, Kept: nothing, Why: "Memory is always there."},
	Call{Name: "munlock", About: NoFD, Kept: nothing, Why: "Memory is always there."},
	Call{Name: "mprotect", About: NoFD, Why: "Others may no longer write."},
	Call{Name: "mmap", About: MapFD, Why: "A file that is mapped is shared by name."},
	Call{Name: "sched_yield", About: NoFD, Why: "Others come first."},
	Call{Name: "getrandom", About: NoFD, Kept: own, Why: "The process has one generator."},
	Call{Name: "prlimit64", About: NoFD, Kept: own, Why: "Limits are the process's."},
	Call{Name: "getrlimit", About: NoFD, Why: "Limits are the process's."},
	Call{Name: "setrlimit", About: NoFD, Why: "Limits are the process's."},
	Call{Name: "getrusage", About: NoFD, Why: "It looks at the clock."},
	Call{
		Name: "clock_gettime", About: NoFD, Kept: []Act{{How: Reads, What: Time}},
		Why: "It looks at the clock.",
	},
	Call{Name: "gettimeofday", About: NoFD, Why: "It looks at the clock."},
	Call{Name: "nanosleep", About: NoFD, Why: "The clock ends it."},
	Call{Name: "kill", About: NoFD, Why: "Another process may be ended by it."},
	Call{Name: "tgkill", About: NoFD, Why: "The process may be ended by it."},
	Call{Name: "exit_group", About: NoFD, Why: "It ends the process, and closes all that it has."},
)

// Acts that several calls share. Those on a descriptor are on that in argument 0.
var (
	in       = []Act{{How: Waits | Reads | Writes, What: Inflow}}
	out      = []Act{{How: Waits | Reads | Writes, What: BothEnds}}
	sent     = []Act{{How: Reads | Writes, What: Outflow}}
	accepted = []Act{{How: Waits | Reads | Writes, What: BothEnds}, {How: Writes, What: Makes}}
	makes    = []Act{{How: Writes, What: Makes}}
	own      = []Act{{How: Reads | Writes, What: Own}}
)

func callTable(list ...Call) map[string]*Call {
	rows := make(map[string]*Call)
	for i := range list {
		c := &list[i]
		if rows[c.Name] != nil {
			panic("effect: " + c.Name + " has two rows")
		}
		rows[c.Name] = c
	}
	return rows
}
