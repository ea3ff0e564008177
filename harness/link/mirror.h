// Headers of a target that repeat parts of each message.
#ifndef JCK_LINK_MIRROR_H
#define JCK_LINK_MIRROR_H

#include "reference/net/endpoint.h"

// A jrpc_mirror; the context is the jck_target. Values that no header can carry (empty, not
// printable ASCII, with a blank at either end, longer than JCK_MIRROR_MAX bytes) are left out.
bool jck_mirror_headers(const void *context, jrpc_slice message,
                        bool (*take)(void *list, const char *line), void *list);

#endif
