package cli

import (
	"flag"
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// sourceFlags declares the flags that say what to build and how.
func sourceFlags(fs *flag.FlagSet, src *Source) {
	fs.StringVar(&src.Dir, "C", "", "change to `dir` before looking for packages and files")
	fs.Var((*tagList)(&src.Tags), "tags", "build `tags`, separated by commas, besides those that heddle sets")
	fs.BoolVar(&src.NoCache, "nocache", false, "neither read nor write compiled code on disk")
}

// A tagList is a flag that takes build tags, separated by commas. Given twice it
// takes both.
type tagList []string

func (l *tagList) String() string { return strings.Join(*l, ",") }

// Set adds tags.
func (l *tagList) Set(s string) error {
	for tag := range strings.SplitSeq(s, ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			*l = append(*l, tag)
		}
	}
	return nil
}

// splitArgs splits arguments into one package or several, or files, and what follows "--": the arguments of
// the program.
func splitArgs(args []string) (patterns, own []string, err error) {
	if i := slices.IndexFunc(args, isArgs); i >= 0 {
		args, own = args[:i], args[i+1:]
	}
	patterns, rest, err := splitProgram(args)
	if err != nil {
		return nil, nil, err
	}
	if several := !strings.HasSuffix(patterns[0], ".go"); several {
		patterns = append(patterns, rest...)
	} else if len(rest) > 0 {
		return nil, nil, diag.Usagef("unexpected argument %q: arguments of the program follow --", rest[0])
	}
	return patterns, own, nil
}

// splitProgram splits arguments as go run does: one package, or all leading
// .go files, and then the arguments of the program. A "--" in between is
// dropped.
func splitProgram(args []string) (patterns, rest []string, err error) {
	if len(args) == 0 {
		return nil, nil, diag.Usagef("no package given: name a main package or its .go files")
	}
	n := 0
	for n < len(args) && strings.HasSuffix(args[n], ".go") {
		if strings.HasSuffix(args[n], "_test.go") {
			return nil, nil, diag.Usagef("%s is a test file: run it with heddle test", args[n])
		}
		n++
	}
	n = max(n, 1)
	patterns, rest = args[:n], args[n:]
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	return patterns, rest, nil
}
