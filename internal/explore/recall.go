package explore

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
)

// recall takes over what the search of a checkpoint has found and left. It goes to each
// finding: what is not there comes from another system, or from a damaged file.
func (s *search) recall(h checkpointHead, c *cursor) error {
	if n := max(len(h.Findings), len(h.Left)); n > maxFindings+1 {
		return fmt.Errorf("%d findings: the limit is %d", n, maxFindings)
	}
	for i, f := range h.Findings {
		p, err := lts.ParsePath(f.Path)
		if err != nil {
			return err
		}
		if err := c.follow(p); err != nil {
			return fmt.Errorf("finding %d: %w", i+1, err)
		}
		own := slices.Clone(c.checkStep())
		if own = append(own, c.checkState()...); len(own) == 0 && len(c.Enabled(nil)) == 0 {
			own = append(own, deadlock)
		}
		if at := slices.IndexFunc(own, func(o diag.Finding) bool { return sameFinding(&o, &f.Finding) }); at < 0 {
			return fmt.Errorf("finding %d is not where the checkpoint has it: it belongs to another system", i+1)
		}
		s.findings = append(s.findings, Found{Finding: f.Finding, Path: p})
	}
	for i, l := range h.Left {
		switch {
		case l.Reason != LimitDepth && l.Reason != SystemBound || l.Count < 0 || l.Count > maxCount || strconv.Quote(l.Text) != `"`+l.Text+`"`:
			return fmt.Errorf("what was left, %d, is nothing that a search leaves", i+1)
		case l.Path != nil:
			if err := c.follow(l.Path); err != nil {
				return fmt.Errorf("what was left, %d: %w", i+1, err)
			}
		}
		s.left = append(s.left, l)
	}
	return nil
}

// follow goes along a path that somebody else has told, from the start.
func (c *cursor) follow(p lts.Path) error {
	c.Reset()
	for i, step := range p {
		if err := c.try(step); err != nil {
			return fmt.Errorf("step %d of its path: %w", i+1, err)
		}
	}
	return nil
}

// try takes a step that somebody else has told, if it is there.
func (c *cursor) try(s lts.Step) error {
	if c.enabled = c.Enabled(c.enabled[:0]); !slices.Contains(c.enabled, s) {
		return fmt.Errorf("%d is not enabled: the checkpoint belongs to another system", s)
	}
	c.Take(s)
	return nil
}
