// A case: what is sent, what is expected, which rules that proves. Data only, loaded from a file.
#ifndef JCK_SUITE_CASE_H
#define JCK_SUITE_CASE_H

#include "harness/suite/expect.h"
#include "harness/suite/role.h"
#include "reference/base/buffer.h"
#include "reference/base/error.h"
#include "reference/json/value.h"
#include "reference/net/manner.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum jck_payload_kind {
    JCK_PAYLOAD_JSON,   // `json`, token by token as spelled
    JCK_PAYLOAD_TEXT,   // `text`, variables replaced textually
    JCK_PAYLOAD_BYTES,  // `text`, as it is (send-hex, decoded)
    JCK_PAYLOAD_REPEAT, // prefix, `times` units, middle, `times` closes, suffix
} jck_payload_kind;

typedef struct jck_payload {
    jck_payload_kind kind;
    jrpc_json json;
    jrpc_slice text;
    jrpc_slice prefix, unit, suffix;
    jrpc_slice middle, close; // empty unless the file says so: balanced nesting needs them
    size_t times;
    bool raw; // goes out without framing
    const size_t *chunks;
    size_t chunk_count;
} jck_payload;

typedef enum jck_step_kind {
    JCK_STEP_SEND,    // payload, then expect (may be UNSTATED)
    JCK_STEP_RECEIVE, // wait for messages: patterns
    JCK_STEP_REPLY,   // answer the last request that the server sent: `reply` are the members
    JCK_STEP_FENCE,
    JCK_STEP_CLOSE, // half-close our writing side
} jck_step_kind;

typedef struct jck_capture {
    jrpc_slice name;
    jrpc_slice from; // a JSON Pointer into the Response, or "header:Name"
} jck_capture;

typedef struct jck_step {
    jck_step_kind kind;
    char connection; // 'a' unless "on" says otherwise
    jck_payload payload;
    jck_expect expect;
    const jck_capture *captures;
    size_t capture_count;
    jrpc_json patterns; // RECEIVE: an Array of message patterns with "$times", "$rule"
    bool exact_order;
    jrpc_manner manner;     // SEND: "http" and "websocket" of the step
    jrpc_json http_answers; // SEND: what the HTTP answer may be like: an Array, ABSENT without
    jrpc_slice within;      // RECEIVE: the name of a limit of the target, "reply" by default
    jrpc_json reply;
} jck_step;

typedef struct jck_case {
    jrpc_slice id;
    jrpc_slice title;
    jrpc_slice why;
    jrpc_slice suite;
    jrpc_slice section;
    const jrpc_slice *rules;
    size_t rule_count; // at least one; the first is decisive
    uint64_t roles;    // the roles that its rules play, a bit each
    const jrpc_slice *catches;
    size_t catch_count;
    jrpc_slice found; // on which target, and how: what shows that the case can fail, or empty
    const jrpc_slice *needs;
    size_t need_count;
    const jrpc_slice *aliases;
    size_t alias_count;
    jrpc_json level_of; // Object: rule id → level letter, for rules whose level depends on the case
    bool hazard;        // run after all others
    const jck_step *steps;
    size_t step_count;
    const char *file;
    size_t line;
} jck_case;

// Gives the JSON spelling that replaces the token "${name}". False if there is no such variable.
typedef bool (*jck_resolve)(void *context, jrpc_slice name, jrpc_slice *ret_spelling);

// Appends the bytes that a payload puts on the wire (before framing). False with INVALID (an
// unknown variable, named) or LIMIT (the buffer's maximum).
bool jck_payload_expand(const jck_payload *payload, jck_resolve resolve, void *context,
                        jrpc_buffer *out, jrpc_error *error);
// If `string` is a String token that is exactly one variable, "${name}", gives the name.
bool jck_is_variable(jrpc_json string, jrpc_slice *ret_name);
// Whether any payload of the case mentions the variable; `name` as in "absent".
bool jck_case_mentions(const jck_case *test_case, const char *name);
// Whether the case lists the rule among its own.
bool jck_case_names(const jck_case *test_case, jrpc_slice rule);
// Whether one of its rules plays the role.
bool jck_case_names_role(const jck_case *test_case, jck_role role);
// The level of a rule in this case: that of the profile if it sets one, else level_of if it says
// so, else the rule's own.
jck_level jck_case_level(const jck_case *test_case, const jck_rule *rule);

#endif
