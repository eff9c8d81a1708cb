//go:build !amd64

package native

// Calls that this processor does not have. Programs are of amd64, so none is loaded here: see package load.
const (
	nrAccess = 1<<20 + iota
	nrChmod
	nrChown
	nrDup2
	nrEpollCreate
	nrEpollWait
	nrEventfd
	nrFork
	nrGetpgrp
	nrLchown
	nrLink
	nrLstat
	nrMkdir
	nrOpen
	nrPipe
	nrPoll
	nrReadlink
	nrRename
	nrRmdir
	nrSelect
	nrStat
	nrSymlink
	nrTime
	nrUnlink
	nrVfork
)
