// What gives the servers of a profile away where nobody has named the profile: the member
// `recognise` of a profile's file. It changes no run; it lets jrpcheck say which profile to name.
#ifndef JCK_SUITE_RECOGNISE_H
#define JCK_SUITE_RECOGNISE_H

#include "harness/suite/suite.h"
#include "reference/wire/framing.h"

// One thing that only such a server says. Whatever is stated must hold of one message.
typedef struct jck_sign {
    jrpc_json message; // a pattern: the members that it names; ABSENT: any message
    jrpc_slice says;   // text that the message has; empty: any
    int64_t status;    // of HTTP; 0: any
} jck_sign;

// What a target says that makes a run pointless, and what that means: "it refuses the revision …".
typedef struct jck_denial {
    jck_sign sign;
    jrpc_slice means;
} jck_denial;

typedef struct jck_recognition {
    jrpc_slice profile;
    jrpc_slice as;         // "an MCP server"
    bool framing_given;    // the questions are asked in this framing only …
    jrpc_framing framing;  // … for which a target that is silent in another one is tried again
    const jck_sign *signs; // looked for in what the target writes while it is opened
    size_t sign_count;
    const jck_step *asks; // calls, each with the Response that gives the server away
    size_t ask_count;
} jck_recognition;

// The recognitions of all profiles under DIRECTORY/profiles, by name. Files that are wrong are
// passed over: `lint` reports them. NULL with *ret_count 0 when there are none, or without memory.
// Lives as long as the suite.
const jck_recognition *jck_recognitions_load(jck_suite *suite, const char *directory,
                                             size_t *ret_count);

#endif
