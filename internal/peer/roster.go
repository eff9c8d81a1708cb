//go:build linux

package peer

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// A roster is the threads of a run, with the files of /proc that tell what they
// do. The files stay open: peers are looked at often, and to open such a file takes
// longer than to read it.
//
// Whether the roster is still that of the run is seen without listing all threads
// again: a new thread or process changes the number of threads of a process or the
// children of a thread, and what was left by a parent that has ended becomes a
// child of the keeper.
type roster struct {
	mu      sync.Mutex
	threads []*rosterThread // by process and thread
	procs   []*rosterProcess
	keeper  kin
	listed  bool
	blind   bool // the kernel does not tell the children of threads
	last    sample
	glanced bool // the last look was a glance
	buf     []byte
}

// A rosterProcess is a process with threads that have not ended.
type rosterProcess struct {
	pid   int
	tasks procFile // the folder of its threads
	count uint64   // of its threads
	kids  []kin
}

// A kin is what the kernel tells of the children of a thread.
type kin struct {
	file procFile
	text string
}

type rosterThread struct {
	pid, tid        int
	runs            procFile // schedstat, or status if the kernel does not count in the former
	status          bool
	stat, callsFile procFile
}

// sample looks at all threads of a run. An error means that the operating system
// does not tell.
func (r *run) sample() (sample, error) {
	o := &r.roster
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sample(r)
}

// glance is sample, but takes it that a thread which has not run since the last sample
// still sleeps, if it did then, and that there are no others. That is for the first of
// two looks: the second is a sample, which shows whether it was so. So is each look
// after a glance.
func (r *run) glance() (sample, error) {
	o := &r.roster
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.listed || o.glanced {
		return o.sample(r)
	}
	o.glanced = true
	r.g.count1(&r.g.stats.Looks)
	if s, err := o.look(true); o.listed {
		return s, err
	}
	return o.sample(r)
}

func (o *roster) sample(r *run) (sample, error) {
	r.g.count1(&r.g.stats.Looks)
	o.glanced = false
	if !o.current() {
		o.list(r)
	}
	return o.look(false)
}

// enlist lists the threads of a run, so that the first look finds their files open.
func (r *run) enlist() {
	if r.spec.Delay == 0 {
		r.roster.mu.Lock()
		r.roster.list(r)
		r.roster.mu.Unlock()
	}
}

func (o *roster) look(brief bool) (s sample, failure error) {
	s = make(sample, 0, len(o.threads))
	for _, e := range o.threads {
		t, err := e.look(o.buf, o.last, brief)
		switch err {
		case nil:
			s = append(s, t)
		case errGone:
			o.listed = false
		default:
			failure = err
		}
	}
	o.last = s
	return s, failure
}

// look looks at one thread: first how often it has run, then what it does, then how often it
// has run by now. If that is the same, it has slept all the while. What a
// thread does that has not run since the last sample is taken from there; a brief look believes
// that it sleeps, which the next look shows.
func (e *rosterThread) look(buf []byte, last sample, brief bool) (t thread, err error) {
	t = thread{pid: e.pid, tid: e.tid, call: -1}
	if t.switches, err = e.switches(buf); err != nil {
		return t, err
	}
	was, known := last.sleeping(&t)
	if known && brief {
		return was, nil
	}
	if t, err = e.does(buf, t, was, known); err != nil || t.state != 'S' {
		return t, err
	}
	now, err := e.switches(buf)
	if now != t.switches { // it has begun to sleep meanwhile, perhaps somewhere else
		t.state, t.call = 'R', -1
	}
	return t, err
}

// switches returns how often a thread has run.
func (e *rosterThread) switches(buf []byte) (uint64, error) {
	data, err := e.runs.read(buf)
	switch {
	case err != nil:
		return 0, goneOr(err)
	case e.status:
		return statusSwitches(data), nil
	}
	return schedRuns(data), nil
}

