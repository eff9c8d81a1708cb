package compile

import "github.com/heddle-mc/heddle/internal/load"

// embeds initialises the variables of a package that embed files.
func (g *gen) embeds(p *load.Package) {}
