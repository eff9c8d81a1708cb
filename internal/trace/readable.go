package trace

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/heddle-mc/heddle/internal/diag"
)

// Readable returns a copy to be read by a person. Actors have short names, see Named, and places in steps are the names of files without
// folders, as long as no two files are called the same. The finding and the stacks keep theirs, to be clicked on. Whoever compares traces
// or reads them by program wants the original.
func (t *Trace) Readable() *Trace {
	own := t.Named()
	own.Finding.Message = own.withVariable()
	place := t.shortPlaces()
	for i := range own.Before {
		own.Before[i].Pos = place(own.Before[i].Pos)
	}
	for i := range own.Steps {
		own.Steps[i].Pos = place(own.Steps[i].Pos)
	}
	for i := range own.Waiting {
		own.Waiting[i].Pos = place(own.Waiting[i].Pos)
	}
	return own
}

// withVariable is the message of the finding, of a race with what is read or written, if that has a name. Messages do not have it, since by
// them findings of different versions of a program are told to be the same.
func (t *Trace) withVariable() string {
	message := t.Finding.Message
	if len(t.Stacks) == 0 || t.Stacks[0].Of == "" {
		return message
	}
	of := " of " + t.Stacks[0].Of
	switch t.Finding.Kind {
	case "race":
		if rest, ok := strings.CutPrefix(message, t.Stacks[0].Action+" races with "); ok {
			return t.Stacks[0].Action + of + " races with " + rest
		}
	case "fatal":
		return strings.Replace(message, ": the other is at ", of+": the other is at ", 1)
	}
	return message
}

// Named returns a copy in which an actor has one name, that of the function of the program that it runs, and a number only if others run the
// same one:
//
//	example.com/pool.(*Pool).work#1.2, sync.(*WaitGroup).Go.func1#1.2  ──►  pool.(*Pool).work 2
func (t *Trace) Named() *Trace {
	short := t.shortNames()
	own := t.Renamed(func(text string) string {
		for _, n := range short {
			text = replaceName(text, n.full, n.short)
		}
		return text
	})
	for i := range own.Stacks { // functions are not actors
		own.Stacks[i].Frames, own.Stacks[i].Started = t.Stacks[i].Frames, t.Stacks[i].Started
	}
	return own
}

// An alias is another name of an actor.
type alias struct{ full, short string }

