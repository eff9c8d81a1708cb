// Package effect says what steps act on.
//
// A step of a goroutine reads, changes or waits for things: words of objects,
// descriptors, ports, the clock. A Token names one such thing, and a Footprint lists
// the tokens of one step. Two steps are independent, so that their order makes no
// difference, if neither writes what the other one reads, writes or waits for:
//
//	            reads          writes         waits
//	mu.Lock()                  mu             mu
//	x.Load()    x
//	conn.Read                  near end       near end, far end
//	time.Now()  the clock
//	fork()      everything
//
// Where a native or a system call is made, the tokens follow from its Row and from its
// arguments. A row is data: it can be printed, and held against what was really
// touched. What has no row acts on everything, so a row that is missing may cost
// time but never an answer.
//
// The package knows nothing of machines, of kernels or of searches: whoever steps a
// machine makes footprints, and whoever reduces a search compares them.
package effect
