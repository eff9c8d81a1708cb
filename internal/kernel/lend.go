package kernel

import "syscall"

// Descriptors that a program gets by its own system calls are kept in no object.
// Where it is assumed who makes calls on which number (see vm.Machine.Lends), those
// stand for what is behind a descriptor who make calls on any of its numbers, or on
// those of an epoll that watches it. Otherwise anybody may.

// Lend says whether calls on a number are taken to be made by known ones alone.
func (k *Kernel) Lend(on bool) { k.outside.lends = on }

// Raw says whether the following calls are made by the program itself, not by a
// package that keeps descriptors in objects.
func (k *Kernel) Raw(on bool) { k.outside.raw = on }

// maker is who alone knows a descriptor that is made now, nobody if others may be
// told its number.
func (k *Kernel) maker() string {
	if k.outside.raw {
		return ""
	}
	return k.outside.who
}

// Maker returns who has made what is behind a number, if the number alone does not
// tell: where numbers are given out in the order in which they are asked for.
func (k *Kernel) Maker(fd int) string {
	if d, e := k.desc(fd); e == 0 && !k.Names && d.raw {
		return d.who
	}
	return ""
}

// processes lists those that run side by side.
func (k *Kernel) processes() []*Kernel {
	if len(k.net.procs) > 0 {
		return k.net.procs
	}
	return []*Kernel{k}
}

// knowers appends the numbers and the owners of open files, and the numbers of the
// epolls that watch them. All is set if one of them is kept by somebody who is not
// known yet.
func (k *Kernel) knowers(list []Owner, is func(f file) bool) (_ []Owner, all bool) {
	for _, p := range k.processes() {
		p.self.fds.each(func(fd int, s *slot) {
			if !is(s.desc.file) {
				return
			}
			list = append(list, Owner{Process: p.Process, FD: fd + 1, Creator: p.Maker(fd)})
			switch o := s.desc.owner; {
			case o.known():
				list = append(list, o)
			case o == several || !s.desc.raw:
				all = true
			}
		})
		for _, ep := range p.self.epolls {
			for _, w := range ep.items {
				if is(w.desc.file) {
					var more bool
					list, more = k.knowers(list, same(ep))
					all = all || more
					break
				}
			}
		}
	}
	return list, all
}

// same is for knowers of one file.
func same(f file) func(file) bool { return func(o file) bool { return o == f } }

// lent is Owners where it is known who makes calls on which number.
func (k *Kernel) lent(list []Owner, d *desc, near bool) (_ []Owner, all bool) {
	list, all = k.knowers(list, same(d.file))
	more := false
	switch f := d.file.(type) {
	case *pipeEnd:
		list, more = k.knowers(list, func(o file) bool {
			end, ok := o.(*pipeEnd)
			return ok && end.pipe == f.pipe && end != f
		})
	case *socket:
		if near && (f.state == stateOpen || f.kind == syscall.SOCK_DGRAM) && !f.distant() {
			return list, all
		}
		list, more = f.farOwners(k, list)
	case *epoll:
		for _, w := range f.items {
			if near {
				break
			}
			var hard bool
			list, hard = k.lent(list, w.desc, false)
			more = more || hard
		}
	case *eventFile, *stream:
	default:
		more = d.raw // the clock, or files
	}
	return list, all || more
}

// ListensBehind reports whether a socket which accepts connections is behind a
// descriptor, or is watched there.
func (k *Kernel) ListensBehind(fd int) bool {
	d, e := k.desc(fd)
	return e == 0 && listens(d)
}

func listens(d *desc) bool {
	switch f := d.file.(type) {
	case *socket:
		return f.state == stateListening
	case *epoll:
		for _, w := range f.items {
			if listens(w.desc) {
				return true
			}
		}
	}
	return false
}

// NextFDs returns the numbers that a call would give to the next two descriptors.
func (k *Kernel) NextFDs() [2]int {
	first := k.self.fds.free(k.firstFD())
	return [2]int{first, k.self.fds.free(first + 1)}
}

// NextAccepted returns the number that a connection would get that is accepted in
// one of the ways of a call, or the one that the program connects by itself.
func (k *Kernel) NextAccepted(list []int, fd int) []int {
	list = append(list, k.NextFDs()[0])
	if l, _, e := k.socket(fd); e == 0 && l.state == stateListening {
		for _, peer := range k.callers(l) {
			list = append(list, k.self.fds.free(k.peerFD(peer)))
		}
	}
	return list
}
