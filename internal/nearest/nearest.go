// Package nearest finds the word that somebody may have meant who typed another
// one. It knows nothing about what the words are for.
package nearest

import "fmt"

// To returns the one of the words that is most like what was typed, or "" if none is
// like it: at most one letter in three may be missing, added, wrong or in
// another order. Of several that are alike it is the first.
func To(typed string, words []string) string {
	best, least := "", max(len(typed)/3, 1)+1
	for _, w := range words {
		if d := distance(typed, w); d < least && d < len(w) {
			best, least = w, d
		}
	}
	return best
}

// Question asks for the nearest word, as in ": did you mean -states?", in which - is the prefix. It is "" if there is none.
func Question(typed, prefix string, words []string) string {
	if w := To(typed, words); w != "" {
		return fmt.Sprintf(": did you mean %s?", prefix+w)
	}
	return ""
}

// Colon is what stands between a word that is not known and the sentence that says what
// is: a question, as Question asks it, or else a colon.
func Colon(typed string, words []string) string {
	if q := Question(typed, "", words); q != "" {
		return q
	}
	return ":"
}

// distance counts the letters that have to be added, removed, replaced or, side by side,
// swapped to make b of a.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := [3][]int{make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		row, last, before := rows[i%3], rows[(i+2)%3], rows[(i+1)%3]
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return rows[len(x)%3][len(y)]
}
