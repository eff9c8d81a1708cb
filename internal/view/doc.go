// Package view makes a page of a trace, on which one can look at it in a browser.
//
//	trace.json ──► Story ──► page ──► a file, or a server on this machine
//	     ▲
//	     └ execute.Inspector: variables and who waits for whom, step by step, if the program is there
//
// The page is one file: data, style and program are in it, and a policy in its head lets it ask nobody for anything. Its program is
// written in TypeScript (web/src) and bundled by esbuild; web/dist has the result, so that users need Go alone.
package view
