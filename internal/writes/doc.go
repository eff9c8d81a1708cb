// Package writes tells where the writes of other processes begin in the streams of
// their TCP connections. Bytes on a connection have no borders once they have
// arrived: the kernel glues them together as they come. But a reader may find any
// number of writes at once, so who wants to know what readers may find has to know
// the writes.
//
// Package intercept stops each write at the border of the kernel. A [Watcher] then finds out to which
// socket it goes, and how much was written to that before.
//
// That is before the first of its bytes is sent. So whoever has received a byte
// can ask where the writes up to it began.
//
// Limits: calls by io_uring and sendmmsg are not seen. Of two threads that write to one connection at
// the same time one border may be missed.
package writes
