package check

import (
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
)

// buildGroup returns several main packages as one program. A package that is named
// twice is two processes of one program.
func buildGroup(src execute.Source) (*Code, error) {
	built := make(map[string]*bytecode.Program)
	var names, identities []string
	group := &Code{}
	for _, pattern := range src.Patterns {
		names = append(names, ProgramName([]string{pattern}))
		if built[pattern] != nil {
			identities = append(identities, identities[slices.Index(src.Patterns, pattern)])
			continue
		}
		own := src
		own.Patterns = []string{pattern}
		prog, err := execute.Build(own)
		if err != nil {
			return nil, err
		}
		built[pattern] = prog
		identities = append(identities, identity(prog))
		group.Files = append(group.Files, programFiles(prog)...)
	}
	group.Identity = strings.Join(identities, "+")
	group.NewSystem = func(p execute.Process, s execute.Settings) (lts.System, error) {
		if p.World != nil {
			return nil, diag.Usagef("several packages cannot have peers outside: name one package, or all of them as packages")
		}
		var members []execute.Member
		for i, name := range execute.MemberNames(names) {
			own := p
			own.Args = append([]string{names[i]}, p.Args[1:]...)
			members = append(members, execute.Member{Name: name, Program: built[src.Patterns[i]], Process: own})
		}
		return asSystem(execute.NewGroup(members, s))
	}
	return group, nil
}
