package cli

import (
	"io"
	"slices"
	"testing"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/peer"
	"github.com/heddle-mc/heddle/internal/report"
)

// TestVaryingIsNotDepending: a server that tells the date answers differently in another order if a second has
// passed. When it turns out that it does not repeat itself at all, its connections are independent
// again until they are tested with a fixed date.
func TestVaryingIsNotDepending(t *testing.T) {
	spec, err := peer.ParseSpec(peer.Server, "date")
	if err != nil {
		t.Fatal(err)
	}
	spec.Name = "date"
	target := &target{flags: &checkFlags{Spec: *check.New()}}
	target.flags.Peers.Declared = []peer.Spec{spec}
	errs := []error{
		&iocache.Dependence{Peer: "store"},
		&iocache.Dependence{Peer: "date"},
		&iocache.Nondeterminism{History: iocache.HistoryID{Peer: "date", Whole: true}},
	}
	c := &checker{app: &App{Stderr: io.Discard}}
	_, err = c.until(target, func() (*report.Report, error) {
		if len(errs) == 0 {
			return nil, nil
		}
		err := errs[0]
		errs = errs[1:]
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := target.learned; !slices.Equal(got.depend, []string{"store"}) || !slices.Equal(got.vary, []string{"date"}) {
		t.Errorf("got %+v, want that date varies, and that only the connections of store depend on each other", got)
	}
}
