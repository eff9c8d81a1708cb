package load

import (
	"go/build/constraint"
	"go/version"
	"runtime"
	"slices"
	"strings"
)

// Included reports whether the //go:build line of a source text, if it has
// one, selects the file for the target with the given tags besides [Tags]. The
// go command does this itself for packages, and not at all for files named one
// by one, so only callers with a collection of single files need it.
func Included(src []byte, tags ...string) bool {
	for line := range strings.Lines(string(src)) {
		line = strings.TrimSpace(line)
		if constraint.IsGoBuild(line) {
			expr, err := constraint.Parse(line)
			return err != nil || expr.Eval(func(tag string) bool { return hasTag(tag, tags) })
		}
		if strings.HasPrefix(line, "package ") {
			break
		}
	}
	return true
}

// hasTag reports whether a build tag holds for the target.
func hasTag(tag string, tags []string) bool {
	switch tag {
	case GOOS, GOARCH, "unix", "gc", "amd64.v1":
		return true
	}
	if strings.HasPrefix(tag, "go1.") {
		return version.Compare(tag, version.Lang(runtime.Version())) <= 0
	}
	return slices.Contains(Tags, tag) || slices.Contains(tags, tag)
}
