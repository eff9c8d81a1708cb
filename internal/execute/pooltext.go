package execute

import (
	"github.com/heddle-mc/heddle/internal/diag"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/vm"
)

// reset forgets what was told, for another story.
func (n *narrator) reset() {
	n.forget()
	n.putters = nil
}

// putText notes who puts something into a pool, and where, if that is what a step does. What is put before there is somebody
// else is no step.
func (s *System) putText(c *vm.NativeCall, name string, e lts.Event) {
	item := native.PutBack(c, name)
	if item == 0 {
		return
	}
	if s.story.putters == nil {
		s.story.putters = make(map[mem.Ptr]string)
	}
	s.story.putters[item] = e.Actor + " put back at " + diag.Pos{File: e.Pos.File, Line: e.Pos.Line}.String()
}

// gotText tells what one of the ways to get something from a pool returns.
func (s *System) gotText(c *vm.NativeCall, name string, way int) string {
	item, found, ok := native.Gotten(c, name, way)
	switch {
	case !ok:
		return ""
	case !found:
		return ": finds nothing"
	case s.story.putters[item] != "":
		return ": gets what " + s.story.putters[item]
	}
	return ": gets something that was put back"
}
