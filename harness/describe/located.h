// Values of a description with the way to them, for what refers to them by that. Private to the
// room.
#ifndef JCK_DESCRIBE_LOCATED_H
#define JCK_DESCRIBE_LOCATED_H

#include "harness/schema/reference.h"

// A value and the reference that leads to it: "#/methods/0", or that of the Reference Object that
// stands there.
typedef struct jck_located {
    jrpc_json value; // ABSENT: there is none
    const char *path;
} jck_located;

// Where a description is looked at.
typedef struct jck_looking {
    jrpc_json root;
    jrpc_arena *arena; // of paths
} jck_looking;

// The member `key`, and element `index`, with references followed; one that leads nowhere is
// ABSENT.
jck_located jck_locate(const jck_looking *looking, jck_located in, const char *key);
jck_located jck_locate_element(const jck_looking *looking, jck_located in, unsigned index);
// The description itself.
jck_located jck_locate_root(const jck_looking *looking);

#endif
