//go:build linux && !amd64

package fork

import "github.com/heddle-mc/heddle/internal/intercept"

// oldChanges: see changes_amd64.go.
var oldChanges []intercept.Want
