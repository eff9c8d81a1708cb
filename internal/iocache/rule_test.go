package iocache

import (
	"bytes"
	"testing"
)

// TestRuleBytes: a rule is about bytes, whatever characters they would be.
func TestRuleBytes(t *testing.T) {
	for _, test := range []struct {
		rule, data, want string // want is empty if the rule shall not match
	}{
		{`response: \xff => F`, "a\xffb", "aFb"},
		{`response: \xff => F`, "a\u00ffb", ""}, // that is c3 bf
		{`response: \x80 => F`, "\x80\x80", "FF"},
		{`response: [\x80-\xff]+ => F`, "a\x80\xfe\xffb\u00fc", "aFbF"},
		{`response: ^.$ => F`, "\xc3\xbc", ""}, // two bytes
		{`response: ^..$ => F`, "\xc3\xbc", "F"},
		{`response: k.{2}z => F`, "k\x00\xe9z", "F"},
		{`response: k.z => F`, "k\nz", ""},
		{`response: (?s)k.z => F`, "k\nz", "F"},
		{`response: \x00+ => F`, "a\x00\x00b", "aFb"},
		{`response: ü => u`, "für", "fur"},
		{`response: a => ü`, "xax", "xüx"},
		{`response: (.)\x00(.) => $2$1`, "\x80\x00\xff", "\xff\x80"},
		{`response: ^(?s:.)*$ => `, "\x00\n\xff", "-"}, // replaced by nothing
		{`response: \x{fffd} => F`, "\xff", ""},
		{`response: x => y`, "\xffx\xfe", "\xffy\xfe"}, // what is around it stays
	} {
		r, err := ParseRule(test.rule)
		if err != nil {
			t.Fatal(err)
		}
		got, matched := Rules{r}.response("p", []byte(test.data))
		want := test.want
		switch want {
		case "":
			want = test.data
		case "-":
			want = ""
		}
		if string(got) != want || matched != (test.want != "") {
			t.Errorf("%s: %q: got %q %v, want %q", test.rule, test.data, got, matched, want)
		}
	}
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
	}
	if got := narrow(widen(all)); !bytes.Equal(got, all) {
		t.Errorf("got %q", got)
	}
	r, _ := ParseRule(`response: \x41 => $0`)
	r.Replace = "${0}"
	if got, _ := (Rules{r}).response("p", all); !bytes.Equal(got, all) {
		t.Errorf("a rule that replaces a byte by itself: got %q", got)
	}
}

// TestRulePeer: a rule for a peer is for those that are alike, too, and for no others.
func TestRulePeer(t *testing.T) {
	for _, test := range []struct {
		rule, peer string
		want       bool
	}{
		{"", "db", true}, {"db", "db", true}, {"db", "db.1", true}, {"db", "db.12", true},
		{"db", "db2", false}, {"db", "db.", false}, {"db", "db.x", false}, {"db.1", "db.2", false}, {"db.1", "db", false},
	} {
		if got := (&Rule{Peer: test.rule}).about(test.peer); got != test.want {
			t.Errorf("rule for %q, peer %q: got %v, want %v", test.rule, test.peer, got, test.want)
		}
	}
}
