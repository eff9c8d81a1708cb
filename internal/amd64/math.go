package amd64

import "math"

// The functions of package math that are in assembly on amd64, by the same steps.

// Exp is math.Exp, by exp_amd64.s on a processor that can multiply and add at once.
func Exp(x float64) float64 {
	const (
		log2e    = 1.4426950408889634073599246810018920
		upper    = 0.69314718055966295651160180568695068359375 // of the logarithm of 2
		lower    = 0.28235290563031577122588448175013436025525412068e-12
		overflow = 7.09782712893384e+02
	)
	switch {
	case x != x || x > math.MaxFloat64:
		return x
	case x < -math.MaxFloat64:
		return 0
	case x > overflow:
		return math.Inf(1)
	}
	// The nearest integer; what does not fit is the least one.
	k := int32(math.MinInt32)
	if r := math.RoundToEven(float64(x * log2e)); -1<<31 <= r && r < 1<<31 {
		k = int32(r)
	}
	y := float64(k)
	x = math.FMA(-upper, y, x)
	x = math.FMA(-lower, y, x)
	x = float64(x * 0.0625)
	s := 2.4801587301587301587e-5
	for _, c := range [...]float64{1.9841269841269841270e-4, 1.3888888888888888889e-3, 8.3333333333333333333e-3, 4.1666666666666666667e-2, 1.6666666666666666667e-1, 0.5, 1} {
		s = math.FMA(s, x, c)
	}
	x = float64(x * s)
	for range 3 {
		x = float64(x * float64(x+2))
	}
	x = math.FMA(x, float64(x+2), 1)
	// x * 2**k
	k += 0x3ff
	if k <= 0 {
		if k < -52 {
			return 0
		}
		x = float64(x * math.Float64frombits(uint64(uint32(k+0x3fe))<<52))
		k = 1
	} else if k >= 0x7ff {
		return math.Inf(1)
	}
	return float64(x * math.Float64frombits(uint64(k)<<52))
}

// Log is math.Log, by log_amd64.s.
func Log(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
		l1    = 6.666666666666735130e-01
		l2    = 3.999999999940941908e-01
		l3    = 2.857142874366239149e-01
		l4    = 2.222219843214978396e-01
		l5    = 1.818357216161805012e-01
		l6    = 1.531383769920937332e-01
		l7    = 1.479819860511658591e-01
	)
	bits := math.Float64bits(x)
	switch {
	case x == 0:
		return math.Inf(-1)
	case int64(bits) < 0:
		return math.NaN()
	case bits >= 0x7ff<<52:
		return x
	}
	// What has fewer digits than others is not treated apart there.
	f := math.Float64frombits(bits&(1<<52-1) | 0x3fe<<52)
	k := float64(int32(bits>>52&0x7ff) - 0x3fe)
	if !(math.Sqrt2/2 < f) {
		k--
		f = float64(f * 2)
	}
	f--
	s := f / (2 + f)
	s2 := float64(s * s)
	s4 := float64(s2 * s2)
	t1 := float64(s2 * (l1 + float64(s4*(l3+float64(s4*(l5+float64(s4*l7)))))))
	t2 := float64(s4 * (l2 + float64(s4*(l4+float64(s4*l6)))))
	r := t1 + t2
	half := float64(float64(0.5*f) * f)
	return float64(k*ln2Hi) - ((half - (float64(s*(half+r)) + float64(k*ln2Lo))) - f)
}

// Hypot is math.Hypot, by hypot_amd64.s.
func Hypot(p, q float64) float64 {
	p, q = math.Abs(p), math.Abs(q)
	switch {
	case isInf(p) || isInf(q):
		return math.Inf(1)
	case p != p || q != q:
		return math.NaN()
	case p == 0 && q == 0:
		return 0
	}
	p, q = max(p, q), min(p, q)
	q /= p
	return float64(p * math.Sqrt(1+float64(q*q)))
}
