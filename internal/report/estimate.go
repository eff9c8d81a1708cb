package report

import (
	"fmt"
	"math"
)

// An Estimate is a guess of how many states a search has not seen that was cut off.
type Estimate struct {
	Left    int64 `json:"left"`
	AtLeast bool  `json:"at_least"` // there are likely more
	// Seconds is how long they take at the rate of the search, 0 if that is not told.
	Seconds float64 `json:"seconds"`
}

// Words says how much is left, "" if e is nil.
func (e *Estimate) Words() string {
	if e == nil {
		return ""
	}
	s, round, more := "about ", math.Round, ""
	if e.AtLeast {
		s, round, more = "at least ", math.Floor, " or more"
	}
	if s += roughly(e.Left, round) + " states left"; e.Left == 1 {
		s = s[:len(s)-len("s left")] + " left"
	}
	if e.Seconds > 0 {
		s += " (" + duration(e.Seconds) + more + " at this rate)"
	}
	return s
}

// also is Words after something else.
func (e *Estimate) also() string {
	if e == nil {
		return ""
	}
	return "; " + e.Words()
}

// roughly is a number with one digit that counts, rounded so.
func roughly(n int64, round func(float64) float64) string {
	if n < 1 {
		return "0"
	}
	exponent := int(math.Floor(math.Log10(float64(n))))
	digit := int64(round(float64(n) / math.Pow10(exponent)))
	if digit == 10 {
		digit, exponent = 1, exponent+1
	}
	if exponent < 5 {
		return fmt.Sprint(digit * int64(math.Pow10(exponent)))
	}
	return fmt.Sprintf("%d·10^%d", digit, exponent)
}

// duration is a time in its largest unit.
func duration(seconds float64) string {
	for _, unit := range []struct {
		name    string
		seconds float64
	}{{"years", 365 * 86400}, {"days", 86400}, {"h", 3600}, {"min", 60}} {
		if n := seconds / unit.seconds; n >= 1.5 {
			return roughlyOf(n) + " " + unit.name
		}
	}
	return roughlyOf(max(seconds, 1)) + " s"
}

// roughlyOf rounds to a whole number if there are at most two digits.
func roughlyOf(n float64) string {
	if n < 100 {
		return fmt.Sprint(math.Round(n))
	}
	return roughly(int64(math.Min(n, math.MaxInt64/2)), math.Round)
}
