package native

import (
	"regexp"

	"github.com/heddle-mc/heddle/internal/vm"
)

// testMatch is declared where package load leaves package regexp out of a test binary.
const testMatch = "testing/internal/testdeps.match"

// matchPattern takes a pattern and a string. It returns whether the pattern matches, and
// what is wrong with it.
func matchPattern(c *vm.NativeCall) vm.Outcome {
	re, err := regexp.Compile(c.Str(0))
	if err != nil {
		c.SetStr(1, err.Error())
		c.SetBool(0, false)
		return vm.Done
	}
	result := re.MatchString(c.Str(2))
	c.SetStr(1, "")
	c.SetBool(0, result)
	return vm.Done
}

func init() {
	register(NoBody, "patterns of -run and -skip, so that tests need no package regexp", map[string]vm.Native{
		testMatch: matchPattern,
	})
}
