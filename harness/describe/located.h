// Values of a description, each with the reference that leads to it. Private to the room.
#ifndef JCK_DESCRIBE_LOCATED_H
#define JCK_DESCRIBE_LOCATED_H

#include "harness/schema/reference.h"

// A value and the reference that leads to it: "#/methods/0", or the target of the Reference Object
// there.
typedef struct jck_located {
    jrpc_json value; // ABSENT: there is none
    const char *path;
} jck_located;

// The state while a description is read.
typedef struct jck_looking {
    jrpc_json root;
    jrpc_arena *arena; // of paths
} jck_looking;

// The member `key`, or element `index`, with references followed; ABSENT if they lead nowhere.
jck_located jck_locate(const jck_looking *looking, jck_located in, const char *key);
jck_located jck_locate_element(const jck_looking *looking, jck_located in, unsigned index);
// The description itself.
jck_located jck_locate_root(const jck_looking *looking);

#endif
