package kernel

// Processes that run side by side have descriptors, directories and files of
// their own, and one network: what one listens at, the others can connect to. They
// go back together.

// Join makes a process that has not begun run beside another one. The first one
// joins itself.
func (k *Kernel) Join(other *Kernel) {
	k.Log, k.beside = other.Log, other.beside
	k.beside.all = append(k.beside.all, k)
	k.Waits.Join(other.Waits)
	k.Stack.Join(other.Stack)
}

// processes lists those that run side by side.
func (k *Kernel) processes() []*Kernel {
	if len(k.beside.all) > 0 {
		return k.beside.all
	}
	return []*Kernel{k}
}

// Exit closes what a process has left open when it ends.
func (k *Kernel) Exit() {
	k.Ends()
	for _, fd := range k.OpenFDs() {
		k.Close(fd)
	}
}
