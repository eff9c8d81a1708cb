package load

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
)

// Most bodies of the standard library are never executed by a program, and a trimmer takes them
// out. To parse them takes longer than all else that is parsed. So the files of packages
// that are trimmed are parsed with empty bodies, and a body is parsed
// when the trimmer keeps it.

// hollow returns a copy of a source in which the bodies of functions are blank, with all lines and
// all else where it was. It returns nil if the source is not laid out as gofmt does.
func hollow(src []byte) []byte {
	if bytes.Contains(src, []byte("\n//line ")) || bytes.Contains(src, []byte("/*line ")) {
		return nil // parts of it have other positions
	}
	out := bytes.Clone(src)
	for at := 0; at < len(src); {
		if src[at] != 'f' && !special[src[at]] {
			at++
			continue
		}
		if !bytes.HasPrefix(src[at:], []byte("func ")) || at > 0 && src[at-1] != '\n' {
			at = skip(src, at)
			continue
		}
		begin := bodyOf(src, at)
		if begin < 0 {
			return nil
		}
		if at = begin; src[at] != '{' {
			continue // it has no body
		}
		end := closing(src, begin)
		if end < 0 {
			return nil
		}
		for i := begin + 1; i < end; i++ {
			if out[i] != '\n' {
				out[i] = ' '
			}
		}
		at = end + 1
	}
	return out
}

// bodyOf returns where the body of the function begins that is declared at a place, or, if
// it has none, the end of the line. It is negative if there is neither.
func bodyOf(src []byte, at int) int {
	word := at // begin of the last word
	for at < len(src) {
		switch c := src[at]; {
		case c == '\n':
			return at
		case c == '(' || c == '[':
			if at = closing(src, at); at < 0 {
				return -1
			}
			at++
		case c == '{':
			last := string(bytes.TrimRight(src[word:at], " "))
			if last != "interface" && last != "struct" {
				return at
			}
			if at = closing(src, at); at < 0 {
				return -1
			}
			at++
			word = at
		case c == '/' && at+1 < len(src) && src[at+1] == '/':
			return at // after a function without body
		case letter(c):
			word = at
			for at < len(src) && letter(src[at]) {
				at++
			}
		case c == ' ':
			at++
		default:
			word = at
			at = skip(src, at)
		}
	}
	return -1
}

// closing returns where the bracket is that closes the one at a place, or -1.
func closing(src []byte, at int) int {
	depth := 0
	for at < len(src) {
		if !special[src[at]] {
			at++
			continue
		}
		switch src[at] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				return at
			}
		}
		at = skip(src, at)
	}
	return -1
}

// special are the characters that skip and closing look at: all others may be passed over.
var special = func() (set [256]bool) {
	for _, c := range "\"'`/()[]{}" {
		set[c] = true
	}
	return set
}()

// skip returns where the next character, string or comment begins.
func skip(src []byte, at int) int {
	switch c := src[at]; c {
	case '"', '\'':
		for at++; at < len(src) && src[at] != c && src[at] != '\n'; at++ {
			if src[at] == '\\' {
				at++
			}
		}
	case '`':
		return after(src, at+1, "`")
	case '/':
		switch {
		case bytes.HasPrefix(src[at:], []byte("//")):
			return after(src, at, "\n") - 1
		case bytes.HasPrefix(src[at:], []byte("/*")):
			return after(src, at+2, "*/")
		}
	}
	return at + 1
}

// after returns the place after the next occurrence of a text, or one after the end.
func after(src []byte, at int, text string) int {
	if i := bytes.Index(src[at:], []byte(text)); i >= 0 {
		return at + i + len(text)
	}
	return len(src) + 1
}

func letter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c >= 0x80
}

// fill returns the body of a function, which is parsed now if it is blank.
func (u *universe) fill(fn *ast.FuncDecl) (*ast.BlockStmt, error) {
	if fn.Body == nil {
		return nil, nil
	}
	file := u.fset.File(fn.Body.Lbrace)
	src := u.hollow[file]
	if src == nil {
		return fn.Body, nil
	}
	// The text is parsed as a file of another set, where it begins at the same place.
	const head = "package p;func _()"
	text := head + string(src[file.Offset(fn.Body.Lbrace):file.Offset(fn.Body.Rbrace)+1])
	set := token.NewFileSet()
	set.AddFile("", 1, int(fn.Body.Lbrace)-len(head)-2)
	f, err := parser.ParseFile(set, file.Name(), text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return f.Decls[0].(*ast.FuncDecl).Body, nil
}
