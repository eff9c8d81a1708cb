package iocache

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A region is where two answers differ: bytes a to aEnd of the one, b to bEnd of the other. What is
// between two regions is the same in both.
type region struct{ a, aEnd, b, bEnd int }

// gap is how many bytes in a row must be the same to part two regions.
const gap = 4

// regions returns where two answers differ. Answers of one size are held against each other byte by byte, since
// what varies has most often a fixed size, others word by word.
func regions(a, b []byte) (list []region) {
	if len(a) == len(b) {
		for i := range a {
			if a[i] != b[i] {
				list = joinRegion(list, region{i, i + 1, i, i + 1})
			}
		}
		return list
	}
	n := common(a, b)
	end := 0
	for end < min(len(a), len(b))-n && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	whole := region{n, len(a) - end, n, len(b) - end}
	x, y := words(a[:len(a)-end], n), words(b[:len(b)-end], n)
	if len(x)*len(y) > 4<<20 {
		return []region{whole}
	}
	// same[i][j] is how many bytes of the words from i and from j on can be kept.
	same := make([][]int, len(x)+1)
	for i := range same {
		same[i] = make([]int, len(y)+1)
	}
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			same[i][j] = max(same[i+1][j], same[i][j+1])
			if bytes.Equal(x[i].text, y[j].text) {
				same[i][j] = max(same[i][j], same[i+1][j+1]+len(x[i].text))
			}
		}
	}
	for i, j := 0, 0; i < len(x) || j < len(y); {
		switch {
		case i < len(x) && j < len(y) && bytes.Equal(x[i].text, y[j].text) && same[i][j] == same[i+1][j+1]+len(x[i].text):
			i, j = i+1, j+1
		case j == len(y) || i < len(x) && same[i+1][j] >= same[i][j+1]:
			at := whole.bEnd
			if j < len(y) {
				at = y[j].at
			}
			list = joinRegion(list, region{x[i].at, x[i].at + len(x[i].text), at, at})
			i++
		default:
			at := whole.aEnd
			if i < len(x) {
				at = x[i].at
			}
			list = joinRegion(list, region{at, at, y[j].at, y[j].at + len(y[j].text)})
			j++
		}
	}
	return list
}

// joinRegion adds a region. It is one with the last one if there is little between them.
func joinRegion(list []region, r region) []region {
	if n := len(list); n > 0 && r.a-list[n-1].aEnd < gap {
		list[n-1].aEnd, list[n-1].bEnd = r.aEnd, r.bEnd
		return list
	}
	return append(list, r)
}

// A word is letters and digits in a row, or another byte.
type word struct {
	at   int
	text []byte
}

// words cuts data from a place on.
func words(data []byte, from int) (list []word) {
	for i := from; i < len(data); {
		end := i + 1
		for letter(data[i]) && end < len(data) && letter(data[end]) {
			end++
		}
		list = append(list, word{i, data[i:end]})
		i = end
	}
	return list
}

