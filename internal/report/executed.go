package report

import "fmt"

// Executed is how many of the statements of a package were executed.
type Executed struct {
	Package    string `json:"package"`
	Statements int    `json:"statements"`
	Executed   int    `json:"executed"`
}

// ExecutedIn counts the statements of a package, as go test -cover does.
func ExecutedIn(pkg string, blocks []Block) Executed {
	e := Executed{Package: pkg}
	for _, b := range blocks {
		e.Statements += b.Stmts
		if b.Count > 0 {
			e.Executed += b.Stmts
		}
	}
	return e
}

// executedWords says how much of the first package was executed, "" if that is not known. Only what was executed as a whole is 100 %.
func executedWords(list []Executed) string {
	if len(list) == 0 || list[0].Statements == 0 {
		return ""
	}
	return fmt.Sprintf(", %d %% of the statements of package %s executed", 100*list[0].Executed/list[0].Statements, list[0].Package)
}
