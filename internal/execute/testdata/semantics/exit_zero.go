// want: verified

package main

import (
	"os"
)

func main() {
	os.Exit(0)
}