func letter(c byte) bool {
	return '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// diff shows two answers where they differ: both quoted, one above the other, and below them what differs marked.
// What is far from a difference is left out.
func diff(a, b []byte) string {
	const around, most = 24, 4
	list := regions(a, b)
	var out strings.Builder
	for i := 0; i < len(list) && i < most; i++ {
		r := list[i]
		left, right := min(around, r.a, r.b), min(around, len(a)-r.aEnd, len(b)-r.bEnd)
		if i > 0 {
			left = min(left, r.a-list[i-1].aEnd)
		}
		if i+1 < len(list) {
			right = min(right, list[i+1].a-r.aEnd)
		}
		for _, line := range []struct {
			name    string
			data    []byte
			at, end int
		}{{"first", a, r.a, r.aEnd}, {"again", b, r.b, r.bEnd}} {
			show := func(from, to int) string {
				text := strconv.QuoteToASCII(string(line.data[from:to]))
				return text[1 : len(text)-1]
			}
			before, what, after := show(line.at-left, line.at), show(line.at, line.end), show(line.end, line.end+right)
			if line.at > left {
				before = "..." + before
			}
			if line.end+right < len(line.data) {
				after += "..."
			}
			if len(what) > 80 {
				what = what[:37] + "......" + what[len(what)-37:]
			}
			fmt.Fprintf(&out, "  %s  \"%s%s%s\"\n", line.name, before, what, after)
			fmt.Fprintf(&out, "         %s%s\n", strings.Repeat(" ", len(before)+1), strings.Repeat("^", max(len(what), 1)))
		}
	}
	if n := len(list) - most; n > 0 {
		fmt.Fprintf(&out, "  and %d more\n", n)
	}
	return strings.ReplaceAll(out.String(), " \n", "\n")
}

// readyFor returns the names of ready-made rules that make two answers equal, none that is not needed. Why is
// not empty if they do so only together with rules that are not enough by themselves.
func readyFor(a, b []byte) (names []string, why string) {
	equal := func(list []*ReadyMade) bool {
		x, y := a, b
		for _, m := range list {
			rules, err := m.parse()
			if err != nil {
				continue // a test finds it
			}
			x, _ = rules.response("", x)
			y, _ = rules.response("", y)
		}
		return bytes.Equal(x, y)
	}
	var list []*ReadyMade
	for i := range ReadyMades {
		list = append(list, &ReadyMades[i])
	}
	// Those that are not enough go first.
	slices.SortStableFunc(list, func(a, b *ReadyMade) int { return min(len(b.Bound), 1) - min(len(a.Bound), 1) })
	if !equal(list) {
		return nil, ""
	}
	for i := 0; i < len(list); {
		if without := slices.Delete(slices.Clone(list), i, i+1); equal(without) {
			list = without
		} else {
			i++
		}
	}
	for _, m := range list {
		names = append(names, m.Name)
		if m.Bound != "" {
			why = m.Bound
		}
	}
	return names, why
}

// covering returns rules that make two answers equal, each made of what is around a difference. There are none if there
// is too little around one: such a rule would be about everything.
func covering(a, b []byte) []string {
	n := common(a, b)
	end := 0
	for end < min(len(a), len(b))-n && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	for _, list := range [][]region{regions(a, b), {{n, len(a) - end, n, len(b) - end}}} {
		if len(list) > 4 {
			continue
		}
		var texts []string
		var rules Rules
		wide := widenRegions(a, b, list)
		for i := range wide {
			text := ruleFor(a, b, wide, i)
			rule, err := ParseRule(text)
			if text == "" || err != nil {
				rules = nil
				break
			}
			if !slices.Contains(texts, text) {
				texts, rules = append(texts, text), append(rules, rule)
			}
		}
		x, _ := rules.response("", a)
		y, _ := rules.response("", b)
		if rules != nil && bytes.Equal(x, y) {
			return texts
		}
	}
	return nil
}

// classes are what may stand where answers differ, smaller ones first.
var classes = []struct {
	pattern string
	has     func(byte) bool
}{
	{`[0-9:.]`, func(c byte) bool { return '0' <= c && c <= ':' || c == '.' }},
	{`[0-9a-f]`, func(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' }},
	{`[0-9A-F]`, func(c byte) bool { return '0' <= c && c <= '9' || 'A' <= c && c <= 'F' }},
	{`[0-9A-Za-z]`, letter},
	{`[0-9A-Za-z_+/-]`, func(c byte) bool { return letter(c) || bytes.IndexByte([]byte("_+/-"), c) >= 0 }},
	{`[^\r\n]`, func(c byte) bool { return ' ' <= c && c < 0x7f }},
}

// class returns the smallest class of the bytes of a region, -1 if it is none.
func (r region) class(a, b []byte) int {
	all := slices.Concat(a[r.a:r.aEnd], b[r.b:r.bEnd])
	for i := range classes {
		if !slices.ContainsFunc(all, func(c byte) bool { return !classes[i].has(c) }) {
			return i
		}
	}
	return -1
}

// widenRegions makes regions end where words do: a number that differs in its last digit now differs in others, too, some time.
func widenRegions(a, b []byte, list []region) (wide []region) {
	for i, r := range list {
		class := r.class(a, b)
		if class >= 0 && class < len(classes)-1 {
			has := classes[class].has
			from, to := 0, len(a)
			if len(wide) > 0 {
				from = wide[len(wide)-1].aEnd
			}
			if i+1 < len(list) {
				to = list[i+1].a
			}
			for r.a > from && r.b > 0 && has(a[r.a-1]) {
				r.a, r.b = r.a-1, r.b-1
			}
			for r.aEnd < to && r.bEnd < len(b) && has(a[r.aEnd]) {
				r.aEnd, r.bEnd = r.aEnd+1, r.bEnd+1
			}
		}
		wide = append(wide, r)
	}
	return wide
}

// ruleFor returns a rule that leaves a region out: what is before it in the same line, what may be there, and what is behind.
// Nothing of it is in another region. It is empty if there is too little around.
func ruleFor(a, b []byte, list []region, i int) string {
	const before, behind, least = 16, 8, 4
	r := list[i]
	from, to := max(r.a-before, 0), min(r.aEnd+behind, len(a))
	if i > 0 {
		from = max(from, list[i-1].aEnd)
	}
	if i+1 < len(list) {
		to = min(to, list[i+1].a)
	}
	if n := bytes.LastIndexByte(a[from:r.a], '\n'); n >= 0 && r.a-from-n-1 >= least {
		from += n + 1
	}
	if n := bytes.IndexByte(a[r.aEnd:to], '\n'); n >= 0 {
		to = r.aEnd + n + 1
	}
	if r.a-from+to-r.aEnd < least {
		return ""
	}
	what := ""
	na, nb := r.aEnd-r.a, r.bEnd-r.b
	switch class := r.class(a, b); {
	case class >= 0 && na > 0 && nb > 0:
		what = classes[class].pattern + "+"
	case class >= 0:
		what = classes[class].pattern + "*"
	case na == nb && na <= 1000:
		what = fmt.Sprintf("(?s:.{%d})", na)
	case to > r.aEnd:
		what = "(?s:.*?)"
	default:
		what = "(?s:.*)"
	}
	return fmt.Sprintf("response: (%s)%s(%s) => $1$2", literal(a[from:r.a]), what, literal(a[r.aEnd:to]))
}

// literal returns a pattern for bytes as they are, which can stand between the quotes of a shell and in a rule.
func literal(data []byte) string {
	var out strings.Builder
	for i, c := range data {
		switch {
		case c == '\n':
			out.WriteString(`\n`)
		case c == '\r':
			out.WriteString(`\r`)
		case c < ' ' || c >= 0x7f || c == '\'' || c == '>' && i > 0 && data[i-1] == '=':
			fmt.Fprintf(&out, `\x%02x`, c)
		case strings.IndexByte(`\.+*?()|[]{}^$`, c) >= 0:
			out.WriteByte('\\')
			fallthrough
		default:
			out.WriteByte(c)
		}
	}
	return out.String()
}
