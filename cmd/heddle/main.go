// Heddle runs Go programs in a virtual machine of its own. See "heddle help".
package main

import (
	"context"
	"os"

	"github.com/heddle-mc/heddle/internal/cli"
)

func main() {
	app := &cli.App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Backend: cli.Machine{}}
	os.Exit(app.Main(context.Background(), os.Args[1:]))
}
