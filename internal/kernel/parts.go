package kernel

import (
	"github.com/heddle-mc/heddle/internal/kernel/keys"
	"github.com/heddle-mc/heddle/internal/kernel/process"
)

// What is said about which calls act on what can be held against what they change: the
// state of the processes that run side by side in parts, each with those who may act on it.

// A Part is a part of the state of a process.
type Part struct {
	Process int
	FD      int           // the descriptor that it is about, -1 for the rest of the process
	Owner   process.Owner // of the descriptor, see Owners
	Owned   bool          // it is known who that is
	Creator string        // who alone knows it as long as nobody owns it
	Key     string        // differs if the part does
}

// Parts returns the parts of the processes that run side by side with k. What is behind a
// descriptor is its near end alone, and the connections that wait there to be accepted.
func (k *Kernel) Parts() (list []Part) {
	for _, p := range k.processes() {
		w := &keys.Writer{Near: true}
		w.Str(p.Getcwd())
		p.AppendWeather(w)
		p.appendSelf(w)
		p.AppendTree(w)
		list = append(list, Part{Process: p.Process, FD: -1, Key: string(w.B)})
		p.Each(func(fd int, d *process.Desc) {
			w := &keys.Writer{Near: true}
			p.AppendFD(w, fd)
			part := Part{Process: p.Process, FD: fd, Owner: d.Owner, Owned: d.Owner.Known(), Creator: d.Who, Key: string(w.B)}
			if part.Creator == "" {
				part.Creator = p.CreatorOf(fd)
			}
			list = append(list, part)
		})
	}
	return list
}
