package kernel

// What is said about which calls act on what can be held against what they change: the
// state of the processes that run side by side in parts, each with those who may act on it.

// A Part is a part of the state of a process.
type Part struct {
	Process int
	FD      int    // the descriptor that it is about, -1 for the rest of the process
	Owner   Owner  // of the descriptor, see Owners
	Owned   bool   // it is known who that is
	Creator string // who alone knows it as long as nobody owns it
	Key     string // differs if the part does
}

// Parts returns the parts of the processes that run side by side with k. What is behind a
// descriptor is its near end alone, and the connections that wait there to be accepted.
func (k *Kernel) Parts() (list []Part) {
	for _, p := range k.processes() {
		s := &p.self
		e := &encoder{k: p, near: true}
		e.str(s.cwd)
		e.str(s.udpText)
		for _, n := range s.faults {
			e.num(uint64(n))
		}
		e.num(uint64(s.umask), s.random, s.noFile, s.signals.enabled, s.signals.ignored, s.signals.pending, s.signals.left)
		if o, ok := p.tree.(*overlay); ok {
			e.node(o.root)
		}
		list = append(list, Part{Process: p.Process, FD: -1, Key: string(e.b)})
		s.fds.each(func(fd int, s *slot) {
			e := &encoder{k: p, near: true}
			e.flag(s.cloexec)
			e.poller(s.poller)
			e.desc(s.desc)
			part := Part{
				Process: p.Process, FD: fd, Owner: s.desc.owner, Owned: s.desc.owner.known(),
				Creator: s.desc.who, Key: string(e.b),
			}
			if f, ok := s.desc.file.(*socket); ok && part.Creator == "" {
				part.Creator = f.creator
			}
			list = append(list, part)
		})
	}
	return list
}

// processes lists those that run side by side.
func (k *Kernel) processes() []*Kernel {
	if len(k.net.procs) > 0 {
		return k.net.procs
	}
	return []*Kernel{k}
}
