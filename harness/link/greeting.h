// Private to the link: the first fence on a connection, and what its answer says about the target.
#ifndef JCK_LINK_GREETING_H
#define JCK_LINK_GREETING_H

#include "harness/link/hear.h"

// One opening under way.
typedef struct jck_link_opening {
    jck_link *link;
    char connection;
    jck_connection *open;
    int64_t deadline_us;
    jrpc_error *error;
} jck_link_opening;

// Keeps what was sent or heard (`heard` is NULL then) as evidence. False without memory.
bool jck_greet_record(const jck_link_opening *now, jck_direction direction,
                      jck_role_of_message role, const jck_heard *heard, jrpc_slice bytes);
// Sends a fence in the style of the connection.
jck_link_status jck_greet_send_fence(const jck_link_opening *now);
// Finds a style of fence that the target answers; the style it answered before is tried first.
jck_link_status jck_greet_find_fence(const jck_link_opening *now);
// For a target that refuses a call of an unknown method without params with an error other than
// -32601: asks, the first time, whether it answers correctly once the call has params. If so, all
// further calls get some.
jck_link_status jck_greet_learn_params(const jck_link_opening *now);
// Gives all further calls params, because a method that takes none was seen to refuse a call
// without. Connection 'a' is the only open one. Has no effect on a target that does not answer
// calls of unknown methods.
void jck_greet_keep_params(jck_link *link);

#endif
