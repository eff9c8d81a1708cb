package effect

// An Actor is somebody who takes steps: a goroutine, or the clock of a process.
type Actor struct {
	Process int
	Clock   bool   // it is the clock of the process
	Main    bool   // it is the main goroutine of the process
	Birth   string // who has started it, and as the how many-th; empty if that is not part of the state
}
