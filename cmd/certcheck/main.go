// Certcheck is a second checker of certificates, for who does not want to believe heddle certify:
//
//	certcheck [flags] CERT PACKAGE...|FILES.go|MODEL.mcrl2 [-- ARGS]
//
// All of it is package recheck, which is small enough to be read in an evening.
package main

import (
	"os"

	"github.com/heddle-mc/heddle/internal/recheck"
)

func main() { os.Exit(recheck.Run(os.Args[1:], os.Stdout, os.Stderr)) }
