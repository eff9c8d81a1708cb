package process

// Which calls depend on each other. A descriptor is only a number, and anybody
// may know it; but those of package net and os are each kept in one object of
// the heap, and only who can reach that object makes calls with the number. The
// object is the owner of what is behind the descriptor. The kernel knows nothing
// of heaps, so owners are numbers to it. They are no part of the state: they
// follow from what is in the heap.

// An Owner is an object of a process's heap or, before there is one, the creator
// of a descriptor, whom alone its number is known to. The zero Owner is nobody.
type Owner struct {
	Process int
	Object  uint64
	Creator string
}

// Several is the owner of what has more than one number, or had until its owner last made a call.
// Each number may be kept in another object, so nobody knows who can reach them all.
var Several = Owner{Process: -1}

// Known reports whether it is known who owns something.
func (o Owner) Known() bool { return o != Owner{} && o != Several }

// Own says who owns what is behind a descriptor.
func (k *Core) Own(fd int, object uint64) {
	if d, e := k.Desc(fd); e == 0 && d.refs == 1 {
		k.own(d, Owner{Process: k.Process, Object: object})
	} else if e == 0 {
		k.own(d, Several)
	}
}

// duplicated notes that an open file has one more number.
func (k *Core) duplicated(d *Desc) { k.own(d, Several) }

func (k *Core) own(d *Desc, owner Owner) {
	if d.Owner == owner {
		return
	}
	k.Touch(d)
	d.Owner = owner
	if f, ok := d.File.(shared); ok {
		f.SetOwner(owner)
	}
}

// Owners appends the owners of what a call on a descriptor acts on: of the thing
// itself and, unless only the near end matters, of the far end of its connection.
// All is set if that is not known of one of them, or if they are not all that
// matters.
func (k *Core) Owners(list []Owner, fd int, near bool) (owners []Owner, all bool) {
	d, e := k.Desc(fd)
	if e != 0 || !d.Owner.Known() {
		return list, true
	}
	list = append(list, d.Owner)
	if f, ok := d.File.(shared); ok {
		return f.Others(list, near)
	}
	return list, false
}

// HasFar reports whether what is behind a descriptor has another end, or others to whom something can be sent.
func (k *Core) HasFar(fd int) bool {
	d, e := k.Desc(fd)
	if e != 0 {
		return false
	}
	_, ok := d.File.(shared)
	return ok
}

// OwnsAny reports whether a descriptor of the process is kept in an object.
func (k *Core) OwnsAny() (any bool) {
	k.Each(func(_ int, d *Desc) { any = any || d.Owner != Owner{} })
	return any
}

// Owned reports whether it is known who owns what is behind a descriptor.
func (k *Core) Owned(fd int) bool {
	d, e := k.Desc(fd)
	return e == 0 && d.Owner != (Owner{})
}