// does finds out what a thread does, or takes it from what it did if it still sleeps.
func (e *rosterThread) does(buf []byte, t, was thread, known bool) (thread, error) {
	data, err := e.stat.read(buf)
	if err != nil {
		return t, goneOr(err)
	}
	i, j := bytes.IndexByte(data, '('), bytes.LastIndexByte(data, ')') // the name may hold anything
	if i < 0 || j < i || j+2 >= len(data) {
		return t, errGone
	}
	t.state = data[j+2]
	switch {
	case t.state == 'Z' || t.state == 'X':
		return t, errGone
	case t.state == 'S' && known:
		return was, nil
	}
	t.name = string(data[i+1 : j])
	if t.state == 'S' {
		if data, err = e.callsFile.read(buf); err != nil {
			return t, goneOr(err)
		}
		t.setCall(data)
	}
	return t, nil
}

// schedRuns reads how often a thread was given a processor. It is 0 if the kernel
// does not count.
func schedRuns(data []byte) uint64 {
	data = bytes.TrimSpace(data)
	n, _ := strconv.ParseUint(string(data[bytes.LastIndexByte(data, ' ')+1:]), 10, 64)
	return n
}

// statusSwitches reads how often a thread has left a processor.
func statusSwitches(data []byte) (sum uint64) {
	for line := range bytes.Lines(data) {
		key, value, _ := bytes.Cut(line, []byte{':'})
		switch string(key) {
		case "voluntary_ctxt_switches", "nonvoluntary_ctxt_switches":
			n, _ := strconv.ParseUint(string(bytes.TrimSpace(value)), 10, 64)
			sum += n
		}
	}
	return sum
}

// current reports whether the roster is that of the run. The children of the keeper
// come last: what a process leaves is there before the process is no child of its
// parent any more.
func (o *roster) current() bool {
	if !o.listed || o.blind {
		return false
	}
	for _, p := range o.procs {
		if n, err := p.tasks.links(); err != nil || n != p.count+2 {
			return false
		}
		for i := range p.kids {
			if !p.kids[i].same(o.buf) {
				return false
			}
		}
	}
	return o.keeper.same(o.buf)
}

func (k *kin) same(buf []byte) bool {
	data, err := k.file.read(buf)
	return err == nil && string(data) == k.text
}

// list lists the threads of a run anew.
func (o *roster) list(r *run) {
	o.closeThreads()
	if o.buf == nil {
		o.buf = make([]byte, 4<<10)
	}
	o.listed, o.blind = true, false
	if o.keeper.file.path == "" {
		pid := r.g.keeper.cmd.Process.Pid
		o.keeper.file = taskFileAt(pid, pid, "children")
	}
	o.note(&o.keeper)
	var last *rosterProcess
	walk(r.roots(), func(pid, tid int) {
		if last == nil || last.pid != pid {
			last = &rosterProcess{pid: pid, tasks: procFile{path: "/proc/" + strconv.Itoa(pid) + "/task"}}
			o.procs = append(o.procs, last)
		}
		last.count++
		k := kin{file: taskFileAt(pid, tid, "children")}
		o.note(&k)
		last.kids = append(last.kids, k)
		if e := newRosterThread(pid, tid, o.buf); e != nil {
			o.threads = append(o.threads, e)
		}
	})
	// What has no thread that goes on is of interest to its parent only.
	o.procs = slices.DeleteFunc(o.procs, func(p *rosterProcess) bool {
		if slices.ContainsFunc(o.threads, func(e *rosterThread) bool { return e.pid == p.pid }) {
			return false
		}
		p.close()
		return true
	})
	slices.SortFunc(o.threads, func(a, b *rosterThread) int {
		return cmp.Or(cmp.Compare(a.pid, b.pid), cmp.Compare(a.tid, b.tid))
	})
}

// note reads the children of a thread for the first time.
func (o *roster) note(k *kin) {
	data, err := k.file.read(o.buf)
	if errors.Is(err, unix.ENOENT) {
		o.blind = true // or the thread has ended, which makes no difference
	}
	k.text = string(data)
}