// shortNames returns the short names of actors, the longest names first so that none is replaced within another.
func (t *Trace) shortNames() (list []alias) {
	full := t.actorNames()
	add := func(name string) {
		if name != "" && !slices.Contains(full, name) {
			full = append(full, name)
		}
	}
	for _, s := range t.Stacks {
		add(s.Actor)
	}
	for _, w := range t.Waiting {
		for _, r := range w.Releasers {
			add(r)
		}
	}
	for i := range t.Steps {
		for _, name := range startedBy(t.Steps[i].Action) {
			add(name)
		}
		for _, name := range t.Steps[i].Kept {
			add(name)
		}
	}
	c := newCast(full)
	best := map[string]string{} // the function that tells most, by who runs it
	var ids []string
	for _, name := range full {
		id, function := c.identity(name)
		if id == "" {
			continue
		}
		old, known := best[id]
		if !known {
			ids = append(ids, id)
		}
		if !known || inStandardLibrary(old) && !inStandardLibrary(function) {
			best[id] = function
		}
	}
	slices.SortFunc(ids, compareIdentities)
	number, several := map[string]int{}, map[string]int{}
	for _, id := range ids {
		several[c.called(id, best[id])]++
	}
	for _, id := range ids {
		function := c.called(id, best[id])
		short := function
		if number[function]++; several[function] > 1 {
			short += " " + strconv.Itoa(number[function])
		}
		for _, name := range full {
			if other, _ := c.identity(name); other == id && name != short {
				list = append(list, alias{name, short})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b alias) int { return cmp.Compare(len(b.full), len(a.full)) })
	return list
}

// A cast knows which of the names begin with that of a process.
type cast struct{ processes []string }

// ofProcess is the name of a goroutine where there are several processes.
var ofProcess = regexp.MustCompile(`^([^/.]+)/main([.#]|$)`)

// newCast looks for the names of processes.
func newCast(names []string) (c cast) {
	for _, name := range names {
		if m := ofProcess.FindStringSubmatch(name); m != nil && !slices.Contains(c.processes, m[1]) {
			c.processes = append(c.processes, m[1])
		}
	}
	return c
}

// split returns the process of a goroutine with a slash behind it, or "", and the rest of its name.
func (c cast) split(name string) (process, rest string) {
	if i := strings.IndexByte(name, '/'); i > 0 && slices.Contains(c.processes, name[:i]) {
		return name[:i+1], name[i+1:]
	}
	return "", name
}

// identity returns which goroutine has a name, and the function in it. Other actors have no identity, their names are short.
//
//	client/main.main.func1#2.1  ──►  client/#2.1, main.main.func1
func (c cast) identity(name string) (id, function string) {
	process, rest := c.split(name)
	switch at := strings.LastIndexByte(rest, '#'); {
	case at > 0:
		return process + rest[at:], rest[:at]
	case slices.Contains(oneOfAKind, rest):
		return "", rest
	}
	return process + "#1", rest // the first that main has started
}

// oneOfAKind are the actors that are no goroutines which somebody has started.
var oneOfAKind = []string{"main", "clock", "signal"}

// compareIdentities orders goroutines by who has started whom, and when.
func compareIdentities(a, b string) int {
	processA, pathA, _ := strings.Cut(a, "#")
	processB, pathB, _ := strings.Cut(b, "#")
	if c := strings.Compare(processA, processB); c != 0 {
		return c
	}
	return slices.CompareFunc(strings.Split(pathA, "."), strings.Split(pathB, "."), func(x, y string) int {
		n, _ := strconv.Atoi(x)
		m, _ := strconv.Atoi(y)
		return cmp.Or(cmp.Compare(n, m), strings.Compare(x, y))
	})
}

// withoutPath takes the folders of the package from the name of a function, and package main altogether.
func withoutPath(function string) string {
	head, rest := function, ""
	if i := strings.IndexAny(function, "([{"); i >= 0 { // a type may have a path as well
		head, rest = function[:i], function[i:]
	}
	head = head[strings.LastIndexByte(head, '/')+1:]
	return strings.TrimPrefix(head, "main.") + rest
}

// called is the name of a goroutine without its number.
func (c cast) called(id, function string) string {
	process, _, _ := strings.Cut(id, "#")
	return process + withoutPath(function)
}

// inStandardLibrary reports whether a function is of a package of the standard library, by its name: others have a dot in their
// path, or are of the program.
func inStandardLibrary(function string) bool {
	if i := strings.IndexAny(function, "([{"); i >= 0 {
		function = function[:i]
	}
	dir, name := path.Split(function)
	switch pkg, _, _ := strings.Cut(name, "."); {
	case dir != "":
		return !strings.Contains(dir, ".")
	default:
		return slices.Contains(startsOthers, pkg)
	}
}

// startsOthers are the packages of one word that run functions of their callers in goroutines.
var startsOthers = []string{"sync", "time", "testing", "context", "runtime", "os", "net", "iter"}

// startedBy returns the actors that an action says to be started.
func startedBy(action string) (names []string) {
	for _, word := range []string{"starts ", "go "} {
		for rest := action; ; {
			at := strings.Index(rest, word)
			if at < 0 {
				break
			}
			begins := at == 0 || rest[at-1] == ' '
			rest = rest[at+len(word):]
			if end := strings.IndexAny(rest, " ,;"); begins && end != 0 {
				name := rest
				if end > 0 {
					name = rest[:end]
				}
				if strings.ContainsAny(name, ".#") {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// replaceName puts another name in the place of one, where that is not part of a longer one.
func replaceName(text, name, with string) string {
	if !strings.Contains(text, name) {
		return text
	}
	var b strings.Builder
	for from := 0; ; {
		i := nextName(text[from:], name)
		if i < 0 {
			b.WriteString(text[from:])
			return b.String()
		}
		b.WriteString(text[from:from+i] + with)
		from += i + len(name)
	}
}

// shortPlaces returns what takes the folders from places in this trace.
func (t *Trace) shortPlaces() func(diag.Pos) diag.Pos {
	files := map[string]string{} // by base
	note := func(p diag.Pos) {
		base := path.Base(slashed(p.File))
		if old, ok := files[base]; ok && old != p.File {
			files[base] = ""
		} else {
			files[base] = p.File
		}
	}
	for _, e := range t.Before {
		note(e.Pos)
	}
	for i := range t.Steps {
		note(t.Steps[i].Pos)
	}
	for _, w := range t.Waiting {
		note(w.Pos)
	}
	return func(p diag.Pos) diag.Pos {
		if base := path.Base(slashed(p.File)); inProgram(p) && files[base] != "" {
			p.File = base
		}
		return p
	}
}

func slashed(file string) string { return strings.ReplaceAll(file, `\`, "/") }
