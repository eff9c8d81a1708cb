package kernel

// Most programs exchange a few messages and come to an end. What has gone over
// connections so far can then belong to the state: a loop that reads or writes
// never comes back to a state in which less was carried, so that reduction need not fear it
// (see vm.Machine.Advance). Where messages go to and fro for ever, the count would
// keep states from being met again; a program that carries too much is taken to be of that kind.

// maxCarried is how much may be carried before it seems to be without end.
const maxCarried = 1 << 12

// carriage counts what was carried: bytes that were written, bytes that were
// read, connections that were accepted, and ends that were seen.
type carriage struct {
	epoch uint64
	sum   uint64
}

// carries notes that n more were carried.
func (k *Kernel) carries(n int) {
	if !k.Counts || n <= 0 {
		return
	}
	c := &k.net.carried
	save(k, c, &c.epoch)
	c.sum += uint64(n)
	k.outside.told = true
	k.outside.endless = k.outside.endless || c.sum > maxCarried
}

// Endless reports whether too much was carried since the last call.
func (k *Kernel) Endless() bool {
	endless := k.outside.endless
	k.outside.endless = false
	return endless
}
