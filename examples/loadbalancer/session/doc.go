// Package session is the session layer of a load balancer: clients want documents
// printed, document processors print them, and neither knows the other.
//
//	client ──TCP──► Connection ─┐   requests    ┌─ Connection ◄──TCP── processor
//	client ──TCP──► Connection ─┤◄─────────────►├─ Connection ◄──TCP── processor
//	                  Interface ┘  partner links └ Interface
//
// It follows the C program of paper 001 (van Eekelen, ten Hoedt, Schreurs, Usenko,
// Analysis of a session-layer protocol in mCRL2, FMICS 2007), whose handling of
// requests is in its appendix A, and the model in folder model: the same states,
// requests and decisions have the same names.
//
// An Interface is a goroutine that serves the connections of one kind. It waits for
// one of its sockets or for a request from the other interface. From then until it
// waits again it holds PartnerLock, which guards states, partner links and requests.
//
// An issue of paper 001, section 4.2, is in the code if New is told its number.
// What the properties of section 2.1 demand is in properties.go; that there is no
// deadlock needs no words.
package session
