package execute

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/heddle-mc/heddle/internal/drive"
	"github.com/heddle-mc/heddle/internal/kernel"
	"github.com/heddle-mc/heddle/internal/kernel/sockets"
	"github.com/heddle-mc/heddle/internal/lts"
	"github.com/heddle-mc/heddle/internal/native"
	"github.com/heddle-mc/heddle/internal/vm"
)

// What goes over connections is told in words: to peers outside by their names,
// to sockets of the modelled machine by addresses. As a message it goes to the
// peer, or to the address that the connection was made to, whichever end speaks.

// A said is one thing that went over a connection.
type said struct {
	words   string
	message lts.Message // From and To are empty if it is none
}

// kernel returns the operating system of the machine.
func (s *System) kernel() *kernel.Kernel {
	k, _ := s.m.Host.(*kernel.Kernel)
	return k
}

// listen notes what goes over connections until the function that it returns is
// called.
func (s *System) listen(note func(said)) (stop func()) {
	k := s.kernel()
	if k == nil {
		return func() {}
	}
	k.Talk = func(t sockets.Talk) {
		actor := ""
		if g := s.m.Current(); g != nil {
			actor = s.nameOf(g)
		}
		note(sayTalk(&t, actor))
	}
	return func() { k.Talk = nil }
}

// sayTalk tells something that went over a connection.
func sayTalk(t *sockets.Talk, actor string) said {
	far, lane := t.With, t.At
	if t.Peer != "" {
		far, lane = t.Peer, t.Peer
	}
	if far == `""` {
		far = "the other end"
	}
	if lane == `""` {
		lane = "socket pair"
	}
	mark := ""
	if t.Number > 1 {
		mark = fmt.Sprintf(" (connection %d)", t.Number)
	}
	to := func(text string) lts.Message { return lts.Message{From: actor, To: lane, Text: text + mark} }
	from := func(text string) lts.Message { return lts.Message{From: lane, To: actor, Text: text + mark} }
	failed := ": " + t.Err.Error()
	switch {
	case t.Kind == sockets.Listens:
		return said{words: "listen at " + t.At}
	case t.Kind == sockets.Unlistens:
		return said{words: "close the listener at " + t.At}
	case t.Kind == sockets.Connects && t.Err != 0:
		return said{"connect to " + far + failed, from(t.Err.Error())}
	case t.Kind == sockets.Connects && t.Peer != "":
		return said{fmt.Sprintf("connect to %s%s (%s)", far, mark, t.At), to("connect")}
	case t.Kind == sockets.Connects:
		return said{"connect to " + far, to("connect")}
	case t.Kind == sockets.Accepts:
		return said{"accept " + far + mark, from("connect")}
	case t.Kind == sockets.Writes && t.Err != 0:
		return said{"write to " + far + mark + failed, from(t.Err.Error())}
	case t.Kind == sockets.Writes:
		return said{fmt.Sprintf("write %s to %s%s", readable(t.Data, shownInStep), far, mark), to(readable(t.Data, shownInMessage))}
	case t.Kind == sockets.Reads && t.Err != 0:
		return said{"read from " + far + mark + failed, from(t.Err.Error())}
	case t.Kind == sockets.Reads && len(t.Data) == 0:
		return said{"end of file from " + far + mark, from("end of file")}
	case t.Kind == sockets.Reads:
		return said{fmt.Sprintf("read %s from %s%s", readable(t.Data, shownInStep), far, mark), from(readable(t.Data, shownInMessage))}
	case t.Kind == sockets.Weathers && len(t.Data) == 0:
		return said{words: "datagrams arrive from now on"}
	case t.Kind == sockets.Weathers:
		return said{words: "what may happen to datagrams from now on: " + string(t.Data)}
	case t.Kind == sockets.Sends:
		return said{fmt.Sprintf("send %s to %s%s", readable(t.Data, shownInStep), far, fateText(t)), to(readable(t.Data, shownInMessage) + fateText(t))}
	case t.Kind == sockets.Receives:
		return said{fmt.Sprintf("receive %s from %s%s", readable(t.Data, shownInStep), far, arrivalText(t)), from(readable(t.Data, shownInMessage) + arrivalText(t))}
	case t.Kind == sockets.Loses:
		return said{fmt.Sprintf("%s from %s is lost", readable(t.Data, shownInStep), far), from(readable(t.Data, shownInMessage) + ", which is lost")}
	case t.Kind == sockets.Shuts:
		return said{"end writing to " + far + mark, to("end of file")}
	case t.Kind == sockets.Resets:
		return said{"reset the connection with " + far + mark, to("reset")}
	}
	return said{"close the connection with " + far + mark, to("close")}
}

// fateText tells what happens to a datagram that is sent.
func fateText(t *sockets.Talk) string {
	switch {
	case t.Err != 0:
		return ", which nobody receives there (" + t.Err.Error() + ")"
	case t.Times == 0:
		return ", which is lost"
	case t.Times == 2:
		return ", which arrives twice"
	case t.Times > 2:
		return fmt.Sprintf(", which arrives %d times", t.Times)
	}
	return ""
}

