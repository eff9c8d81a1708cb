package verify

// UDP says what the network may do to datagrams from now on, in place of what
// -udp or heddle.yaml say, and returns a function that takes it back. So it can be
// limited to a section of the program:
//
//	restore := verify.UDP("multiply=1,0,2 window=2")
//	conn.Write(request) // may be lost, delivered or duplicated
//	restore()
//
// The settings are those of the flag -udp: multiply, how many times a datagram may
// arrive; window, how many may change places; both for what is sent and for what is
// received, or behind send. or receive. for one of them; truncate and unreachable.
// Without any the network is reliable. What was sent before stays as it was.
//
// Under heddle check each outcome is explored, and settings that cannot be read
// panic. The settings are those of the process, whichever goroutine calls. Natively
// nothing happens.
func UDP(settings string) (restore func()) {
	before := udp(settings)
	return func() { udp(before) }
}

// udp sets and returns the former settings.
func udp(settings string) (before string) { return "" }
