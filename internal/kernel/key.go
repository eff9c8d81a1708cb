package kernel

import "github.com/heddle-mc/heddle/internal/kernel/keys"

// AppendKey appends an encoding of the state. Two states that the process
// cannot tell apart, ever, have equal keys, and states with equal keys cannot
// be told apart. Inode numbers and the keys of waits are left out: they name
// things by the order in which those were made.
func (k *Kernel) AppendKey(dst []byte) []byte { return AppendKeys(dst, k) }

// AppendKeys is AppendKey for processes that run side by side.
func AppendKeys(dst []byte, processes ...*Kernel) []byte {
	w := keys.New(dst)
	for _, k := range processes {
		w.Str(k.Getcwd())
		k.AppendState(w)
		k.appendSelf(w)
		k.AppendTable(w)
		k.AppendTree(w)
		k.AppendOutside(w)
	}
	return w.B
}

// appendSelf writes what the process has besides files and sockets.
func (k *Kernel) appendSelf(w *keys.Writer) {
	w.Num(uint64(k.Mask()))
	k.AppendNumbers(w)
	s := &k.signals
	w.Num(s.enabled, s.ignored, s.pending, s.left)
}
