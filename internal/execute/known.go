package execute

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/reduce"
)

// Known is what a search goes by: what is known of the guesses, and how it looks at
// states. The zero Known makes no guess and takes no view.
type Known struct {
	Guesses *reduce.Guesses `json:"guesses"` // nil: none is made
	Views   drive.Views     `json:"views"`
}

// Unknown is what a search goes by that knows nothing of the program yet: it guesses whatever
// can be guessed, but for the named guesses, and takes the usual views, but for the named ones.
func Unknown(without ...string) Known {
	views := drive.UsualViews
	for _, name := range without {
		if unfit, err := drive.ParseViews(name); err == nil {
			views = views.Without(unfit)
		}
	}
	return Known{reduce.Guessing(without...), views}
}

// CanBeWithout returns the names that Unknown knows.
func CanBeWithout() []string {
	return append(reduce.Names(), strings.Split(drive.UsualViews.String(), ",")...)
}

// Plain is what a search goes by that makes no guess, and takes states as they are. That
// descriptors which packages keep are used through those alone is not given up for that:
// otherwise nobody who waits for a connection would be known to wait in vain. Nor are goroutines
// told apart that need no names, nor does the clock move while somebody can run for long.
func Plain() Known {
	return Known{Views: drive.Views{Kept: true, Unnamed: true, Rests: true, Arrives: true}}
}

// A Found is what turned out in the states that a system was in.
type Found struct {
	Guesses *reduce.Guesses `json:"guesses"` // what is known of them besides
	Unfit   drive.Views     `json:"unfit"`   // views that do not fit
	// Held says that the clock was held back in some state: whoever has not searched depth first does not know
	// yet whether it was held back forever.
	Held bool `json:"held,omitempty"`
}

// Refuted reports whether what was searched has to be searched again, since something has turned out.
func (k Known) Refuted(f *Found) bool {
	return f != nil && (f.Guesses.Knows() || k.Views.Without(f.Unfit) != k.Views)
}

// newFound returns what turned out, nil if nothing did.
func newFound(guesses *reduce.Guesses, unfit drive.Views, held bool) *Found {
	if !guesses.Knows() && unfit == (drive.Views{}) && !held {
		return nil
	}
	return &Found{guesses, unfit, held}
}

// Learn returns what is known after something has turned out, and whether that is more than
// before: then what was searched has to be searched again.
func (k Known) Learn(found ...*Found) (next Known, news bool) {
	next = Known{k.Guesses.Clone(), k.Views}
	for _, f := range found {
		if f == nil {
			continue
		}
		news = next.Guesses.Add(f.Guesses) || news
		next.Views = next.Views.Without(f.Unfit)
	}
	return next, news || next.Views != k.Views
}

// Text returns what is known of guesses as text, "" if none is made.
func (k Known) Text() string {
	if k.Guesses == nil {
		return ""
	}
	data, _ := json.Marshal(k.Guesses) // numbers and strings can be written
	return string(data)
}

// ParseKnown reads what Text and Views.String return.
func ParseKnown(guesses, views string) (k Known, err error) {
	if k.Views, err = drive.ParseViews(views); err != nil || guesses == "" {
		return k, err
	}
	k.Guesses = new(reduce.Guesses)
	if err := json.Unmarshal([]byte(guesses), k.Guesses); err != nil {
		return Known{}, fmt.Errorf("guesses: %w", err)
	}
	return k, nil
}
