package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A sarifChecker checks the structure that SARIF 2.1.0 requires of the objects
// that we use: required members, types, and values from fixed sets.
type sarifChecker struct {
	t     *testing.T
	rules []any
}

func (c *sarifChecker) object(v any, path string, required ...string) map[string]any {
	m, ok := v.(map[string]any)
	if !ok {
		c.t.Fatalf("%s: got %T, want an object", path, v)
	}
	for _, name := range required {
		if _, ok := m[name]; !ok {
			c.t.Errorf("%s: no member %s", path, name)
		}
	}
	return m
}

func (c *sarifChecker) list(m map[string]any, name, path string, least int, each func(v any, path string)) []any {
	v, ok := m[name]
	if !ok {
		return nil
	}
	l, ok := v.([]any)
	if !ok || len(l) < least {
		c.t.Fatalf("%s.%s: got %v, want a list of at least %d", path, name, v, least)
	}
	for i, e := range l {
		each(e, fmt.Sprintf("%s.%s[%d]", path, name, i))
	}
	return l
}

func (c *sarifChecker) oneOf(m map[string]any, name, path string, values ...string) {
	if s, ok := m[name].(string); !ok || !slices.Contains(values, s) {
		c.t.Errorf("%s.%s: got %v, want one of %v", path, name, m[name], values)
	}
}

func (c *sarifChecker) atLeast(m map[string]any, name, path string, least float64) {
	if v, ok := m[name]; ok && (v.(float64) < least || v.(float64) != float64(int64(v.(float64)))) {
		c.t.Errorf("%s.%s: got %v, want an integer of at least %v", path, name, v, least)
	}
}

func (c *sarifChecker) message(v any, path string) {
	text := c.object(v, path, "text")["text"].(string)
	if text == "" {
		c.t.Errorf("%s: an empty message", path)
	}
	if single := strings.NewReplacer("{{", "", "}}", "").Replace(text); strings.ContainsAny(single, "{}") || strings.Contains(text, "](") {
		c.t.Errorf("%s: %q has places for arguments, or a link", path, text)
	}
}

func (c *sarifChecker) log(v any) {
	m := c.object(v, "log", "version", "runs")
	c.oneOf(m, "version", "log", "2.1.0")
	c.list(m, "runs", "log", 1, c.run)
}

func (c *sarifChecker) run(v any, path string) {
	m := c.object(v, path, "tool", "results")
	driver := c.object(c.object(m["tool"], path+".tool", "driver")["driver"], path+".driver", "name")
	c.rules = c.list(driver, "rules", path+".driver", 0, func(v any, path string) {
		c.message(c.object(v, path, "id", "shortDescription")["shortDescription"], path)
	})
	c.oneOf(m, "columnKind", path, "utf16CodeUnits", "unicodeCodePoints")
	c.list(m, "invocations", path, 1, func(v any, path string) {
		m := c.object(v, path, "executionSuccessful")
		c.list(m, "toolExecutionNotifications", path, 1, func(v any, path string) {
			n := c.object(v, path, "message")
			c.message(n["message"], path)
			c.oneOf(n, "level", path, "none", "note", "warning", "error")
		})
	})
	bases := c.object(m["originalUriBaseIds"], path+".originalUriBaseIds")
	c.list(m, "results", path, 0, func(v any, path string) { c.result(v, path, bases) })
}

