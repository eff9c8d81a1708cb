package effect

// Atomic operations act on the bytes to which argument 0 points. What a pointer points to
// that is stored can be reached by others from then on.
var atomics = []group{
	{
		"It reads four bytes.",
		Row{Acts: on(Reads, 4), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.Loadint32", "sync/atomic.LoadInt32", "sync/atomic.LoadUint32",
		},
	},
	{
		"It reads eight bytes.",
		Row{Acts: on(Reads, 8), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.Loadint64", "internal/runtime/atomic.Loaduint",
			"internal/runtime/atomic.Loaduintptr", "sync/atomic.LoadInt64", "sync/atomic.LoadUint64",
			"sync/atomic.LoadUintptr",
		},
	},
	{
		"It reads a pointer.",
		Row{Acts: on(Reads, 8), Memory: true, Atomic: true},
		names{
			"sync/atomic.LoadPointer",
		},
	},
	{
		"It writes a byte.",
		Row{Acts: on(Writes, 1), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.Store8",
		},
	},
	{
		"It writes four bytes.",
		Row{Acts: on(Writes, 4), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.Store", "internal/runtime/atomic.StoreRel", "internal/runtime/atomic.Storeint32",
			"sync/atomic.StoreInt32", "sync/atomic.StoreUint32",
		},
	},
	{
		"It writes eight bytes.",
		Row{Acts: on(Writes, 8), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.Store64", "internal/runtime/atomic.StoreRel64",
			"internal/runtime/atomic.StoreReluintptr", "internal/runtime/atomic.Storeint64",
			"internal/runtime/atomic.Storeuintptr", "sync/atomic.StoreInt64", "sync/atomic.StoreUint64",
			"sync/atomic.StoreUintptr",
		},
	},
	{
		"It writes a pointer.",
		Row{Acts: on(Writes, 8), Memory: true, Atomic: true, Publishes: []int{1}},
		names{
			"internal/runtime/atomic.StorepNoWB", "internal/runtime/atomic.storePointer", "sync/atomic.StorePointer",
		},
	},
	{
		"It writes a byte and returns what was there.",
		Row{Acts: on(Reads|Writes, 1), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.Xchg8",
		},
	},
	{
		"It writes four bytes and returns what was there.",
		Row{Acts: on(Reads|Writes, 4), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.Xchg", "internal/runtime/atomic.Xchgint32", "sync/atomic.SwapInt32",
			"sync/atomic.SwapUint32",
		},
	},
	{
		"It writes eight bytes and returns what was there.",
		Row{Acts: on(Reads|Writes, 8), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.Xchg64", "internal/runtime/atomic.Xchgint64", "internal/runtime/atomic.Xchguintptr",
			"sync/atomic.SwapInt64", "sync/atomic.SwapUint64", "sync/atomic.SwapUintptr",
		},
	},
	{
		"It writes a pointer and returns what was there.",
		Row{Acts: on(Reads|Writes, 8), Memory: true, Atomic: true, Publishes: []int{1}},
		names{
			"sync/atomic.SwapPointer",
		},
	},
	{
		"It changes a byte by what was there.",
		Row{Acts: on(Reads|Writes, 1), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.And8", "internal/runtime/atomic.Or8",
		},
	},
	{
		"It changes four bytes by what was there.",
		Row{Acts: on(Reads|Writes, 4), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.And", "internal/runtime/atomic.And32", "internal/runtime/atomic.Or",
			"internal/runtime/atomic.Or32", "internal/runtime/atomic.Xadd", "internal/runtime/atomic.Xaddint32",
			"sync/atomic.AddInt32", "sync/atomic.AddUint32", "sync/atomic.AndInt32", "sync/atomic.AndUint32",
			"sync/atomic.OrInt32", "sync/atomic.OrUint32",
		},
	},
	{
		"It changes eight bytes by what was there.",
		Row{Acts: on(Reads|Writes, 8), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.And64", "internal/runtime/atomic.Anduintptr", "internal/runtime/atomic.Or64",
			"internal/runtime/atomic.Oruintptr", "internal/runtime/atomic.Xadd64", "internal/runtime/atomic.Xaddint64",
			"internal/runtime/atomic.Xadduintptr", "sync/atomic.AddInt64", "sync/atomic.AddUint64",
			"sync/atomic.AddUintptr", "sync/atomic.AndInt64", "sync/atomic.AndUint64", "sync/atomic.AndUintptr",
			"sync/atomic.OrInt64", "sync/atomic.OrUint64", "sync/atomic.OrUintptr",
		},
	},
	{
		"It compares four bytes and may change it.",
		Row{Acts: on(Reads|Writes, 4), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.Cas", "internal/runtime/atomic.CasRel", "internal/runtime/atomic.Casint32",
			"sync/atomic.CompareAndSwapInt32", "sync/atomic.CompareAndSwapUint32",
		},
	},
	{
		"It compares eight bytes and may change it.",
		Row{Acts: on(Reads|Writes, 8), Memory: true, Atomic: true},
		names{
			"internal/runtime/atomic.Cas64", "internal/runtime/atomic.Casint64", "internal/runtime/atomic.Casuintptr",
			"sync/atomic.CompareAndSwapInt64", "sync/atomic.CompareAndSwapUint64", "sync/atomic.CompareAndSwapUintptr",
		},
	},
	{
		"It compares a pointer and may change it.",
		Row{Acts: on(Reads|Writes, 8), Memory: true, Atomic: true, Publishes: []int{2}},
		names{
			"internal/runtime/atomic.Casp1", "internal/runtime/atomic.casPointer", "sync/atomic.CompareAndSwapPointer",
		},
	},
}