// arrivalText tells what has happened to a datagram that was received.
func arrivalText(t *sockets.Talk) string {
	var text string
	if t.Cut {
		text += ", of which only the first half fits"
	}
	switch {
	case t.Over == 1:
		text += ", which has overtaken another one"
	case t.Over > 1:
		text += fmt.Sprintf(", which has overtaken %d others", t.Over)
	}
	if t.Times > 0 {
		text += ", which will arrive again"
	}
	return text
}

// How many bytes of a message are shown.
const (
	shownInStep    = 32
	shownInMessage = 200
)

// readable shows bytes as a quoted text, shortened in the middle if there are
// many.
func readable(data []byte, most int) string {
	if len(data) <= most {
		return strconv.Quote(string(data))
	}
	head, tail := data[:most*2/3], data[len(data)-most/3:]
	for len(head) > 0 && !utf8.RuneStart(data[len(head)]) { // letters stay whole
		head = head[:len(head)-1]
	}
	for len(tail) > 1 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	first, last := strconv.Quote(string(head)), strconv.Quote(string(tail))
	return fmt.Sprintf("%s…%s (%d bytes)", first[:len(first)-1], last[1:], len(data))
}

// beneath reports whether a native is an operation of the operating system, or of
// the package that keeps descriptors: what the program calls has another name.
func beneath(name string) bool {
	return strings.Contains(name, "internal/poll.") || strings.HasPrefix(name, "syscall.") || strings.HasPrefix(name, "golang.org/x/sys/unix.")
}

// descriptors are the methods of internal/poll that steps begin with, in words.
var descriptors = map[string]string{"rwlock": "read or write", "incref": "use", "increfAndClose": "close"}

// fileText tells an operation on a descriptor of which nothing is known but its
// native: the program's own words, if there are any.
func fileText(native, text string) string {
	if text != "" {
		return text
	}
	short := native[strings.LastIndexByte(native, '.')+1:]
	if words := descriptors[short]; words != "" {
		return words + " a connection or file"
	}
	return native
}

// waitText tells what a goroutine waits for that stands before an operation of
// the operating system, "" if that is not about a connection. It depends on the
// state alone: it does not tell connections apart.
func (s *System) waitText(g *drive.G, name string) string {
	c := s.m.CallOf(g)
	if c == nil || s.kernel() == nil {
		return ""
	}
	fd, mode, ok := native.Descriptor(c, name)
	if !ok {
		return s.watchText(c, name)
	}
	t, ok := s.kernel().WaitsFor(fd)
	switch {
	case !ok:
		return ""
	case t.Kind == sockets.Accepts:
		text := "accept at " + t.At
		if s.kernel().Serving(fd) {
			text += ", where no more clients connect"
		}
		return text
	case t.Kind == sockets.Connects:
		return "connect to " + t.With
	case t.Kind == sockets.Receives && t.Peer != "":
		return "receive from " + t.Peer + ", which waits too"
	case t.Kind == sockets.Receives && t.With != "":
		return "receive from " + t.With
	case t.Kind == sockets.Receives:
		return "receive at " + t.At
	case mode == 'w':
		return "write to " + farEnd(&t)
	case mode == 'r' && t.Peer != "":
		return "read from " + t.Peer + ", which waits too"
	case mode == 'r':
		return "read from " + farEnd(&t)
	}
	return ""
}

// watchText tells what a goroutine waits for that waits for several descriptors.
func (s *System) watchText(c *vm.NativeCall, name string) string {
	call, fds, ok := native.Watches(c, name)
	if !ok {
		return ""
	}
	if len(fds) == 0 {
		return call + " for nothing"
	}
	var parts []string
	for _, fd := range fds {
		text := "fd " + strconv.Itoa(fd)
		switch t, ok := s.kernel().WaitsFor(fd); {
		case !ok:
		case t.Kind == sockets.Accepts:
			text = "clients at " + t.At
		default:
			text = farEnd(&t)
		}
		parts = append(parts, text)
	}
	return call + " for " + strings.Join(parts, ", ")
}

func farEnd(t *sockets.Talk) string {
	switch {
	case t.Peer != "":
		return t.Peer
	case t.With == `""`:
		return "the other end"
	}
	return t.With
}

// Before tells what went over connections before the initial state.
func (s *System) Before() []lts.Event { return s.before }

// prepare notes what goes over connections on the way to the initial state.
func (s *System) prepare() (stop func()) {
	return s.listen(func(x said) {
		if len(s.before) == maxBefore {
			return
		}
		e := lts.Event{Actor: "main", Action: x.words}
		if g := s.m.Current(); g != nil {
			e.Actor, e.Pos = s.nameOf(g), s.folder.pos(s.position(g))
		}
		if x.message != (lts.Message{}) {
			e.Messages = []lts.Message{x.message}
		}
		s.before = append(s.before, e)
	})
}

// maxBefore bounds what is told of the time before the initial state.
const maxBefore = 1000

// tellTalk adds what went over connections to what is told of a step. An
// operation of the operating system has no other words.
func tellTalk(e *lts.Event, list []said, native string) {
	var words []string
	for _, x := range list {
		if n := len(words); n == 0 || words[n-1] != x.words {
			words = append(words, x.words)
		}
		if x.message != (lts.Message{}) {
			e.Messages = append(e.Messages, x.message)
		}
	}
	switch text := strings.Join(words, ", "); {
	case text == "":
	case beneath(native), strings.HasSuffix(native, "/verify.udp"):
		e.Action = text
	default:
		e.Action += ", then " + text
	}
}
