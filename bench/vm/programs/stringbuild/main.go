// Stringbuild makes text: appends, concatenation, conversion and comparison.
package main

func itoa(buf []byte, n int) []byte {
	if n >= 10 {
		buf = itoa(buf, n/10)
	}
	return append(buf, byte('0'+n%10))
}

func main() {
	var lines []string
	var buf []byte
	for i := 0; i < 120000; i++ {
		buf = append(buf[:0], "line "...)
		buf = itoa(buf, i)
		lines = append(lines, string(buf)+": "+lines0(i)+"\n")
	}
	total, long := 0, ""
	for _, s := range lines {
		total += len(s)
		for _, r := range s {
			if r == '7' {
				total++
			}
		}
		if s > long {
			long = s
		}
	}
	text := ""
	for i := 0; i < 400; i++ {
		text += lines[i]
	}
	println(total, len(text), len(long))
}

func lines0(i int) string {
	if i%3 == 0 {
		return "warp"
	}
	return "weft"
}
