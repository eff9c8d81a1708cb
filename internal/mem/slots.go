package mem

// A Slot is a word of an object of the base image, or all of one that is large or no
// struct or array. It is the same in all states and all runs of a program.
type Slot uint64

// wordSlots is how many words of an object are told apart. Larger ones are mostly
// buffers and tables.
const wordSlots = 64

// Slots appends the slots of n bytes at p, in an object of the base image.
func (h *Heap) Slots(dst []Slot, p Ptr, n uint32) []Slot {
	whole := Slot(p.Obj()) * (wordSlots + 1)
	if o := &h.objs[p.Obj()]; o.kind() != Plain || o.size > wordSlots*8 {
		return append(dst, whole)
	}
	for word := p.Off() / 8; word*8 < p.Off()+n; word++ {
		dst = append(dst, whole+1+Slot(word))
	}
	return dst
}
