package execute

import (
	"reflect"
	"testing"

	"github.com/heddle-mc/heddle/internal/effect"
)

// TestKnownText: what a search goes by is written whole: its text is read as the same again, and
// no view is left out.
func TestKnownText(t *testing.T) {
	known := Unknown()
	found := &Found{Guesses: known.Guesses.Like()}
	for kind := range effect.Kinds {
		known.Guesses.Notice(&effect.Actor{Birth: "main.1"}, effect.Token{Kind: kind, Number: 7, Birth: "main.2"}, found.Guesses)
	}
	known, news := known.Learn(found)
	if !news {
		t.Errorf("got no news of %+v", found)
	}
	known.Views.Wakes, known.Views.Short, known.Views.Ends = true, true, true // the ones that are not usual
	for i, v := 0, reflect.ValueOf(known.Views); i < v.NumField(); i++ {
		if v.Field(i).IsZero() {
			t.Errorf("view %s is not tried", v.Type().Field(i).Name)
		}
	}
	got, err := ParseKnown(known.Text(), known.Views.String())
	if err != nil || got.Text() != known.Text() || got.Views != known.Views {
		t.Errorf("got %s, %v, %v, want %s, %v", got.Text(), got.Views, err, known.Text(), known.Views)
	}
	if _, news := got.Learn(found); news {
		t.Errorf("what was written down is news again: %s", got.Text())
	}
}
