// Spectralnorm approximates the largest eigenvalue of an infinite matrix:
// nested loops over slices with a small function inside.
package main

import "math"

func a(i, j int) float64 { return 1 / float64((i+j)*(i+j+1)/2+i+1) }

func mulAv(v, out []float64) {
	for i := range out {
		s := 0.0
		for j := range v {
			s += a(i, j) * v[j]
		}
		out[i] = s
	}
}

func mulAtv(v, out []float64) {
	for i := range out {
		s := 0.0
		for j := range v {
			s += a(j, i) * v[j]
		}
		out[i] = s
	}
}

func main() {
	const n = 160
	u, v, t := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range u {
		u[i] = 1
	}
	for n := 0; n < 10; n++ {
		mulAv(u, t)
		mulAtv(t, v)
		mulAv(v, t)
		mulAtv(t, u)
	}
	var vbv, vv float64
	for i := 0; i < n; i++ {
		vbv += u[i] * v[i]
		vv += v[i] * v[i]
	}
	println(int(math.Sqrt(vbv/vv) * 1e9))
}
