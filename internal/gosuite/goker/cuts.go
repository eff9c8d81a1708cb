package goker

import "fmt"

// A cut makes a repetition inside a kernel shorter. The kernels repeat in order
// to meet the bad schedule by chance; a search meets it anyhow, but pays for each
// repetition. A cut keeps as many rounds as the bug needs.
type cut struct {
	kernel   string
	in       string // the function or constant
	from, to int
	why      string
}

func (c cut) note() string { return fmt.Sprintf("%s: %d becomes %d: %s", c.in, c.from, c.to, c.why) }

var cuts = []cut{
	{"Etcd7902", "runElectionFunc_etcd7902", 100, 2,
		"a follower blocks in the first round when it releases before the leader does"},
	{"Grpc3017", "Grpc3017", 10000, 2,
		"the first round leaves the mutex locked, the second blocks on it"},
	{"Hugo3251", "Hugo3251", 100, 2,
		"one goroutine that has the lock of the URL and one that waits for it block each other"},
	{"Hugo3251", "Hugo3251", 200, 1,
		"they do so at the first URL"},
	{"Istio18454", "eventChCap_istio18454", 1024, 4,
		"one event starts the timer, one is taken by the loop that then blocks, one fills the channel, one blocks"},
	{"Kubernetes1321", "loop", 100, 2,
		"each round is the same, and the bug is in one"},
	{"Kubernetes58107", "Sync", 100000, 2,
		"one writer between two readers is enough"},
	{"Kubernetes58107", "HelperSignals", 100000, 2,
		"a signal is lost when nobody waits yet, be there one or many"},
}

// A patch changes the text of a function: where the kernel as it is distributed
// does not have the bug any more, and where a cut is more than a number.
type patch struct {
	kernel   string
	in       string
	old, new string // on one line
	why      string
}

func (p patch) note() string { return fmt.Sprintf("%s: %q becomes %q: %s", p.in, p.old, p.new, p.why) }

var patches = []patch{
	{"Moby21233", "testTransfer_moby21233", `[]string{"id1", "id2", "id3"}`, `[]string{"id1", "id2"}`,
		"one transfer blocks when it is released, and one that waits for its release is left behind"},
	{"Moby27782", "readLogs", "defer l.mu.Unlock()", "",
		"the lock was added to the kernel against a race and is held too long: Close cannot close a watcher that is at work, so nothing leaks"},
	{"Moby27782", "readLogs", "followLogs_moby27782(logWatcher)", "l.mu.Unlock(); followLogs_moby27782(logWatcher)",
		"the lock protects the map of readers alone"},
}

// remarks say what a runner of a kernel has to know.
var remarks = map[string]string{
	"Kubernetes1321": "not in the list of the Go team: the map of watchers is accessed without lock, so it has a race besides the leak",
	"Moby7559":       "imports package net, but DialUDP fails before it asks the system, because the address is missing",
}
