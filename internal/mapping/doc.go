// Package mapping holds a program against a model: a file says which operations of the
// program are which actions of the model, and the two become one system.
//
//	map.yaml ─Read─► Mapping ─┐
//	check.Code ───────────────┼─Wrap─► check.Code of both
//	model.Model ──────────────┘
//
// That the model allows what the program does is package conform's matter, and how
// operations are observed that of package execute. This package puts them together.
package mapping
