// Certcheck is a second checker of certificates, for who does not want to believe heddle certify. All of it is package recheck.
package main

import (
	"os"

	"github.com/heddle-mc/heddle/internal/recheck"
)

func main() { os.Exit(recheck.Run(os.Args[1:], os.Stdout, os.Stderr)) }