func newRosterThread(pid, tid int, buf []byte) *rosterThread {
	e := &rosterThread{
		pid: pid, tid: tid,
		runs: taskFileAt(pid, tid, "schedstat"), stat: taskFileAt(pid, tid, "stat"), callsFile: taskFileAt(pid, tid, "syscall"),
	}
	if data, err := e.runs.read(buf); err != nil || schedRuns(data) == 0 {
		e.runs.close()
		e.runs, e.status = taskFileAt(pid, tid, "status"), true
	}
	if t, err := e.look(buf, nil, false); err == errGone || t.state == 'Z' {
		e.close()
		return nil
	}
	return e
}

func (e *rosterThread) close() {
	e.runs.close()
	e.stat.close()
	e.callsFile.close()
}

func (p *rosterProcess) close() {
	p.tasks.close()
	for i := range p.kids {
		p.kids[i].file.close()
	}
}

func (o *roster) closeThreads() {
	for _, e := range o.threads {
		e.close()
	}
	for _, p := range o.procs {
		p.close()
	}
	o.threads, o.procs, o.listed = nil, nil, false
}

// close closes all files.
func (o *roster) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closeThreads()
	o.keeper.file.close()
}

// A procFile is a file of /proc that is read again and again. It is kept open from
// the first time on, unless there are too many.
type procFile struct {
	path string
	fd   int // one more than the descriptor; 0 if it is not open
}

// keptFiles counts the files that are kept open, of at most maxKept.
var keptFiles atomic.Int64

const maxKept = 512

func taskFileAt(pid, tid int, name string) procFile {
	return procFile{path: "/proc/" + strconv.Itoa(pid) + "/task/" + strconv.Itoa(tid) + "/" + name}
}

// open returns the descriptor, and whether it is to be closed after its use.
func (f *procFile) open() (fd int, once bool, err error) {
	if f.fd > 0 {
		return f.fd - 1, false, nil
	}
	fd, err = unix.Open(f.path, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, false, err
	}
	if keptFiles.Add(1) > maxKept {
		keptFiles.Add(-1)
		return fd, true, nil
	}
	f.fd = fd + 1
	return fd, false, nil
}

// read reads the file from its beginning, into buf if that is large enough.
func (f *procFile) read(buf []byte) ([]byte, error) {
	fd, once, err := f.open()
	if err != nil {
		return nil, err
	}
	if once {
		defer unix.Close(fd)
	}
	size := 0
	for {
		n, err := unix.Pread(fd, buf[size:], int64(size))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return nil, err
		}
		size += n
		if n < 2<<10 { // the kernel fills pages as far as it can
			return buf[:size], nil
		}
		if size == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
		}
	}
}

// links returns the number of links to a folder.
func (f *procFile) links() (uint64, error) {
	fd, once, err := f.open()
	if err != nil {
		return 0, err
	}
	if once {
		defer unix.Close(fd)
	}
	var st unix.Stat_t
	err = unix.Fstat(fd, &st)
	return uint64(st.Nlink), err
}

func (f *procFile) close() {
	if f.fd > 0 {
		unix.Close(f.fd - 1)
		keptFiles.Add(-1)
	}
	f.fd = 0
}

// setCall notes the system call that a thread sleeps in, as the kernel tells it. The
// kernel reads its registers only if it sleeps all the while.
func (t *thread) setCall(data []byte) {
	f := bytes.Fields(data)
	if len(f) < 7 {
		if string(bytes.TrimSpace(data)) == "running" {
			t.state = 'R'
		}
		return
	}
	t.call, _ = strconv.ParseInt(string(f[0]), 10, 64)
	for i := range t.args {
		t.args[i], _ = strconv.ParseUint(strings.TrimPrefix(string(f[i+1]), "0x"), 16, 64)
	}
}
