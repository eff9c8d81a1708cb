package trace

import (
	"fmt"
	"strings"

	"github.com/heddle-mc/heddle/internal/lts"
)

// Mermaid returns the trace as a sequence diagram of Mermaid. A step that touches
// what another actor touched before, or that another actor made possible, is an
// arrow from that one; the others are notes. Messages are arrows to or from those
// outside, who stand to the right.
func (t *Trace) Mermaid() string {
	names := append(t.actorNames(), t.outsiders()...)
	id := map[string]string{}
	var b strings.Builder
	b.WriteString("sequenceDiagram\n")
	for i, name := range names {
		id[name] = fmt.Sprintf("a%d", i+1)
		fmt.Fprintf(&b, "    participant %s as %s\n", id[name], escape(name))
	}
	w := &weigher{t: t, uses: map[string][]use{}}
	w.prepare()
	for i := range t.Before {
		arrows(&b, id, &t.Before[i], t.Before[i].Action)
	}
	for i := untold(len(t.Steps)); i < len(t.Steps); i++ {
		s := &t.Steps[i]
		if i+1 == t.Loop || t.Loop > 0 && i > t.Loop && i == untold(len(t.Steps)) {
			b.WriteString("    loop forever\n")
		}
		text := fmt.Sprintf("%d %s", i+1, s.Action)
		if s.Pos.IsValid() {
			text += " (" + shortPlace(s.Pos) + ")"
		}
		if len(s.Messages) > 0 {
			arrows(&b, id, &s.Event, text)
		} else if from := w.source(i); from != "" {
			fmt.Fprintf(&b, "    %s->>%s: %s\n", id[from], id[s.Actor], escape(text))
		} else {
			fmt.Fprintf(&b, "    Note over %s: %s\n", id[s.Actor], escape(text))
		}
	}
	if t.Loop > 0 {
		b.WriteString("    end\n")
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

// arrows draws the messages of an event. One message is told by the event's own
// words; before several there is a note.
func arrows(b *strings.Builder, id map[string]string, e *lts.Event, text string) {
	if len(e.Messages) == 1 {
		m := e.Messages[0]
		fmt.Fprintf(b, "    %s->>%s: %s\n", id[m.From], id[m.To], escape(text))
		return
	}
	fmt.Fprintf(b, "    Note over %s: %s\n", id[e.Actor], escape(text))
	for _, m := range e.Messages {
		fmt.Fprintf(b, "    %s->>%s: %s\n", id[m.From], id[m.To], escape(m.Text))
	}
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
