package mem

import "fmt"

// An ObjID numbers an object. There is no object 0. Numbers of freed objects
// are used again.
type ObjID uint32

// A Ptr is a pointer of the program under test: an object number and a byte
// offset. It never holds a host address, so two runs that allocate alike have
// equal memories. The zero Ptr is nil.
type Ptr uint64

// MakePtr returns the pointer to byte off of object id.
func MakePtr(id ObjID, off uint32) Ptr { return Ptr(id)<<32 | Ptr(off) }

// Obj returns the number of the object that p points to.
func (p Ptr) Obj() ObjID { return ObjID(p >> 32) }

// Off returns p's byte offset in its object.
func (p Ptr) Off() uint32 { return uint32(p) }

// String prints p as object and offset, such as "17+0x8".
func (p Ptr) String() string {
	if p == 0 {
		return "nil"
	}
	return fmt.Sprintf("%d+%#x", p.Obj(), p.Off())
}