func (c *sarifChecker) result(v any, path string, bases map[string]any) {
	m := c.object(v, path, "message", "ruleId", "ruleIndex")
	c.message(m["message"], path)
	c.oneOf(m, "level", path, "none", "note", "warning", "error")
	rule := c.rules[int(m["ruleIndex"].(float64))].(map[string]any)
	if rule["id"] != m["ruleId"] {
		c.t.Errorf("%s: rule %v is %v", path, m["ruleIndex"], rule["id"])
	}
	c.list(m, "locations", path, 0, func(v any, path string) { c.location(v, path, bases) })
	c.list(m, "codeFlows", path, 1, func(v any, path string) {
		m := c.object(v, path, "threadFlows")
		ids := map[any]bool{}
		c.list(m, "threadFlows", path, 1, func(v any, path string) {
			m := c.object(v, path, "locations", "id")
			if ids[m["id"]] {
				c.t.Errorf("%s: a second threadFlow of %v", path, m["id"])
			}
			ids[m["id"]] = true
			order := -1.0
			c.list(m, "locations", path, 1, func(v any, path string) {
				m := c.object(v, path, "location", "executionOrder")
				c.location(m["location"], path, bases)
				c.oneOf(m, "importance", path, "important", "essential", "unimportant")
				if n := m["executionOrder"].(float64); n <= order {
					c.t.Errorf("%s: order %v after %v", path, n, order)
				} else {
					order = n
				}
				if s, ok := m["state"]; ok {
					for name, value := range c.object(s, path+".state") {
						c.message(value, path+".state."+name)
					}
				}
			})
		})
	})
}

func (c *sarifChecker) location(v any, path string, bases map[string]any) {
	m := c.object(v, path)
	p, ok := m["physicalLocation"]
	if message, has := m["message"]; has || !ok {
		c.message(message, path)
	}
	if !ok {
		return
	}
	physical := c.object(p, path, "artifactLocation")
	a := c.object(physical["artifactLocation"], path, "uri")
	uri := a["uri"].(string)
	if base, ok := a["uriBaseId"]; ok {
		if bases[base.(string)] == nil {
			c.t.Errorf("%s: no base %v", path, base)
		}
		if strings.HasPrefix(uri, "/") || strings.Contains(uri, "..") || strings.ContainsAny(uri, " \\") {
			c.t.Errorf("%s: %q is not a relative address", path, uri)
		}
	} else if !strings.HasPrefix(uri, "file:///") {
		c.t.Errorf("%s: %q is neither absolute nor relative to a base", path, uri)
	}
	if r, ok := physical["region"]; ok {
		region := c.object(r, path, "startLine")
		c.atLeast(region, "startLine", path, 1)
		c.atLeast(region, "startColumn", path, 1)
	}
}

func TestSARIF(t *testing.T) {
	for _, run := range []*Run{sample(), {}} {
		c := &sarifChecker{t: t}
		c.log(decode(t, printed(t, run, SARIF, nil)))
	}
}

func TestArtifact(t *testing.T) {
	for _, test := range []struct{ file, root, uri, base string }{
		{"a/b.go", "/src", "a/b.go", sarifRoot},
		{"./a/../b.go", "/src", "b.go", sarifRoot},
		{"/src/a b.go", "/src", "a%20b.go", sarifRoot},
		{"/src/a:b.go", "/src", "./a:b.go", sarifRoot},
		{"/srcs/b.go", "/src", "file:///srcs/b.go", ""},
		{"../b.go", "/src/x", "file:///src/b.go", ""},
		{"../x/b.go", "/src/x", "b.go", sarifRoot},
		{"/src/..b.go", "/src", "..b.go", sarifRoot},
		{"/src/b.go", "", "file:///src/b.go", ""},
		{"../b.go", "", "../b.go", sarifRoot},
	} {
		got := artifact(test.file, test.root)
		if got.URI != test.uri || got.BaseID != test.base {
			t.Errorf("%s below %s: got %q of base %q, want %q of base %q", test.file, test.root, got.URI, got.BaseID, test.uri, test.base)
		}
	}
}

// Alerts keep their identity when lines above them change, and differ by kind,
// file and message.
func TestFingerprint(t *testing.T) {
	f := deadlocked().Findings[0]
	moved, other, renamed := f, f, f
	moved.Pos.Line++
	other.Message += "!"
	renamed.Pos.File = "/src/x.go"
	if a, b := fingerprint(&f, "/src"), fingerprint(&moved, "/src"); a != b {
		t.Errorf("moved: got %s, want %s", b, a)
	}
	for _, g := range []Finding{other, renamed} {
		if a, b := fingerprint(&f, "/src"), fingerprint(&g, "/src"); a == b {
			t.Errorf("%s in %s: the same fingerprint %s", g.Message, g.Pos.File, a)
		}
	}
}
