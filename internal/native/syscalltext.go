package native

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/kernel/linux"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/vm"
)

// faultWords are the faults in words.
var faultWords = map[sockets.Fault]string{
	sockets.FaultReset:   "the connection breaks (ECONNRESET)",
	sockets.FaultEOF:     "the connection has ended",
	sockets.FaultRefuse:  "refused (ECONNREFUSED)",
	sockets.FaultShort:   "one byte only",
	sockets.FaultTimeout: "no answer (ETIMEDOUT)",
}

// A Choice tells in words which way a system call goes that can go several.
type Choice struct {
	Text   string // the whole call
	Extra  string // what there is to add where it is told what went over the connection
	Silent bool   // nothing goes over the connection
}

// ChoiceOf returns that of a call. It is empty if there is nothing to tell.
func ChoiceOf(c *vm.NativeCall, name string, choice int) (is Choice) {
	if name == signalRecvName {
		return Choice{Text: signalText(c, choice)}
	}
	if !systemCalls[name] || kernelOf(c.M) == nil {
		return is
	}
	s := lookingAt(c)
	if s.choices() < 2 {
		return is
	}
	list, ways := s.faults(), 0
	if len(list) == 0 || s.can() {
		ways = s.ways()
	}
	call := fmt.Sprintf("%s fd %d", sysName(s.num), s.fd(0))
	if choice >= ways {
		if choice-ways >= len(list) {
			return is
		}
		f := list[choice-ways]
		words := "fault: " + faultWords[f]
		return Choice{call + ": " + words, words, f != sockets.FaultShort && f != sockets.FaultEOF}
	}
	if a, empty, ok := s.awaited(); ok {
		return Choice{Text: s.awaitedText(&a, choice, empty), Silent: true}
	}
	if s.tardy() && choice == ways-1 {
		return Choice{Text: call + ": nothing in time", Silent: true}
	}
	if s.early() {
		if choice == 0 {
			return Choice{Text: call + ": not yet" + s.earlyError(), Silent: true}
		}
		choice--
	}
	if s.num == linux.SYS_ACCEPT || s.num == linux.SYS_ACCEPT4 {
		return is // it is told whom
	}
	var room [3]int
	if list := s.portions(room[:0]); choice > 0 && choice <= len(list) {
		words := fmt.Sprintf("%d of %d bytes", list[choice-1], s.transfer())
		return Choice{Text: call + ": " + words, Extra: words}
	}
	return Choice{Text: call + ": done"}
}

// awaitedText tells what a call finds that waits for several descriptors.
func (s *sys) awaitedText(a *sockets.Awaited, way int, empty bool) string {
	name := strings.Replace(sysName(s.num), "pwait", "wait", 1) // what callers call it
	ready, of := a.Ready(way, empty)
	if len(ready) > 0 {
		return fmt.Sprintf("%s: %d of %d ready: %s", name, len(ready), of, strings.Join(ready, ", "))
	}
	if l := s.span(); l.until != 0 && l.until > s.c.M.Now() {
		return name + ": nothing yet, goes on waiting"
	}
	return name + ": nothing yet"
}

// earlyError is the name of the error that a call returns which is early.
func (s *sys) earlyError() string {
	switch s.num {
	case linux.SYS_GETSOCKOPT:
		return ""
	case linux.SYS_CONNECT:
		return " (EALREADY)"
	}
	return " (EAGAIN)"
}

// Watches lists the descriptors that a system call waits for, if it waits for
// several at once.
func Watches(c *vm.NativeCall, name string) (call string, fds []int, ok bool) {
	if !systemCalls[name] || kernelOf(c.M) == nil {
		return "", nil, false
	}
	s := lookingAt(c)
	fds, ok = s.watches()
	return sysName(s.num), fds, ok
}

func (s *sys) watches() (fds []int, ok bool) {
	var asked []sockets.Asked
	switch s.num {
	case linux.SYS_EPOLL_WAIT, linux.SYS_EPOLL_PWAIT:
		return s.k.EpollFDs(s.fd(0)), true
	case linux.SYS_POLL, linux.SYS_PPOLL:
		asked, _ = s.pollAsked()
	case linux.SYS_SELECT, linux.SYS_PSELECT6:
		asked, _ = s.selectAsked()
	default:
		return nil, false
	}
	for _, x := range asked {
		fds = append(fds, x.FD)
	}
	return fds, true
}
