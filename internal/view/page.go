package view

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"html"
	"strings"
)

var (
	//go:embed web/dist/view.js
	program string
	//go:embed web/dist/sheet.js
	sheetProgram string
	//go:embed web/dist/view.css
	style string
)

// Page returns the story as one page, which needs nothing else.
func (s *Story) Page() ([]byte, error) { return page(s.Kind+": "+s.Title, "story", program, s) }

// Page returns the sheet as one page, which needs nothing else.
func (s *Sheet) Page() ([]byte, error) { return page(s.Kind+": "+s.Title, "sheet", sheetProgram, s) }

// page makes a page of a program and what it shows, which it finds under a name.
func page(title, id, program string, what any) ([]byte, error) {
	data, err := json.Marshal(what) // it writes < as \u003c, so no tag can be in it
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	write := func(list ...string) {
		for _, text := range list {
			b.WriteString(text)
		}
	}
	program = inScript(program)
	write("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n",
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '", sum(style), "'; script-src '", sum(program), "'; img-src data:; base-uri 'none'; form-action 'none'\">\n",
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
		"<link rel=\"icon\" href=\"data:,\">\n<title>", html.EscapeString(title), "</title>\n",
		"<style>", style, "</style>\n</head>\n<body>\n",
		"<noscript>This page needs JavaScript. It is all in the page; nothing is loaded from elsewhere.</noscript>\n",
		"<script type=\"application/json\" id=\"", id, "\">")
	b.Write(data)
	write("</script>\n<script>", program, "</script>\n</body>\n</html>\n")
	return b.Bytes(), nil
}

// inScript makes a program one that can stand in a page.
func inScript(text string) string { return strings.ReplaceAll(text, "</script", "<\\/script") }

// sum is how a policy names a text.
func sum(text string) string {
	h := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(h[:])
}
