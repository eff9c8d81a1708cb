// Package syntax reads the text of an mCRL2 specification into a tree and
// prints trees as text.
//
//	text ─lex─► tokens ─parse─► tree ─Print─► text
//
// It knows the grammar and nothing else: whether a name is declared, what sort
// an expression has and whether a name in a process is an action or a process
// is for package types to find out. Parentheses are not kept; the printer puts
// them where the tree needs them.
//
// Where the grammar of the mCRL2 toolset needs unbounded lookahead the parser
// looks at brackets: what stands before -> in a process is a condition, and <>
// belongs to the nearest -> that has none.
//
// Trees are at most [MaxDepth] nodes deep, so that who walks them need not care
// for the stack.
package syntax
