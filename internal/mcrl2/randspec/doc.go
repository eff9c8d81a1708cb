// Package randspec makes small random specifications, the same for the same
// seed: structs, lists, numbers below three and functions with equations;
// sequential processes with parameters, sums and conditions; parallel ones with
// comm, allow, block, hide and rename around and between them.
//
// All of them are well typed, guarded and regular. Their values are bounded, so
// state spaces are finite, though some are large: who explores one sets a limit.
package randspec
