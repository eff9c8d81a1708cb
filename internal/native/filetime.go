package native

import (
	"unsafe"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/mem"
	"github.com/heddle-mc/heddle/internal/vm"
)

// Times of files that the program has changed. A search has to know whether it is told them (see drive/filetime.go), and package os
// asks for them with everything else that there is to know about a file, as its size. So its own calls do not count, but ModTime of what
// they return does. What FileInfo.Sys returns is plain memory: if the program can look into it, all calls count.

// FileTime is the time of day that a file gets which the program changes now. The machine may be nil.
func FileTime(m *vm.Machine) int64 {
	if m == nil || !m.Driven() {
		return WallClock(m)
	}
	d := drive.Of(m)
	if d.Untold() {
		return WallClock(nil)
	}
	d.StampsFile()
	return WallClock(m)
}

// tellsTimes notes in a search that the program is told times of a file. Those that it has changed are younger than the run; a file of the
// host that seems to be so, too, does no harm. It reports false if they are not known, and the path ends.
func tellsTimes(m *vm.Machine, times ...linux.Timespec) (known bool) {
	if !m.Driven() {
		return true
	}
	changed, justNow := false, false
	for _, t := range times {
		if at := t.Nano(); WallClock(nil) <= at && at <= WallClock(m) {
			changed, justNow = true, justNow || at == WallClock(m)
		}
	}
	return !changed || drive.Of(m).TellsFileTime(justNow)
}

// aroundStat are the packages between whoever asks about a file and the system call.
var aroundStat = map[string]bool{"syscall": true, "internal/poll": true, "internal/syscall/unix": true, "golang.org/x/sys/unix": true}

// tellsStat notes that the program is told about a file by a system call.
func (s *sys) tellsStat(st *linux.Stat) {
	if !s.c.M.Driven() {
		return
	}
	if s.c.CallerPkg(aroundStat) == "os" && !looksIntoStats(s.c.M) {
		if at := st.Mtim.Nano(); WallClock(nil) <= at && at <= WallClock(s.c.M) {
			drive.Of(s.c.M).KeepsFileTime()
		}
		return
	}
	if !tellsTimes(s.c.M, st.Atim, st.Mtim, st.Ctim) {
		s.out = vm.Again
	}
}

// looksIntoStats reports whether the program can look into what FileInfo.Sys returns.
func looksIntoStats(m *vm.Machine) bool {
	for _, a := range m.Prog.Asserts {
		if m.Prog.Types[a.Target].Str == "*syscall.Stat_t" {
			return true
		}
	}
	return false
}

// A fileStat is the beginning of an os.fileStat.
type fileStat struct {
	name    [2]uint64
	size    int64
	mode    uint32
	modTime struct {
		wall, ext uint64
		loc       mem.Ptr
	}
	sys linux.Stat
}

// modTime is (*os.fileStat).ModTime.
func modTime(c *vm.NativeCall) vm.Outcome {
	fs := (*fileStat)(c.M.Heap.Read(c.Ptr(0), uint32(unsafe.Sizeof(fileStat{}))))
	if fs == nil {
		return c.PanicNil()
	}
	t := fs.modTime
	if !tellsTimes(c.M, fs.sys.Mtim) {
		return vm.Again
	}
	c.Set(0, t.wall)
	c.Set(1, t.ext)
	c.SetPtr(2, t.loc)
	return vm.Done
}

func init() {
	register(Canonical, "a search has to know whether the program asks for the times of files", map[string]vm.Native{
		"(*os.fileStat).ModTime": modTime,
	})
}
