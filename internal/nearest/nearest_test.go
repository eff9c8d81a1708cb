package nearest

import "testing"

func TestTo(t *testing.T) {
	words := []string{"check", "test", "replay", "certify", "cert", "view"}
	for typed, want := range map[string]string{
		"chekc": "check", "chck": "check", "checks": "check", "tset": "test", "reply": "replay", "relpay": "replay",
		"certfy": "certify", "certs": "cert", "veiw": "view", "x": "", "": "", "simulate": "", "frobnicate": "",
	} {
		if got := To(typed, words); got != want {
			t.Errorf("%q: got %q, want %q", typed, got, want)
		}
	}
	if got, want := Question("chekc", "-", words), ": did you mean -check?"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := Question("zzz", "-", words); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}

// TestDistance: by hand.
func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"kitten", "sitting", 3}, {"äb", "ab", 1}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("%q, %q: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
