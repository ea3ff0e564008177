// How to recognise the servers of a profile when nobody has named it: the member `recognise` of a
// profile's file. It does not change the run; it lets jrpcheck say which profile to name.
#ifndef JCK_SUITE_RECOGNISE_H
#define JCK_SUITE_RECOGNISE_H

#include "harness/suite/suite.h"
#include "reference/wire/framing.h"

// One thing that only such a server says. Everything stated must be true of one message.
typedef struct jck_sign {
    jrpc_json message; // a pattern: the members that it names; ABSENT: any message
    jrpc_slice says;   // text that the message contains; empty: any
    int64_t status;    // of HTTP; 0: any
} jck_sign;

// A refusal by a target that makes a run pointless, and what it means: "it refuses the revision …".
typedef struct jck_denial {
    jck_sign sign;
    jrpc_slice means;
} jck_denial;

typedef struct jck_recognition {
    jrpc_slice profile;
    jrpc_slice as;         // "an MCP server"
    bool framing_given;    // the questions are asked only in this framing …
    jrpc_framing framing;  // … in which a target that is silent in another one is tried again
    const jck_sign *signs; // looked for in what the target writes while its connection is opened
    size_t sign_count;
    const jck_step *asks; // calls, each with the Response that identifies the server
    size_t ask_count;
} jck_recognition;

// The recognitions of all profiles under DIRECTORY/profiles, by name. Invalid files are skipped:
// `lint` reports them. NULL with *ret_count 0 if there are none or if out of memory. Lives as long
// as the suite.
const jck_recognition *jck_recognitions_load(jck_suite *suite, const char *directory,
                                             size_t *ret_count);

#endif
