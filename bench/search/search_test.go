package main

import (
	"os"
	"testing"
)

// BenchmarkPhilosophers8 searches the first 100,000 states of the eight dining
// philosophers without reduction, for benchstat.
func BenchmarkPhilosophers8(b *testing.B) {
	if err := os.Chdir("../.."); err != nil {
		b.Fatal(err)
	}
	defer os.Chdir("bench/search")
	code, err := open("philosophers8")
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.ResetTimer()
	states, transitions := int64(0), int64(0)
	for range b.N {
		r, err := search(code, plan{Limit: 100_000})
		if err != nil {
			b.Fatal(err)
		}
		states += r.States
		transitions += r.Transitions
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(transitions), "ns/transition")
}
