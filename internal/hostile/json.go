package hostile

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Texts that somebody may have forgotten.
var texts = []string{"", "-", "0", "-1", "9223372036854775807", "18446744073709551616", "1e9", "true", "false", "null", "[]", "{}", `[""]`, `["-selftest"]`, "full", "tree",
	"\x1b[2Jverified", "ra\u200bce", "\x00", "..", "/", "/dev/zero", strings.Repeat("a", 1<<16), strings.Repeat("[", 1<<12), strings.Repeat("1.", 1<<12) + "1", "1*16777216"}

// editJSON changes a value somewhere in JSON, or its text.
func editJSON(r *rand.Rand, data []byte) ([]byte, string) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var tree any
	if r.IntN(8) == 0 || d.Decode(&tree) != nil {
		return editBytes(r, data)
	}
	var places []place
	walk(tree, "", func(v any) { tree = v }, &places)
	p := places[r.IntN(len(places))]
	if r.IntN(2) == 0 { // lists of functions are long, and all else is short
		short := slices.DeleteFunc(slices.Clone(places), func(p place) bool { return strings.HasPrefix(p.name, ".functions") })
		p = short[r.IntN(len(short))]
	}
	what := p.edit(r)
	out, err := json.Marshal(tree)
	if err != nil {
		return editBytes(r, data)
	}
	return out, p.name + " " + what
}

// A place is a value in JSON.
type place struct {
	name  string
	value any
	set   func(any)
}

// walk lists all values, in the order of their names.
func walk(v any, name string, set func(any), list *[]place) {
	*list = append(*list, place{name, v, set})
	switch v := v.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(v)) {
			walk(v[key], name+"."+key, func(x any) { v[key] = x }, list)
		}
	case []any:
		for i := range v {
			walk(v[i], fmt.Sprintf("%s[%d]", name, i), func(x any) { v[i] = x }, list)
		}
	}
}

// edit puts another value there.
func (p *place) edit(r *rand.Rand) string {
	switch v := p.value.(type) {
	case map[string]any:
		key := pick(r, append(slices.Sorted(maps.Keys(v)), "unknown")...)
		if r.IntN(2) == 0 {
			delete(v, key)
			return "without " + key
		}
		v[key] = pick(r, texts...)
		return fmt.Sprintf("%s is %.20q", key, v[key])
	case []any:
		if len(v) == 0 {
			p.set([]any{pick(r, texts...)})
			return "has a value"
		}
		at, other := r.IntN(len(v)), r.IntN(len(v))
		switch r.IntN(5) {
		case 0:
			p.set(slices.Delete(slices.Clone(v), at, at+1))
			return fmt.Sprintf("without %d", at)
		case 1:
			times := pick(r, 1, 1, 10000)
			p.set(slices.Insert(slices.Clone(v), at, slices.Repeat(v[at:at+1], times)...))
			return fmt.Sprintf("%d %d times more", at, times)
		case 2:
			p.set([]any{})
			return "is empty"
		}
		v[at], v[other] = v[other], v[at]
		return fmt.Sprintf("%d and %d swapped", at, other)
	case bool:
		p.set(!v)
		return fmt.Sprintf("is %v", !v)
	case json.Number:
		old, _ := v.Int64()
		x := json.Number(fmt.Sprint(pick(r, int64(number(r, uint64(old))), -1, -old)))
		p.set(x)
		return fmt.Sprintf("is %s, was %s", x, v)
	case string:
		if r.IntN(2) == 0 {
			text, did := editLines(r, []byte(v))
			p.set(string(text))
			return did
		}
	}
	x := pick(r, texts...)
	p.set(x)
	return fmt.Sprintf("is %.20q", x)
}
