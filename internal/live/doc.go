// Package live looks for ways in which a system goes on for ever and gets nowhere: livelocks, and promises that
// are never kept.
//
//	explore ──State, Step──► Recorder ──► graph ──► fair parts ──► Lasso: stem and loop
//
// While a search runs, a [Recorder] keeps the graph. When it is over, [Recorder.Loops] looks for the parts of the graph in
// which the system can stay for ever. A part is a set of states and of steps between them, such that
//
//   - each of its states can be reached from each by its steps;
//   - if a step of an actor belongs to it, all outcomes that the same operation may have there do, too: a choice that comes
//     again and again has each of its outcomes some time. Choices that the program has asked for are another matter where a
//     promise is looked at: nothing is known of who chooses;
//   - it is fair: an actor that is able to move in some of its states moves in it, too.
//
// The parts that are looked at are as large as they can be. Which states and steps may belong to one depends on what is looked for:
// states in which a promise is owed, or steps that are no progress. A part without progress is a livelock only if everybody who moves in it
// does so in vain: see threads.idle.
//
// Actors have numbers that belong to the state, so a step tells who is who behind it, and fairness is about threads: the way of
// one actor through the states. Where two actors are alike and have changed places the state is the same, and the threads cross.
//
// The package knows the contract of package lts and nothing of what is checked or how it is searched.
package live
