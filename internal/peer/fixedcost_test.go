//go:build linux

package peer

import (
	"fmt"
	"net"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/heddle-mc/heddle/internal/iocache"
)

func init() {
	// Says how many nanoseconds calls take.
	helpers["cost"] = func(args []string) {
		serveLines(args[0], func(c *net.TCPConn, line string) {
			const n = 2000
			each := func(f func()) int64 {
				start := time.Now()
				for range n {
					f()
				}
				return int64(time.Since(start)) / n
			}
			date := each(func() { _ = time.Now().Unix() })
			random := each(func() { unix.Getrandom(make([]byte, 16), 0) })
			open := each(func() {
				if fd, err := unix.Open("/dev/null", unix.O_RDONLY|unix.O_CLOEXEC, 0); err == nil {
					unix.Close(fd)
				}
			})
			fmt.Fprintln(c, date, random, open)
		})
	}
}

// BenchmarkFixed tells what calls of a peer cost, in nanoseconds, if its time and random numbers are fixed and if they are not.
func BenchmarkFixed(b *testing.B) {
	for _, fixed := range []bool{false, true} {
		b.Run(fmt.Sprintf("fixed=%v", fixed), func(b *testing.B) {
			spec := helper(Server, "cost", "{addr}")
			spec.Fixed = fixed
			g, err := NewGroup([]Spec{spec})
			if err != nil {
				b.Fatal(err)
			}
			defer g.Close()
			p, err := g.Start(iocache.HistoryID{Peer: "server", Whole: true})
			if err != nil {
				b.Fatal(err)
			}
			defer p.Stop()
			ask := func(r iocache.Request) (text string) {
				if err := p.Do(r); err != nil {
					b.Fatal(err)
				}
				for {
					r, err := p.Poll()
					if err != nil {
						b.Fatal(err)
					}
					if r.Kind == iocache.Quiet {
						return text
					}
					text += string(r.Data)
				}
			}
			ask(iocache.Request{Kind: iocache.Open, Conn: out(0)})
			var sum [3]float64
			n := 0
			for b.Loop() {
				var date, random, open float64
				if _, err := fmt.Sscan(ask(iocache.Request{Kind: iocache.Write, Conn: out(0), Data: []byte("go\n")}), &date, &random, &open); err != nil {
					b.Fatal(err)
				}
				sum[0], sum[1], sum[2], n = sum[0]+date, sum[1]+random, sum[2]+open, n+1
			}
			for i, what := range []string{"ns/date", "ns/random", "ns/open"} {
				b.ReportMetric(sum[i]/float64(n), what)
			}
		})
	}
}
