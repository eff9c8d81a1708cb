package cli

import (
	"slices"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// standardEnv is the environment of a program that is checked. It is the same on
// all machines, since it lies in the program's memory: with that of the host, a
// program would have other states on another host, and others tomorrow.
var standardEnv = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/root", "LANG=C.UTF-8"}

// environment returns the standard environment with the variables of -env and
// heddle.yaml, of which later ones replace earlier ones, and PWD if the program is
// started in a folder that it should know.
func environment(extra []string, dir string) ([]string, error) {
	env := slices.Clone(standardEnv)
	if dir != "" {
		env = append(env, "PWD="+dir)
	}
	for _, kv := range extra {
		key, _, ok := strings.Cut(kv, "=")
		if !ok || key == "" || strings.ContainsRune(kv, 0) {
			return nil, diag.Usagef("-env %q: say NAME=VALUE", kv)
		}
		if i := slices.IndexFunc(env, func(old string) bool { return strings.HasPrefix(old, key+"=") }); i >= 0 {
			env[i] = kv
		} else {
			env = append(env, kv)
		}
	}
	return env, nil
}
