// Targets that close a connection in good order after a certain number of messages, as servers do
// that spread their clients anew or restart: what was sent behind the close goes over the next one.
#ifndef JCK_LINK_RECYCLE_H
#define JCK_LINK_RECYCLE_H

#include "harness/link/link.h"

// Whether the target closes connections after as many messages as one had carried when it was
// closed, whatever they say. If that is not known yet, fences are sent over a new connection 'a'
// until it is closed, or has carried as many. The end of a stream of bytes may also be that of a
// server that read a message and did not answer it: then as many fences are sent again, and the
// target must close the connection although nothing more is sent.
bool jck_link_recycles(jck_link *link, size_t carried);

#endif
