package diag

import (
	"errors"
	"fmt"
	"testing"
)

var here = Pos{File: "server.go", Line: 41, Col: 9}

func TestErrorText(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
		code int
	}{
		{Usagef("unknown command %q", "chekc"), `unknown command "chekc"`, 2},
		{Sourcef(here, "undefined: x"), "server.go:41:9: undefined: x", 2},
		{Unsupportedf(here, `import "C"`), `server.go:41:9: import "C": not supported (see docs/LIMITS.md)`, 2},
		{RunUnsupportedf(here, "assembly"), `server.go:41:9: assembly: not supported (see docs/LIMITS.md)`, 3},
		{Incompletef("time limit of 1s: 3 programs not run"), "time limit of 1s: 3 programs not run", 3},
		{&Finding{Kind: "deadlock", Message: "all goroutines are asleep", Pos: here}, "server.go:41:9: deadlock: all goroutines are asleep", 1},
		{Bugf("rewind past mark %d of %d", 3, 2), "rewind past mark 3 of 2", 4},
		{List{Sourcef(here, "a"), Sourcef(Pos{File: "z.go"}, "b")}, "server.go:41:9: a\nz.go: b", 2},
	} {
		if got := test.err.Error(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
		if got := ExitCode(fmt.Errorf("wrapped: %w", test.err)); got != test.code {
			t.Errorf("%v: got exit code %d, want %d", test.err, got, test.code)
		}
	}
	if got := ExitCode(nil); got != 0 {
		t.Errorf("nil: got exit code %d, want 0", got)
	}
	if got := ExitCode(errors.New("no kind")); got != 4 {
		t.Errorf("error without kind: got exit code %d, want 4", got)
	}
}

func TestListSort(t *testing.T) {
	l := List{
		Usagef("no position"),
		Sourcef(Pos{"b.go", 1, 1}, "x"),
		Sourcef(Pos{"a.go", 10, 1}, "y"),
		Sourcef(Pos{"a.go", 9, 2}, "z"),
		Sourcef(Pos{"b.go", 1, 1}, "x"),
	}
	l.Sort()
	got := l.Error()
	want := "a.go:9:2: z\na.go:10:1: y\nb.go:1:1: x\nno position"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if (List{}).Err() != nil {
		t.Error("the empty list is an error")
	}
}
