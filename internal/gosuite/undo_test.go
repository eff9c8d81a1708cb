package gosuite

import (
	"testing"
	"time"

	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/goroot"
	"github.com/heddle-mc/heddle/internal/testlong"
	"github.com/heddle-mc/heddle/internal/vm"
)

// TestUndo executes 20 of the Go team's programs to the end and back, with each
// of their first steps undone and executed again; make test-long 200.
func TestUndo(t *testing.T) {
	root := goroot.Dir()
	names, err := List(root)
	if err != nil {
		t.Fatal(err)
	}
	var chosen []string
	want := testlong.Or(12, 200)
	for i := 0; i < len(names); i += len(names) / (want + want/13) {
		chosen = append(chosen, names[i])
	}
	checked := 0
	s, err := session()
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(chosen, Options{
		Session: s, GOROOT: root, Timeout: 10 * time.Minute, Workers: 2, Isolated: true,
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
	if checked < want {
		t.Errorf("%d programs were executed to the end and back, want at least %d", checked, want)
	}
	t.Logf("%d programs", checked)
}
