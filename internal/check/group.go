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
	var names []string
	var progs []*bytecode.Program
	for _, pattern := range src.Patterns {
		if built[pattern] == nil {
			own := src
			own.Patterns = []string{pattern}
			prog, err := execute.Build(own)
			if err != nil {
				return nil, err
			}
			built[pattern] = prog
		}
		names, progs = append(names, ProgramName([]string{pattern})), append(progs, built[pattern])
	}
	return Group(names, progs), nil
}

// Group returns several programs that were compiled before as one that runs them side by side. Their names are what
// os.Args[0] says. A program that is there twice is two processes.
func Group(names []string, progs []*bytecode.Program) *Code {
	var identities []string
	group := &Code{}
	for i, prog := range progs {
		if first := slices.Index(progs, prog); first < i {
			identities = append(identities, identities[first])
			continue
		}
		identities = append(identities, identity(prog))
		group.Promises = group.Promises || promises(prog)
		group.Files = append(group.Files, programFiles(prog)...)
	}
	group.Identity = strings.Join(identities, "+")
	group.NewSystem = func(p execute.Process, s execute.Settings) (lts.System, error) {
		if p.World != nil {
			return nil, diag.Usagef("several packages cannot have peers outside: name one package, or all of them as packages")
		}
		if len(p.Servers) >= len(progs) {
			return nil, diag.Usagef("%d packages, of which %d are servers: name the program, too", len(progs), len(p.Servers))
		}
		var members []execute.Member
		for i, name := range execute.MemberNames(names) {
			own := p
			own.Args, own.Servers, own.Server = append([]string{names[i]}, p.Args[1:]...), nil, i < len(p.Servers)
			if own.Server {
				own.Args = append([]string{names[i]}, p.Servers[i]...)
			}
			members = append(members, execute.Member{Name: name, Program: progs[i], Process: own})
		}
		return asSystem(execute.NewGroup(members, s))
	}
	return group
}
