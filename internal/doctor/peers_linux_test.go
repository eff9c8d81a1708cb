package doctor

import (
	"context"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestJudge(t *testing.T) {
	if got := judge(nil, nil, nil); !got.OK {
		t.Errorf("got %v", got)
	}
	got := judge(unix.EACCES, unix.EINVAL, unix.EPERM).String()
	for _, want := range []string{"warn  peers ", "-delay 100ms", "-pieces=false -fixed=false", "do not give -copies"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s, without %s", got, want)
		}
	}
}

// TestProbes: they end, whatever the machine allows, and leave no process.
func TestProbes(t *testing.T) {
	t.Log(peersLine(context.Background()))
	if err := child(context.Background(), func(pid int) error { return unix.Kill(pid, 0) }); err != nil {
		t.Errorf("the child of a probe is not there: %v", err)
	}
}
