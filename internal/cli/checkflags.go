package cli

import (
	"flag"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/peer"
	"github.com/heddle-mc/heddle/internal/report"
)

// checkFlags are the settings of a check that flags and heddle.yaml can give.
type checkFlags struct {
	check.Spec
	begun *peer.Group // see begin
}

// declare declares the flags that may also stand in heddle.yaml.
func (c *checkFlags) declare(fs *flag.FlagSet) {
	c.Spec = *check.New()
	c.Declare(fs)
}

// isSetting reports whether heddle.yaml may have a name.
func isSetting(name string) bool {
	x := check.Lookup(name)
	return x != nil && x.Doc != "" || name == "tags" || name == "args"
}

// describe fills in what a report says about the search: what limits the claim
// "verified", what was looked for, and how.
func (c *checkFlags) describe(run *report.Run, s execute.Settings) {
	run.Bounds = append(c.Bounds(&s), c.Peers.Bounds()...)
	run.Properties, run.Settings = c.Looked(), c.Reported()
}
