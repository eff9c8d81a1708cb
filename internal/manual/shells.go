package manual

import (
	"fmt"
	"slices"
	"strings"
)

// Shells are those for which there is a script.
var Shells = []string{"bash", "zsh", "fish"}

// Completion returns the script of a shell, or "" if that is not one of Shells.
func (t *Tool) Completion(shell string) string {
	switch shell {
	case "bash":
		return t.bash()
	case "zsh":
		return t.zsh()
	case "fish":
		return t.fish()
	}
	return ""
}

// forms returns the commands, of which those with several pages have the flags of all.
func (t *Tool) forms() (list []Command) {
	for _, c := range t.Commands {
		i := slices.IndexFunc(list, func(o Command) bool { return o.Name == c.Name })
		if i < 0 {
			c.Flags = slices.Clone(c.Flags)
			list = append(list, c)
			continue
		}
		for _, f := range c.Flags {
			if !slices.ContainsFunc(list[i].Flags, func(o Flag) bool { return o.Name == f.Name }) {
				list[i].Flags = append(list[i].Flags, f)
			}
		}
	}
	return list
}

// names lists the commands.
func names(list []Command) (names []string) {
	for _, c := range list {
		names = append(names, c.Name)
	}
	return names
}

func (t *Tool) bash() string {
	var b strings.Builder
	list := t.forms()
	fmt.Fprintf(&b, `# Completion of %[1]s for bash: source <(%[1]s completion bash)
_%[1]s() {
	local cur=${COMP_WORDS[COMP_CWORD]} flags= words=
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		COMPREPLY=($(compgen -W '%[2]s' -- "$cur"))
		return
	fi
	case ${COMP_WORDS[1]} in
`, t.Name, strings.Join(names(list), " "))
	for _, c := range list {
		var flags []string
		for _, f := range c.Flags {
			flags = append(flags, "-"+f.Name)
		}
		fmt.Fprintf(&b, "\t%s) flags='%s' words='%s' ;;\n", c.Name, strings.Join(flags, " "), strings.Join(c.Words, " "))
	}
	fmt.Fprintf(&b, `	esac
	case $cur in
	-*) COMPREPLY=($(compgen -W "$flags" -- "$cur")) ;;
	*) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
	esac
}
complete -o default -F _%[1]s %[1]s
`, t.Name)
	return b.String()
}

func (t *Tool) zsh() string {
	var b strings.Builder
	list := t.forms()
	fmt.Fprintf(&b, "#compdef %[1]s\n# Completion of %[1]s for zsh: source <(%[1]s completion zsh)\ncompdef _%[1]s %[1]s\n_%[1]s() {\n\tlocal -a list\n\tif (( CURRENT == 2 )); then\n\t\tlist=(\n", t.Name)
	for _, c := range list {
		fmt.Fprintf(&b, "\t\t\t%s\n", quote(c.Name+":"+colons(c.Short)))
	}
	b.WriteString("\t\t)\n\t\t_describe command list\n\t\treturn\n\tfi\n\tif [[ $PREFIX == -* ]]; then\n\t\tcase $words[2] in\n")
	for _, c := range list {
		if len(c.Flags) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\t\t%s) list=(\n", c.Name)
		for _, f := range c.Flags {
			fmt.Fprintf(&b, "\t\t\t%s\n", quote("-"+f.Name+":"+colons(brief(f.Usage))))
		}
		b.WriteString("\t\t) ;;\n")
	}
	b.WriteString("\t\tesac\n\t\t_describe -o flag list\n\t\treturn\n\tfi\n\tcase $words[2] in\n")
	for _, c := range list {
		if len(c.Words) > 0 {
			fmt.Fprintf(&b, "\t%s) list=(%s); _describe word list || _files ;;\n", c.Name, strings.Join(c.Words, " "))
		}
	}
	fmt.Fprintf(&b, "\t*) _files ;;\n\tesac\n}\nif [ \"$funcstack[1]\" = \"_%[1]s\" ]; then\n\t_%[1]s\nfi\n", t.Name)
	return b.String()
}

func (t *Tool) fish() string {
	var b strings.Builder
	list := t.forms()
	fmt.Fprintf(&b, "# Completion of %[1]s for fish: %[1]s completion fish | source\n", t.Name)
	for _, c := range list {
		fmt.Fprintf(&b, "complete -c %s -n __fish_use_subcommand -f -a %s -d %s\n", t.Name, c.Name, quote(c.Short))
	}
	for _, c := range list {
		on := fmt.Sprintf("complete -c %s -n %s", t.Name, quote("__fish_seen_subcommand_from "+c.Name))
		if len(c.Words) > 0 {
			fmt.Fprintf(&b, "%s -a %s\n", on, quote(strings.Join(c.Words, " ")))
		}
		for _, f := range c.Flags {
			needs := ""
			if f.Value != "" {
				needs = " -r"
			}
			fmt.Fprintf(&b, "%s -o %s%s -d %s\n", on, f.Name, needs, quote(brief(f.Usage)))
		}
	}
	return b.String()
}

// quote writes text as one word of a shell. None of them takes a quote in quotes alike.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", "’") + "'" }

// colons escapes what ends a name for _describe.
func colons(s string) string { return strings.ReplaceAll(s, ":", `\:`) }
