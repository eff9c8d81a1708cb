package randspec

import (
	"fmt"

	"github.com/heddle-mc/heddle/internal/mcrl2/spec"
	"github.com/heddle-mc/heddle/internal/mcrl2/types"
)

// Spec returns the specification of a seed.
func Spec(seed uint64) (*spec.Spec, error) {
	return types.Load(fmt.Sprintf("random%d.mcrl2", seed), []byte(Text(seed)))
}
