package native

import "golang.org/x/sys/unix"

// Calls that newer processors have only in another form.
const (
	nrAccess      = unix.SYS_ACCESS
	nrChmod       = unix.SYS_CHMOD
	nrChown       = unix.SYS_CHOWN
	nrDup2        = unix.SYS_DUP2
	nrEpollCreate = unix.SYS_EPOLL_CREATE
	nrEpollWait   = unix.SYS_EPOLL_WAIT
	nrEventfd     = unix.SYS_EVENTFD
	nrFork        = unix.SYS_FORK
	nrGetpgrp     = unix.SYS_GETPGRP
	nrLchown      = unix.SYS_LCHOWN
	nrLink        = unix.SYS_LINK
	nrLstat       = unix.SYS_LSTAT
	nrMkdir       = unix.SYS_MKDIR
	nrOpen        = unix.SYS_OPEN
	nrPipe        = unix.SYS_PIPE
	nrPoll        = unix.SYS_POLL
	nrReadlink    = unix.SYS_READLINK
	nrRename      = unix.SYS_RENAME
	nrRmdir       = unix.SYS_RMDIR
	nrSelect      = unix.SYS_SELECT
	nrStat        = unix.SYS_STAT
	nrSymlink     = unix.SYS_SYMLINK
	nrTime        = unix.SYS_TIME
	nrUnlink      = unix.SYS_UNLINK
	nrVfork       = unix.SYS_VFORK
)
