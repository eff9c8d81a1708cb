package main

import (
	"fmt"
	"os"
	"strings"
)

// A bench is a model to be searched.
type bench struct {
	name, title string
	file        string
	change      []string // texts of the file and what stands there instead, in pairs
	cached      int64    // what lps2lts --cached does a second on a comparable model, or 0
}

const (
	examples = "examples/models/"
	tests    = "internal/mcrl2/state/testdata/"
)

var benches = []bench{
	{"dining10", "dining philosophers, 10", examples + "dining.mcrl2", dining(10), 19_000},
	{"dining11", "dining philosophers, 11", examples + "dining.mcrl2", dining(11), 19_000},
	{"dining12", "dining philosophers, 12", examples + "dining.mcrl2", dining(12), 19_000},
	{"scheduler14", "Milner's scheduler, 14 cyclers", examples + "scheduler.mcrl2", scheduler(14), 0},
	{"scheduler16", "Milner's scheduler, 16 cyclers", examples + "scheduler.mcrl2", scheduler(16), 0},
	{"brp", "bounded retransmission, files of 7 chunks, 3 data", tests + "brp.mcrl2", nil, 56_000},
	{"brp8", "bounded retransmission, files of 8 chunks, 3 data", tests + "brp.mcrl2", []string{"N = 7;", "N = 8;"}, 56_000},
	{"brp9", "bounded retransmission, files of 9 chunks, 3 data", tests + "brp.mcrl2", []string{"N = 7;", "N = 9;"}, 56_000},
	{"onebit", "one-bit sliding window, 2 data", tests + "onebit.mcrl2", nil, 87_000},
	{"swp", "sliding window, window 2, 3 data", tests + "swp.mcrl2", []string{"sort D = struct d1 | d2;", "sort D = struct d1 | d2 | d3;"}, 28_000},
	{"leader9", "leader election, 9 in the ring", examples + "leader.mcrl2", leader(3, 1, 9, 2, 7, 5, 8, 4, 6), 0},
	{"hanoi12", "towers of Hanoi, 12 discs", examples + "hanoi.mcrl2", []string{"N = 4;", "N = 12;"}, 0},
	{"lift13", "lift, 13 floors", examples + "lift.mcrl2", []string{"Floors = 3;", "Floors = 13;"}, 0},
}

// join writes parallel processes for numbers from one to another.
func join(format string, from, to int) string {
	var list []string
	for i := from; i <= to; i++ {
		list = append(list, fmt.Sprintf(format, i))
	}
	return strings.Join(list, " || ")
}

func dining(n int) []string {
	return []string{"N = 5;", fmt.Sprintf("N = %d;", n), join("Phil(%d)", 1, 5), join("Phil(%d)", 1, n), join("Fork(%d)", 1, 5), join("Fork(%d)", 1, n)}
}

func scheduler(n int) []string {
	return []string{"N = 4;", fmt.Sprintf("N = %d;", n), join("Wait(%d)", 1, 3), join("Wait(%d)", 1, n-1)}
}

// leader is a ring of processes with these numbers.
func leader(numbers ...int) []string {
	var list []string
	for i, d := range numbers {
		list = append(list, fmt.Sprintf("Active(%d, %d)", i+1, d))
	}
	return []string{"N = 4;", fmt.Sprintf("N = %d;", len(numbers)), "Active(1, 3) || Active(2, 1) || Active(3, 4) || Active(4, 2)", strings.Join(list, " || "),
		join("Queue(%d, [])", 1, 4), join("Queue(%d, [])", 1, len(numbers))}
}

// text returns the model. Each text that is to be changed has to be there once.
func (b *bench) text() ([]byte, error) {
	data, err := os.ReadFile(b.file)
	if err != nil {
		return nil, err
	}
	text := string(data)
	for i := 0; i < len(b.change); i += 2 {
		if n := strings.Count(text, b.change[i]); n != 1 {
			return nil, fmt.Errorf("%s: got %d times %q, want it once", b.file, n, b.change[i])
		}
		text = strings.Replace(text, b.change[i], b.change[i+1], 1)
	}
	return []byte(text), nil
}
