package gosuite

import (
	"os"

	"github.com/heddle-mc/heddle/internal/check"
	"github.com/heddle-mc/heddle/internal/execute"
	"github.com/heddle-mc/heddle/internal/load"
)

// CompileText writes a generated program to a file and compiles it. The session has loaded what it imports.
func CompileText(session *load.Session, file, text string) (*check.Code, error) {
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		return nil, err
	}
	loaded, err := session.AddMain(file)
	if err != nil {
		return nil, err
	}
	prog, err := execute.Compile(loaded)
	if err != nil {
		return nil, err
	}
	return check.Compiled(prog, false), nil
}
