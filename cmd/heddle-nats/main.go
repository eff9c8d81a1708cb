// Heddle-nats is heddle with NATS linked in: the commands that hand work to other
// processes, and take it from them, need it. Heddle becomes this command when it is
// asked for one of them, so nobody has to call it by its name.
package main

import (
	"context"
	"os"

	"github.com/heddle-mc/heddle/internal/cli"
	"github.com/heddle-mc/heddle/internal/natsqueue"
)

func main() {
	app := &cli.App{Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Backend: cli.Machine{}, Queue: natsqueue.Service{}}
	os.Exit(app.Main(context.Background(), os.Args[1:]))
}
