// Package intercept has system calls of other processes told to whoever wants to know of them, before
// they are done. It needs no rights and no help of the processes, which may be of any language:
//
//	launcher                    processes                         who listens
//	Install: a filter of  ──►  a call stops at the         ──►  Serve: lets the call go on,
//	the calling thread         border of the kernel             or answers in place of the kernel
//	                                 ▲                                │
//	                                 └────────────────────────────────┘
//
// It knows no meaning of any call: others say which they want, and what becomes of them. A process can
// have only one such listener, so all who want calls share it.
//
// Limits: what io_uring does is not seen, and calls of programs for another architecture, such as those
// of 32 bits, pass.
package intercept
