package gosuite

import (
	"runtime"
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/vm"
)

// TestUndo executes 200 of the Go team's programs to the end and back, with each
// of their first steps undone and executed again.
func TestUndo(t *testing.T) {
	goroot := runtime.GOROOT()
	names, err := List(goroot)
	if err != nil {
		t.Fatal(err)
	}
	var chosen []string
	for i := 0; i < len(names); i += len(names) / 215 {
		chosen = append(chosen, names[i])
	}
	checked := 0
	_, err = Run(chosen, Options{
		GOROOT: goroot, Timeout: 20 * time.Second, Workers: 2, Isolated: true,
		Run: func(m *vm.Machine) (*vm.Exit, error) { return execute.CheckUndo(m, 20) },
		Each: func(r Result) {
			switch r.Verdict {
			case Pass:
				checked++
			case Refused, Timeout:
			default:
				// An output that is printed twice is no error here, a difference of
				// fingerprints is.
				if r.Broken || r.Verdict == Crash {
					t.Errorf("%s: %s: %s", r.Name, r.Verdict, r.Detail)
				} else {
					checked++
				}
			}
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	if checked < 200 {
		t.Errorf("%d programs were executed to the end and back, want at least 200", checked)
	}
	t.Logf("%d programs", checked)
}
