package randgo

import "fmt"

// expr is an expression of a type, at most depth operators deep.
func (g *generator) expr(typ string, depth int) string {
	if depth == 0 || g.rnd.IntN(5) == 0 {
		return g.leaf(typ)
	}
	d := depth - 1
	switch typ {
	case "bool":
		return g.boolean(d)
	case "string":
		switch g.rnd.IntN(4) {
		case 0:
			return fmt.Sprintf("short(%s + %s)", g.leaf("string"), g.leaf("string"))
		case 1:
			return fmt.Sprintf("string(rune(0x61+uint8(%s)%%26))", g.expr("int", d))
		case 2:
			return fmt.Sprintf("min(%s, %s)", g.leaf("string"), g.leaf("string"))
		}
		return g.leaf("string")
	case "float64":
		switch g.rnd.IntN(6) {
		case 0:
			return fmt.Sprintf("float64(%s)", g.expr(ints[g.rnd.IntN(len(ints))], d))
		case 1:
			return fmt.Sprintf("float64(float32(%s))", g.expr("float64", d))
		case 2:
			return fmt.Sprintf("-(%s)", g.expr("float64", d))
		}
		return fmt.Sprintf("(%s %c %s)", g.expr("float64", d), "+-*/"[g.rnd.IntN(4)], g.expr("float64", d))
	}
	return g.integer(typ, d)
}

func (g *generator) boolean(d int) string {
	switch g.rnd.IntN(5) {
	case 0:
		return fmt.Sprintf("!(%s)", g.expr("bool", d))
	case 1:
		return fmt.Sprintf("(%s %s %s)", g.expr("bool", d), []string{"&&", "||", "==", "!="}[g.rnd.IntN(4)], g.expr("bool", d))
	}
	t := g.typ()
	op := []string{"<", "<=", ">", ">=", "==", "!="}[g.rnd.IntN(6)]
	if t == "bool" {
		op = "!="
	}
	return fmt.Sprintf("(%s %s %s)", g.expr(t, d), op, g.expr(t, d))
}

func (g *generator) integer(typ string, d int) string {
	switch g.rnd.IntN(11) {
	case 0, 1:
		return fmt.Sprintf("%s(%s)", typ, g.expr(ints[g.rnd.IntN(len(ints))], d))
	case 2:
		count := fmt.Sprintf("(%s & 63)", g.expr("uint", d))
		if g.rnd.IntN(3) == 0 {
			count = fmt.Sprint(g.rnd.IntN(8))
		}
		return fmt.Sprintf("(%s %s %s)", g.leafVar(typ), []string{"<<", ">>"}[g.rnd.IntN(2)], count)
	case 3:
		den := fmt.Sprintf("(%s | 1)", g.expr(typ, d))
		if g.rnd.IntN(20) == 0 {
			den = g.leafVar(typ)
		}
		return fmt.Sprintf("(%s %s %s)", g.expr(typ, d), []string{"/", "%"}[g.rnd.IntN(2)], den)
	case 4:
		return fmt.Sprintf("(%s%s)", []string{"-", "^"}[g.rnd.IntN(2)], g.leafVar(typ))
	case 5:
		return fmt.Sprintf("%s(%s)", typ, []string{"arr[" + g.index(5) + "]", "p.c[" + g.index(3) + "]", "sl[" + g.sliceIndex() + "]", "p.b", "q.a", "len(s)", "len(m)", "cap(sl[:1])", "b2i(" + g.expr("bool", d) + ")"}[g.rnd.IntN(9)])
	case 6:
		return fmt.Sprintf("%s(%s, %s)", []string{"min", "max"}[g.rnd.IntN(2)], g.leafVar(typ), g.expr(typ, d))
	}
	op := []string{"+", "-", "*", "&", "|", "^", "&^"}[g.rnd.IntN(7)]
	if g.rnd.IntN(3) == 0 {
		return fmt.Sprintf("(%s %s %d)", g.leafVar(typ), op, g.rnd.IntN(128))
	}
	return fmt.Sprintf("(%s %s %s)", g.leafVar(typ), op, g.expr(typ, d))
}

// leafVar is a value of an integer type that is no constant, so that no constant
// expression overflows.
func (g *generator) leafVar(typ string) string {
	if v := g.pick(typ); v != "" {
		return v
	}
	return typ + "(n)"
}

// leaf is a variable or a constant.
func (g *generator) leaf(typ string) string {
	if v := g.pick(typ); v != "" && g.rnd.IntN(4) != 0 {
		return v
	}
	switch typ {
	case "bool":
		return []string{"(n > 3)", "(len(s) < 5)", "(z > 1)", "(x != 2)"}[g.rnd.IntN(4)]
	case "string":
		return []string{"s", "p.s", `("heddle"[:2])`, `(s + "")`}[g.rnd.IntN(4)]
	case "float64":
		return []string{"z", "(z * 0.5)", "float64(n)", "(z * 1e300)"}[g.rnd.IntN(4)]
	}
	return typ + "(n)"
}
