package trace

import (
	"fmt"
	"strings"
)

// Mermaid returns the trace as a sequence diagram of Mermaid. A step that touches
// what another actor touched before, or that another actor made possible, is an
// arrow from that one; the others are notes.
func (t *Trace) Mermaid() string {
	names := t.actorNames()
	id := map[string]string{}
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	for i, name := range names {
		id[name] = fmt.Sprintf("a%d", i+1)
		fmt.Fprintf(&b, "    participant %s as %s\n", id[name], escape(name))
	}
	w := &weigher{t: t, uses: map[string][]use{}}
	w.prepare()
	for i := range t.Steps {
		s := &t.Steps[i]
		text := fmt.Sprintf("%d %s", i+1, s.Action)
		if s.Pos.IsValid() {
			text += " (" + shortPlace(s.Pos) + ")"
		}
		if from := w.source(i); from != "" {
			fmt.Fprintf(&b, "    %s->>%s: %s\n", id[from], id[s.Actor], escape(text))
		} else {
			fmt.Fprintf(&b, "    Note over %s: %s\n", id[s.Actor], escape(text))
		}
	}
	for _, waiting := range t.Waiting {
		fmt.Fprintf(&b, "    Note over %s: waits: %s\n", id[waiting.Actor], escape(waiting.For))
	}
	if n := len(names); n > 0 && t.Finding.Kind != "" {
		over := "a1"
		if n > 1 {
			over = fmt.Sprintf("a1,a%d", n)
		}
		fmt.Fprintf(&b, "    Note over %s: %s\n", over, escape(t.Finding.Error()))
	}
	return b.String()
}

// source returns the other actor that was the last to do something that step j
// depends on directly, or "".
func (w *weigher) source(j int) string {
	latest, actor := -1, ""
	consider := func(i int) {
		if by := w.t.Steps[i].Actor; i > latest && by != w.t.Steps[j].Actor {
			latest, actor = i, by
		}
	}
	if i := w.last(w.t.Steps[j].Actor, j); i >= 0 {
		consider(i)
	}
	for _, touch := range w.t.Steps[j].Touched {
		uses := w.uses[touch.Thing]
		for k := len(uses) - 1; k >= 0; k-- {
			if u := uses[k]; u.step < j && (u.write || touch.Write) {
				consider(u.step)
				break
			}
		}
	}
	return actor
}

// escape writes the characters that mean something to Mermaid as entities.
func escape(text string) string {
	return mermaidEscapes.Replace(text)
}

var mermaidEscapes = strings.NewReplacer("#", "#35;", ";", "#59;", "<", "#lt;", ">", "#gt;", "%%", "#37;#37;")
