package execute

import (
	"github.com/heddle-mc/heddle/internal/iocache"
	"github.com/heddle-mc/heddle/internal/kernel"
)

// A World is what lies outside of the machine: peers, behind a cache. All systems
// of one check share it, each with stream pointers of its own.
type World struct {
	Cache *iocache.Cache
	Peers []kernel.Peer
	Mode  iocache.Mode
}

// outside is the world as one process sees it.
func (w *World) outside() kernel.Outside {
	return kernel.Outside{Session: w.Cache.NewSession(), Peers: w.Peers, Whole: w.Mode == iocache.Process}
}
