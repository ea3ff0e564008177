// Targets that close a connection in good order after a certain number of messages. Servers do so
// before a restart, or to balance their load. What they no longer read is sent over a new one.
#ifndef JCK_LINK_RECYCLE_H
#define JCK_LINK_RECYCLE_H

#include "harness/link/link.h"

// Whether the target closes each connection after a number of messages, whatever they say, and one
// that had carried `carried` messages was therefore closed. To find out, fences are sent over a new
// connection 'a' until it is closed, or has carried as many.
// A stream of bytes also ends when a server reads a message and closes instead of answering. So
// there, the fences that were answered are sent again, and nothing after them: the target must
// still close the connection.
bool jck_link_recycles(jck_link *link, size_t carried);

#endif
