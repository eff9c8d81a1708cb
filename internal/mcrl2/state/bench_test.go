package state

import (
	"os"
	"syscall"
	"testing"

	"github.com/heddle-mc/heddle/internal/explore"
	"github.com/heddle-mc/heddle/internal/stateset"
)

// measured notes the size of a set when it is closed.
type measured struct {
	*stateset.Fingerprints
	bytes *int64
}

func (m measured) Close() error {
	*m.bytes = m.Bytes()
	return m.Fingerprints.Close()
}

// benchmark searches a model once per iteration and tells states a second and
// bytes a state of the visited set.
func benchmark(b *testing.B, text string, o Options, how explore.Options) {
	l := linearised(b, text, "rewr", "constelm", "parelm")
	b.ReportAllocs()
	b.ResetTimer()
	began := processTime()
	var states int64
	var r *explore.Result
	var bytes int64
	for range b.N {
		set := stateset.NewFingerprints()
		how.All, how.NewSet = true, func() stateset.Set { return measured{set, &bytes} }
		r = search(b, l, o, how)
		states += r.States
	}
	cpu := processTime() - began
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(states)/cpu, "states/cpu-s")
	b.ReportMetric(float64(r.States), "states")
	b.ReportMetric(float64(r.Transitions), "transitions")
	b.ReportMetric(float64(bytes)/float64(r.States), "B/state")
}

func BenchmarkPhilosophers10(b *testing.B) {
	benchmark(b, philosophers(10), Options{}, explore.Options{})
}

func BenchmarkPhilosophersBreadthFirst(b *testing.B) {
	benchmark(b, philosophers(10), Options{}, explore.Options{Strategy: explore.BreadthFirst})
}

func BenchmarkPhilosophersUncached(b *testing.B) {
	benchmark(b, philosophers(8), Options{Uncached: true}, explore.Options{})
}

func benchmarkFile(b *testing.B, name string) {
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		b.Fatal(err)
	}
	benchmark(b, string(text), Options{}, explore.Options{})
}

func BenchmarkOneBit(b *testing.B)         { benchmarkFile(b, "onebit.mcrl2") }
func BenchmarkRetransmission(b *testing.B) { benchmarkFile(b, "brp.mcrl2") }
func BenchmarkSlidingWindow(b *testing.B)  { benchmarkFile(b, "swp.mcrl2") }

// processTime returns the seconds of CPU time that the process has used.
func processTime() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
