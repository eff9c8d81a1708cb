package cert

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestHeaderFunctions: headers with functions are read as package json reads them, whatever is in them.
func TestHeaderFunctions(t *testing.T) {
	quick := 0
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]string{"main.f", "a.(*T[int]).m", "", "ü", "chan<- int", `"`, `\`, "\n", "\xff", `"functions":[`, "]", "}", ","})
		pairs := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Pair { return Pair{word.Draw(t, "name"), word.Draw(t, "value")} }), 0, 4)
		text, err := json.Marshal(Header{Kind: Full, Tool: word.Draw(t, "tool"), Program: pairs.Draw(t, "program"), Functions: pairs.Draw(t, "functions"), Settings: pairs.Draw(t, "settings")})
		if err != nil {
			t.Fatal(err)
		}
		s := string(text)
		for range rapid.IntRange(0, 3).Draw(t, "edits") {
			piece := rapid.SampledFrom([]string{"", " ", ",", "]", "}", "[", "{", `"`, `"functions":[]`, `"functions":[{"name":"x","value":"y"}],`, `"functions":null,`, `"Functions":[],`, `\`, "{}", "x"}).Draw(t, "piece")
			at := rapid.IntRange(0, len(s)).Draw(t, "at")
			end := min(len(s), at+rapid.IntRange(0, 2).Draw(t, "cut"))
			if comma := strings.Index(s, `"settings"`); comma >= 0 && rapid.Bool().Draw(t, "field") {
				at, end = comma, comma
			}
			s = s[:at] + piece + s[end:]
		}
		var got, want Header
		gotErr, wantErr := readHeader([]byte(s), &got), decodeHeader([]byte(s), &want)
		if (gotErr == nil) != (wantErr == nil) || gotErr == nil && !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: got %+v, %v, want %+v, %v", s, got, gotErr, want, wantErr)
		}
		if _, _, ok := cutFunctions([]byte(s)); ok && gotErr == nil {
			quick++
		}
	})
	if quick == 0 {
		t.Error("no header was read quickly")
	}
}
