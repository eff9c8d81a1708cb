package report

import "github.com/heddle-mc/heddle/internal/diag"

// Evidence is why a formula does not hold: claims that parts of it hold, or do not, in states, each with the claims that it follows from,
// and the part of the graph that these are about.
type Evidence struct {
	States      int             `json:"states"`
	Transitions []EvidenceStep  `json:"transitions"`
	Claims      []EvidenceClaim `json:"claims"`
	End         int             `json:"end"`     // the claim at the end of the trace, -1 if it is not one of these
	Omitted     int             `json:"omitted"` // how many claims there are, if they are too many: the lists are empty then
}

// An EvidenceStep is a transition. The initial state is 0.
type EvidenceStep struct {
	From   int    `json:"from"`
	Action string `json:"action"`
	To     int    `json:"to"`
}

// An EvidenceClaim says that a part of the formula holds in a state, or that it does not.
type EvidenceClaim struct {
	State   int              `json:"state"`
	Part    string           `json:"part"`
	Values  string           `json:"values"`
	Holds   bool             `json:"holds"`
	At      diag.Pos         `json:"-"`
	Pos     jsonPos          `json:"pos"`
	Because []EvidenceReason `json:"because"`
}

// An EvidenceReason is a claim, by its number from 0, and the action that leads to its state, if it is another one.
type EvidenceReason struct {
	Claim  int    `json:"claim"`
	Action string `json:"action,omitempty"`
}

// json returns the evidence as it is written.
func (e *Evidence) json() *Evidence {
	if e == nil {
		return nil
	}
	out := *e
	out.Transitions = append([]EvidenceStep{}, e.Transitions...)
	out.Claims = append([]EvidenceClaim{}, e.Claims...)
	for i := range out.Claims {
		c := &out.Claims[i]
		c.Pos, c.Because = jsonPos(c.At), append([]EvidenceReason{}, c.Because...)
	}
	return &out
}
