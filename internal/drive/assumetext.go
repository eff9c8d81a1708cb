package drive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/heddle-mc/heddle/internal/mem"
)

// guessesText is Guesses as JSON. Lists are in order, so that equal ones have equal texts.
type guessesText struct {
	Timed      bool            `json:"timed"`
	Miscounted bool            `json:"miscounted,omitempty"`
	Dials      bool            `json:"dials,omitempty"`
	Written    []mem.Slot      `json:"written"`
	Walked     map[uint64]bool `json:"walked,omitempty"`
	Handed     bool            `json:"handed,omitempty"`
	Users      []Use           `json:"users,omitempty"`
	Abandoned  []string        `json:"abandoned,omitempty"`
	Collects   bool            `json:"collects,omitempty"`
	Quits      bool            `json:"quits,omitempty"`
}

// MarshalJSON writes guesses down.
func (a *Guesses) MarshalJSON() ([]byte, error) {
	out := guessesText{
		Timed: a.Timed, Miscounted: a.Miscounted, Dials: a.Dials, Written: slices.Sorted(maps.Keys(a.Written)), Walked: a.Walked,
		Handed: a.Handed, Abandoned: slices.Sorted(maps.Keys(a.Abandoned)), Collects: a.Collects, Quits: a.Quits,
	}
	out.Users = slices.SortedFunc(maps.Keys(a.Users), func(x, y Use) int {
		return cmp.Or(cmp.Compare(x.Process, y.Process), cmp.Compare(x.FD, y.FD), cmp.Compare(x.Maker, y.Maker), cmp.Compare(x.Who, y.Who))
	})
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON has written.
func (a *Guesses) UnmarshalJSON(data []byte) error {
	var in guessesText
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*a = Guesses{Timed: in.Timed, Miscounted: in.Miscounted, Dials: in.Dials, Collects: in.Collects, Quits: in.Quits, Walked: in.Walked}
	for _, slot := range in.Written {
		a.set(slot)
	}
	for _, u := range in.Users {
		a.use(u)
	}
	for _, birth := range in.Abandoned {
		a.abandon(birth)
	}
	a.Handed = a.Handed || in.Handed
	return nil
}

// Text returns what is known of guesses as text, "" if none is made.
func (k Known) Text() string {
	if k.Refuted == nil {
		return ""
	}
	data, _ := json.Marshal(k.Refuted) // numbers and strings can be written
	return string(data)
}

// ParseKnown reads what Text and Views.String return.
func ParseKnown(guesses, views string) (k Known, err error) {
	if k.Views, err = ParseViews(views); err != nil || guesses == "" {
		return k, err
	}
	if err := json.Unmarshal([]byte(guesses), &k.Refuted); err != nil {
		return Known{}, fmt.Errorf("guesses: %w", err)
	}
	if k.Refuted == nil {
		return Known{}, fmt.Errorf("guesses: %q says nothing", guesses)
	}
	return k, nil
}
