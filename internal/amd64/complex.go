package amd64

import "math"

// AddComplex, SubComplex and MulComplex return x+y, x-y and x*y.
func AddComplex(x, y complex128) complex128 {
	return complex(Add(real(x), real(y)), Add(imag(x), imag(y)))
}

func SubComplex(x, y complex128) complex128 {
	return complex(Sub(real(x), real(y)), Sub(imag(x), imag(y)))
}

func MulComplex(x, y complex128) complex128 {
	return complex(
		Sub(Mul(real(x), real(y)), Mul(imag(x), imag(y))),
		Add(Mul(real(x), imag(y)), Mul(imag(x), real(y))))
}

// AddComplex64 and SubComplex64 are the same for numbers of 64 bits. Those are multiplied and divided as ones of 128 bits.
func AddComplex64(x, y complex64) complex64 {
	return complex(Add32(real(x), real(y)), Add32(imag(x), imag(y)))
}

func SubComplex64(x, y complex64) complex64 {
	return complex(Sub32(real(x), real(y)), Sub32(imag(x), imag(y)))
}

func MulComplex64(x, y complex64) complex64 {
	return complex64(MulComplex(complex128(x), complex128(y)))
}

func DivComplex64(x, y complex64) complex64 {
	return complex64(DivComplex(complex128(x), complex128(y)))
}

// DivComplex returns n/m, by the steps of runtime.complex128div.
func DivComplex(n, m complex128) complex128 {
	var e, f float64
	a, b, c, d := real(n), imag(n), real(m), imag(m)
	if math.Abs(c) >= math.Abs(d) {
		ratio := Div(d, c)
		denom := Add(c, Mul(ratio, d))
		e = Div(Add(a, Mul(b, ratio)), denom)
		f = Div(Sub(b, Mul(a, ratio)), denom)
	} else {
		ratio := Div(c, d)
		denom := Add(d, Mul(ratio, c))
		e = Div(Add(Mul(a, ratio), b), denom)
		f = Div(Sub(Mul(b, ratio), a), denom)
	}
	if e == e || f == f {
		return complex(e, f)
	}
	inf := math.Inf(1)
	switch {
	case m == 0 && (a == a || b == b):
		e = Mul(math.Copysign(inf, c), a)
		f = Mul(math.Copysign(inf, c), b)
	case (isInf(a) || isInf(b)) && isFinite(c) && isFinite(d):
		a, b = oneIfInf(a), oneIfInf(b)
		e = Mul(inf, Add(Mul(a, c), Mul(b, d)))
		f = Mul(inf, Sub(Mul(b, c), Mul(a, d)))
	case (isInf(c) || isInf(d)) && isFinite(a) && isFinite(b):
		c, d = oneIfInf(c), oneIfInf(d)
		e = Mul(0, Add(Mul(a, c), Mul(b, d)))
		f = Mul(0, Sub(Mul(b, c), Mul(a, d)))
	}
	return complex(e, f)
}

func isInf(x float64) bool    { return math.IsInf(x, 0) }
func isFinite(x float64) bool { return x-x == 0 }

// oneIfInf returns 1 for what is infinite and 0 for all else, with its sign.
func oneIfInf(x float64) float64 {
	if isInf(x) {
		return math.Copysign(1, x)
	}
	return math.Copysign(0, x)
}
