package randmix

import "strings"

// A step is something that an actor does.
type step struct {
	needs string // what the process must have, or ""
	text  string // see fill
	timer bool
}

// cost says how much a step makes a program grow.
func (s step) cost() int {
	n := 1
	if s.timer {
		n += 2
	}
	if strings.Contains(s.text, "go ") {
		n++
	}
	for _, call := range []string{"ready(", "pair(", "pipe("} {
		if strings.Contains(s.text, call) {
			n++
		}
	}
	return n
}

// steps are what can be done. What is noted with note is told at the end.
var steps = []step{
	// Go alone: a mutex, a counter, a channel.
	{"u", "h.mu.Lock()\nnote(h.count, nil)\nh.count++\nh.mu.Unlock()\n", false},
	{"u", "h.mu.Lock()\nh.count += 2\nh.mu.Unlock()\n", false},
	{"u", "if h.mu.TryLock() {\nnote(h.count, nil)\nh.mu.Unlock()\n}\n", false},
	{"i", "note(int(h.hits.Add(1)), nil)\n", false},
	{"i", "h.hits.Add(2)\n", false},
	{"i", "if h.hits.CompareAndSwap(0, 4) {\nnote(1, nil)\n}\n", false},
	{"i", "h.hits.Store(9)\n", false},
	{"k", "select {\ncase h.ch <- 1:\ndefault:\n}\n", false},
	{"k", "select {\ncase h.ch <- 2:\ndefault:\nnote(3, nil)\n}\n", false},
	{"k", "select {\ncase $x := <-h.ch:\nnote($x, nil)\ndefault:\nnote(5, nil)\n}\n", false},
	{"k", "h.ch <- 3\n", false},
	{"k", "note(<-h.ch, nil)\n", false},

	// Timers.
	{"", "select {\ncase <-time.After($d):\nnote(1, nil)\ncase $x := <-h.ch:\nnote(2+$x, nil)\n}\n", true},
	{"", "time.AfterFunc($d, func() { h.hits.Add(1) })\n", true},
	{"", "$x := time.AfterFunc($d, func() { h.hits.Add(1) })\nif $x.Stop() {\nnote(1, nil)\n}\n", true},
	{"", "$x := time.NewTicker($d)\n<-$x.C\n$x.Stop()\nnote(int(h.hits.Load()), nil)\n", true},
	{"", "time.Sleep($d)\nnote(int(h.hits.Load()), nil)\n", true},
	{"", "$x := time.NewTimer($d)\n$x.Reset($d)\nselect {\ncase <-$x.C:\nnote(1, nil)\ncase h.ch <- 1:\n}\n", true},
	{"t", "select {\ncase <-h.ctx.Done():\nnote(1, nil)\ncase $x := <-h.ch:\nnote(2+$x, nil)\n}\n", true},
	{"t", "h.cancel()\n", true},
	{"t", "if h.ctx.Err() != nil {\nnote(1, nil)\n}\n", true},
	{"t", "context.AfterFunc(h.ctx, func() { h.hits.Add(1) })\n", true},
	{"t", "$x, $y := context.WithTimeout(h.ctx, $d)\n<-$x.Done()\n$y()\nnote(int(h.hits.Load()), nil)\n", true},
	{"n", "time.AfterFunc($d, func() { syscall.Write($w, one) })\n", true},
	{"n", "select {\ncase <-time.After($d):\nsyscall.Write($w, two)\ncase <-h.ch:\n}\n", true},
	{"f", "note(0, h.r.SetReadDeadline(time.Now().Add($d)))\n", true},
	{"f", "time.AfterFunc($d, func() { h.w.Close() })\n", true},
	{"c", "note(0, setDeadline($c, $d))\n", true},
	{"c", "time.AfterFunc($d, func() { $c.Close() })\n", true},
	{"t", "context.AfterFunc(h.ctx, func() { h.ch <- 1 })\n", true},

	// Numbers of descriptors.
	{"n", "note(syscall.Write($w, one))\n", false},
	{"n", "note(syscall.Write($w, two))\n", false},
	{"n", "note(syscall.Read($r, make([]byte, 1)))\n", false},
	{"n", "note(syscall.Read($r, make([]byte, 3)))\n", false},
	{"n", "syscall.Write($w, one)\n", false},
	{"n", "syscall.Close($w)\n", false},
	{"n", "go syscall.Close($n)\n", false},
	{"n", "note(0, syscall.SetNonblock($n, true))\n", false},
	{"n", "if $x, err := syscall.Dup($n); err == nil {\nnote(syscall.Write($x, one))\nsyscall.Close($x)\n}\n", false},
	{"n", "if $x, err := syscall.Dup($n); err == nil {\nsyscall.Read($x, make([]byte, 1))\n}\n", false},
	{"n", "note(0, dup2($n, $n))\n", false},
	{"n", "select {\ncase h.handed <- $w:\ndefault:\n}\n", false},
	{"", "select {\ncase $x := <-h.handed:\nnote(syscall.Write($x, one))\ndefault:\n}\n", false},
	{"", "select {\ncase $x := <-h.handed:\nsyscall.Close($x)\ndefault:\n}\n", false},
	{"n", "note(ready($r, 0))\n", false},
	{"n", "note(ready($r, -1))\n", false},
	{"n", "$x, $y := pair(0)\nnote(syscall.Write($x, one))\nnote(syscall.Read($y, make([]byte, 2)))\n", false},
	{"n", "$x, $y := pipe(0)\nnote($x, nil)\nsyscall.Close($y)\n", false},

	// Files, and their numbers.
	{"f", "note(h.w.Write(one))\n", false},
	{"f", "note(h.r.Read(make([]byte, 2)))\n", false},
	{"f", "h.w.Close()\n", false},
	{"f", "go h.r.Close()\n", false},
	{"f", "note(syscall.Write(int(h.w.Fd()), one))\n", false},
	{"f", "note(syscall.Read(int(h.r.Fd()), make([]byte, 2)))\n", false},
	{"f", "syscall.Write(number(h.w), two)\n", false},
	{"f", "note(syscall.Read(number(h.r), make([]byte, 2)))\n", false},
	{"f", "note(readBy(h.r, true))\n", false},
	{"f", "note(readBy(h.r, false))\n", false},
	{"f", "select {\ncase h.handed <- number(h.w):\ndefault:\n}\n", false},
	{"f", "syscall.Close(number(h.w))\n", false},

	// Connections, and their numbers.
	{"c", "note($c.Write(one))\n", false},
	{"c", "note($c.Write(two))\n", false},
	{"c", "note($c.Read(make([]byte, 1)))\n", false},
	{"c", "note($c.Read(make([]byte, 3)))\n", false},
	{"c", "$c.Close()\n", false},
	{"c", "go $c.Close()\n", false},
	{"c", "note(syscall.Write(number($c), one))\n", false},
	{"c", "note(syscall.Read(number($c), make([]byte, 2)))\n", false},
	{"c", "note(readBy($c, true))\n", false},
	{"c", "note(readBy($c, false))\n", false},
	{"c", "select {\ncase h.handed <- number($c):\ndefault:\n}\n", false},
	{"c", "note(0, syscall.Shutdown(number($c), syscall.SHUT_WR))\n", false},
	{"c", "if h.conns[1] != nil {\nnote(h.conns[1].Write(one))\n}\n", false},
	{"c", "if h.conns[1] != nil {\nnote(h.conns[1].Read(make([]byte, 2)))\n}\n", false},
	{"c", "note(ready(number($c), 0))\n", false},
}
