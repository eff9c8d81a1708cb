//go:build !linux

package peer

import (
	"runtime"

	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/iocache"
)

// A Group is all peers of a program under test. There is none on this system.
type Group struct{}

var missing = diag.Usagef("live peers need Linux, and this is %s: check servers and clients that are in Go beside the program, with -server-package", runtime.GOOS)

// Begin says that there are no live peers.
func Begin([]Spec) (*Group, error) { return nil, missing }

// NewGroup says that there are no live peers.
func NewGroup([]Spec) (*Group, error) { return nil, missing }

// Start implements [iocache.Transport].
func (*Group) Start(iocache.HistoryID) (iocache.Peer, error) { return nil, missing }

// Ready says that there are no live peers.
func (*Group) Ready() error { return missing }

// Close does nothing.
func (*Group) Close() {}

// Nobody is told of.
func (*Group) Fixed() []string    { return nil }
func (*Group) Notes() []string    { return nil }
func (*Group) Peers() []Info      { return nil }
func (*Group) Runs() []Run        { return nil }
func (*Group) Stats() Stats       { return Stats{} }
func (*Group) Uncopied() []string { return nil }
func (*Group) Whole() []string    { return nil }
