package native_test

import (
	"sort"
	"strings"
	"testing"

	"golang.org/x/tools/go/ssa"

	"github.com/heddle-mc/heddle/internal/load"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/testlong"
)

// notReached are functions without Go body that no Go code outside the runtime
// calls, by what begins their symbol, with the reason.
var notReached = map[string]string{
	"runtime.":                               "package runtime is not executed but for the functions in the table",
	"internal/runtime/":                      "below package runtime",
	"internal/bytealg.abigen_":               "declared for the assembler only",
	"go/types.badlinkname_Checker_infer":     "declared for the linker only",
	"reflect.badlinkname_":                   "declared for the linker only",
	"net/http.bad":                           "declared for the linker only",
	"net/url.badSetPath":                     "declared for the linker only",
	"internal/runtime/startlinetest.AsmFunc": "a test of the runtime",
}

// TestEveryBareFunction looks for functions of the standard library, or of much used
// packages and all that they import, that have no
// Go body and neither an intrinsic nor a body elsewhere.
func TestEveryBareFunction(t *testing.T) {
	if testing.Short() {
		t.Skip("loads the standard library")
	}
	prog, err := load.Load(load.Config{Patterns: testlong.Or([]string{"math/big", "net", "os/exec", "testing"}, []string{"std"}), Intrinsic: native.Has, OwnRuntime: true})
	if err != nil {
		t.Fatal(err)
	}
	var missing []string
	for _, p := range prog.Packages {
		for _, m := range p.SSA.Members {
			fn, ok := m.(*ssa.Function)
			if !ok || len(fn.Blocks) > 0 || fn.Synthetic != "" || fn.TypeParams().Len() > 0 {
				continue
			}
			symbol := fn.String()
			if native.Has(symbol) || native.Has(prog.Links.Symbol(fn)) {
				continue
			}
			if body := prog.Links.Func(fn); body != nil && body.Pkg.Pkg.Path() != "runtime" {
				continue
			}
			if !known(symbol) {
				missing = append(missing, symbol)
			}
		}
	}
	sort.Strings(missing)
	for _, symbol := range missing {
		t.Errorf("%s has no Go body and no intrinsic", symbol)
	}
}

func known(symbol string) bool {
	for prefix := range notReached {
		if strings.HasPrefix(symbol, prefix) {
			return true
		}
	}
	return false
}
