package iocache

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestScenarios plays the scenarios of the papers. A file in testdata is what is
// said to a session, in lines that begin with $, and what it answers.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) < 15 {
		t.Fatalf("got %d scenarios, %v, want more", len(files), err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			got := play(t, string(want))
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if got != string(want) {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
		})
	}
}

// A player is a session and its marks.
type player struct {
	stage *stage
	cache *Cache
	s     *Session
	opt   Options
	marks map[string]Mark
	keys  map[string][]byte

	failed error // the last one of a peer
}

// play returns the script with the answers that it gets.
func play(t *testing.T, script string) string {
	p := &player{stage: newStage(), marks: map[string]Mark{}, keys: map[string][]byte{}}
	var b strings.Builder
	for line := range strings.Lines(script) {
		switch command, ok := strings.CutPrefix(line, "$ "); {
		case ok:
			b.WriteString(line)
			b.WriteString(p.run(strings.TrimSuffix(command, "\n")))
		case strings.HasPrefix(line, "#") || line == "\n":
			b.WriteString(line)
		}
	}
	if p.cache != nil {
		checkText(t, p.cache.Text())
		p.cache.Close()
	}
	if p.stage.running != 0 {
		t.Errorf("got %d peers that were not stopped, want none", p.stage.running)
	}
	return b.String()
}

// checkText reads a text form and holds it against what is written of it.
func checkText(t testing.TB, text string) *Recording {
	t.Helper()
	rec, err := Parse("text", text)
	if err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if got := rec.Text(); got != text {
		t.Fatalf("read and written:\ngot\n%s\nwant\n%s", got, text)
	}
	return rec
}

// run executes a command and returns what there is to see.
func (p *player) run(line string) string {
	words := strings.SplitN(line, " ", 3)
	arg := func(i int) string {
		if i < len(words) {
			return words[i]
		}
		return ""
	}
	switch words[0] {
	case "mode":
		mode, err := ParseMode(arg(1))
		if err != nil {
			return err.Error() + "\n"
		}
		p.opt.Mode = mode
		return ""
	case "live":
		p.opt.Live, _ = strconv.Atoi(arg(1))
		return ""
	case "max":
		p.opt.MaxResponse, _ = strconv.Atoi(arg(1))
		return ""
	case "rule":
		rule, err := ParseRule(strings.TrimPrefix(line, "rule "))
		if err != nil {
			return err.Error() + "\n"
		}
		p.opt.Rules = append(p.opt.Rules, rule)
		return ""
	}
	if p.s == nil {
		p.cache = New(p.stage, p.opt)
		p.s = p.cache.NewSession()
	}
	number, _ := strconv.Atoi(arg(1))
	c := Conn(number)
	switch words[0] {
	case "save":
		p.marks[arg(1)], p.keys[arg(1)] = p.s.Save(), p.s.AppendKey(nil)
		return ""
	case "back":
		p.s.Restore(p.marks[arg(1)])
		return ""
	case "key": // is the state the one that was saved under that name?
		return fmt.Sprintln(bytes.Equal(p.s.AppendKey(nil), p.keys[arg(1)]))
	case "trace":
		return p.s.Trace(c).String()
	case "text":
		return p.cache.Text()
	case "told":
		return strings.Join(p.stage.told, "\n") + "\n"
	case "stats":
		return fmt.Sprintf("%+v\n", p.cache.Stats())
	case "connect", "accept":
		open := p.s.Connect
		if words[0] == "accept" {
			open = p.s.Accept
		}
		c, st, err := open(arg(1), arg(2))
		if st == Ready && err == nil {
			return fmt.Sprintf("connection %d\n", c)
		}
		return p.outcome(c, "", st, err)
	case "canaccept":
		st, err := p.s.CanAccept(arg(1), arg(2))
		return p.outcome(c, "", st, err)
	case "write":
		data, err := strconv.Unquote(arg(2))
		if err != nil {
			return err.Error() + "\n"
		}
		st, err := p.s.Write(c, []byte(data))
		return p.outcome(c, "", st, err)
	case "read":
		size := 1000
		if arg(2) != "" {
			size, _ = strconv.Atoi(arg(2))
		}
		buf := make([]byte, size)
		m, _, _ := p.s.Available(c)
		n, st, err := p.s.Read(c, buf)
		if err == nil && n != min(m, size) {
			return fmt.Sprintf("got %d bytes, but %d were available\n", n, m)
		}
		return p.outcome(c, string(buf[:n]), st, err)
	case "shutdown":
		return p.outcome(c, "", Ready, p.s.Shutdown(c))
	case "close":
		return p.outcome(c, "", Ready, p.s.Close(c))
	case "reset":
		return p.outcome(c, "", Ready, p.s.Reset(c))
	}
	return "no such command\n"
}

func (p *player) outcome(c Conn, data string, st Status, err error) string {
	switch {
	case err == nil:
		// What comes of a request is seen when somebody asks for it.
		if e := p.cache.Settle(); e != p.failed {
			err, p.failed = e, e
		}
	}
	switch {
	case err != nil:
		return "error: " + err.Error() + "\n"
	case data != "":
		return strconv.Quote(data) + "\n"
	case st == Broken:
		return "broken: " + p.s.Why(c) + "\n"
	case st == Ready:
		return ""
	}
	return st.String() + "\n"
}
