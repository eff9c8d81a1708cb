// Package model is the door to checking a model in mCRL2: a [Spec] in, a [Result] out.
//
//	file ─Load─► Model ─Prepare─► Systems ─Check─► Result
//	                                     ├─Graph─► graph.Graph
//	                                     └─Follow, ShowsAgain─► whether a trace is still one
//
// A Spec says what is looked for in a model and how the model is made linear. It can
// be written down as the recipe of a trace or the header of a certificate, and read
// again. How states are searched is not its matter: the caller gives a search.
//
// The package knows nothing of commands, flags and terminals, and prints nothing.
package model
