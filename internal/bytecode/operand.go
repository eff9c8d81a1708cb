package bytecode

// An Operand says what an instruction does with one of its register operands.
type Operand struct {
	Use, Def bool
	Words    int8 // how many consecutive words; -1 if that depends on the instruction
}

// dependent is the number of words that only the whole instruction tells.
const dependent = -1

// Operands describes A, B and C of every opcode. An operand that is no register,
// and a call's window, is neither used nor defined.
var Operands = operandTable()

// wide lists the operands that do not take one word.
var wide = map[Op][3]int8{
	OpMov2: {2, 2, 0}, OpMov3: {3, 3, 0}, OpMovn: {dependent, dependent, 0}, OpZero: {dependent, 0, 0}, OpStr: {2, 0, 0},

	OpAddc128: {2, 2, 2}, OpSubc128: {2, 2, 2}, OpMulc128: {2, 2, 2}, OpDivc128: {2, 2, 2}, OpNegc128: {2, 2, 0},
	OpEqc128: {1, 2, 2}, OpCvtc64c128: {2, 1, 0}, OpCvtc128c64: {1, 2, 0},

	OpLd128: {2, 1, 0}, OpLd192: {3, 1, 0}, OpLdn: {dependent, 1, 0},
	OpSt128: {1, 2, 0}, OpSt192: {1, 3, 0}, OpStn: {1, dependent, 0},
	OpLdg128: {2, 0, 0}, OpLdg192: {3, 0, 0}, OpStg128: {0, 2, 0}, OpStg192: {0, 3, 0},

	OpLdx8u: {1, 2, 1}, OpLdx8s: {1, 2, 1}, OpLdx16u: {1, 2, 1}, OpLdx16s: {1, 2, 1}, OpLdx32u: {1, 2, 1},
	OpLdx32s: {1, 2, 1}, OpLdx64: {1, 2, 1}, OpLdx128: {2, 2, 1}, OpLdx192: {3, 2, 1},
	OpStx8: {2, 1, 1}, OpStx16: {2, 1, 1}, OpStx32: {2, 1, 1}, OpStx64: {2, 1, 1}, OpStx128: {2, 1, 2}, OpStx192: {2, 1, 3},
	OpIxaddr: {1, 2, 1},
	OpLdp128: {2, 1, 1}, OpLdp192: {3, 1, 1}, OpStp128: {1, 1, 2}, OpStp192: {1, 1, 3},

	OpFldn: {dependent, 0, 0}, OpFstn: {0, dependent, 0},
	OpFldx8u: {1, dependent, 1}, OpFldx8s: {1, dependent, 1}, OpFldx16u: {1, dependent, 1}, OpFldx16s: {1, dependent, 1},
	OpFldx32u: {1, dependent, 1}, OpFldx32s: {1, dependent, 1}, OpFldx64: {1, dependent, 1},
	OpFstx8: {dependent, 1, 1}, OpFstx16: {dependent, 1, 1}, OpFstx32: {dependent, 1, 1}, OpFstx64: {dependent, 1, 1},

	OpMakeslice: {3, 1, 1}, OpAppend: {3, 3, 2}, OpAppendstr: {3, 3, 2}, OpAppendf: {3, 3, dependent},
	OpCopy: {1, 2, 2}, OpClearslice: {0, 2, 0},
	OpSlice: {3, 3, dependent}, OpSlicestr: {2, 2, dependent}, OpSlicearr: {3, 1, dependent},
	OpSlice2arr: {1, 2, 0}, OpUnsafeslice: {3, 1, 1}, OpUnsafestr: {2, 1, 1},

	OpConcat: {2, 2, 2}, OpConcatn: {2, dependent, 0}, OpStreq: {1, 2, 2}, OpStrne: {1, 2, 2}, OpStrlt: {1, 2, 2},
	OpStrle: {1, 2, 2}, OpStridx: {1, 2, 1}, OpStrnext: {3, 3, 0}, OpRunestr: {2, 1, 0}, OpBytesstr: {2, 2, 0},
	OpStrbytes: {3, 2, 0}, OpRunesstr: {2, 2, 0}, OpStrrunes: {3, 2, 0},
	OpMinstr: {2, 2, 2}, OpMaxstr: {2, 2, 2},

	OpMapget: {dependent, 1, dependent}, OpMapget2: {dependent, 1, dependent}, OpMapset: {1, dependent, dependent},
	OpMapdel: {0, 1, dependent}, OpMaprange: {4, 1, 0}, OpMapnext: {dependent, 4, 0},

	OpSend: {0, 1, dependent}, OpRecv: {dependent, 1, 0},

	OpMkiface: {2, dependent, 0}, OpAssert: {dependent, 2, 0}, OpAsserti: {dependent, 2, 0}, OpCvtiface: {2, 2, 0},
	OpIfaceeq: {1, 2, 2}, OpIfaceqm: {1, 2, 2}, OpEqt: {1, dependent, dependent},

	OpMkclosure: {1, dependent, 0}, OpCalli: {0, 2, 0}, OpGoi: {0, 2, 0}, OpDeferi: {0, 2, 1},
	OpRecover: {2, 0, 0}, OpPanic: {0, 2, 0}, OpRet2: {0, 2, 0}, OpRetn: {0, dependent, 0}, OpPrint: {0, dependent, 0},
}

func operandTable() (t [NumOps][3]Operand) {
	for op := range t {
		words, ok := wide[Op(op)]
		for i := range t[op] {
			o := &t[op][i]
			switch Ops[op].Pattern[i] {
			case "d":
				o.Def = true
			case "s":
				o.Use = true
			case "r":
				o.Use, o.Def = true, true
			default:
				continue
			}
			o.Words = 1
			if ok {
				o.Words = words[i]
			}
		}
	}
	return t
}
