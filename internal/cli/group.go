package cli

import (
	"context"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/bytecode"
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/lts"
)

// buildGroup returns several main packages as one program. A package that is named
// twice is two processes of one program.
func buildGroup(ctx context.Context, o BuildOptions) (*Program, error) {
	built := make(map[string]*bytecode.Program)
	var names, identities []string
	group := &Program{}
	for _, pattern := range o.Patterns {
		names = append(names, programName([]string{pattern}))
		if built[pattern] != nil {
			identities = append(identities, identities[slices.Index(o.Patterns, pattern)])
			continue
		}
		s := source(ctx, o.Source)
		s.Patterns, s.AccessPoints = []string{pattern}, o.Access
		prog, err := execute.Build(s)
		if err != nil {
			return nil, err
		}
		built[pattern] = prog
		identities = append(identities, identity(prog))
		group.Files = append(group.Files, programFiles(prog)...)
	}
	group.Identity = strings.Join(identities, "+")
	group.NewSystem = func(p execute.Process, s execute.Settings, root string) (lts.System, error) {
		if p.World != nil {
			return nil, diag.Usagef("several packages cannot have peers outside: name one package, or all of them as packages")
		}
		var members []execute.Member
		for i, name := range execute.MemberNames(names) {
			own := p
			own.Args = append([]string{names[i]}, p.Args[1:]...)
			members = append(members, execute.Member{Name: name, Program: built[o.Patterns[i]], Process: own})
		}
		sys, err := execute.NewGroup(members, s)
		if err != nil {
			return nil, err
		}
		return relativeTo(root, "", sys), nil
	}
	return group, nil
}
