// Package reduce is about searching less than everything without missing anything.
//
// So far it has settle.go: a search makes guesses about the program, finds out which of
// them are wrong, and is done again until none is. The package knows neither programs nor
// machines, and not what a guess is about.
package reduce
