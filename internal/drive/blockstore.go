package drive

// A blockRoom is where the blocks of goroutines are kept, so that steps make no
// garbage. What was kept since a mark is forgotten when the machine goes back
// there: nobody has it any more.
type blockRoom struct {
	pieces [][]Access
	at     blockMark
}

// A blockMark is how much of a room is in use: all pieces before one, and the
// beginning of that.
type blockMark struct{ piece, used int }

const pieceSize = 1 << 10

// keep returns a copy of a block.
func (r *blockRoom) keep(b []Access) Block {
	if len(b) == 0 {
		return nil
	}
	if r.at.piece == len(r.pieces) || r.at.used+len(b) > len(r.pieces[r.at.piece]) {
		r.next(len(b))
	}
	p := r.pieces[r.at.piece][r.at.used:]
	r.at.used += copy(p, b)
	return p[:len(b):len(b)]
}

// next goes on to a piece with room for n accesses.
func (r *blockRoom) next(n int) {
	if r.at.used > 0 {
		r.at.piece++
	}
	r.at.used = 0
	for r.at.piece < len(r.pieces) && len(r.pieces[r.at.piece]) < n {
		r.at.piece++
	}
	if r.at.piece == len(r.pieces) {
		r.pieces = append(r.pieces, make([]Access, max(n, pieceSize)))
	}
}
