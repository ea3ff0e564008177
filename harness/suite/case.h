// A case: what is sent, what is expected, which rules it tests. Data only, loaded from a file.
#ifndef JCK_SUITE_CASE_H
#define JCK_SUITE_CASE_H

#include "harness/suite/credential.h"
#include "harness/suite/expect.h"
#include "harness/suite/rule.h"
#include "reference/base/arena.h"
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
    JCK_PAYLOAD_BYTES,  // `text`, unchanged (send-hex, decoded)
    JCK_PAYLOAD_REPEAT, // prefix, `times` units, middle, `times` closes, suffix
} jck_payload_kind;

typedef struct jck_payload {
    jck_payload_kind kind;
    jrpc_json json;
    jrpc_slice text;
    jrpc_slice prefix, unit, suffix;
    jrpc_slice middle, close; // empty unless the file says so: balanced nesting needs them
    size_t times;
    // The digits of the unit's number, which replaces the "#" in each unit; none: "#" stays.
    const jrpc_slice *digits;
    size_t digit_count;
    bool raw;    // sent without framing
    bool tokens; // a variable in the text is a whole JSON token: a String keeps its quotes
    const size_t *chunks;
    size_t chunk_count;
} jck_payload;

typedef enum jck_step_kind {
    JCK_STEP_SEND,    // payload, then expect (may be UNSTATED)
    JCK_STEP_RECEIVE, // wait for messages: patterns
    JCK_STEP_REPLY,   // answer the last request that the server sent: `reply` has the members
    JCK_STEP_FENCE,
    JCK_STEP_CLOSE, // close our writing side, or the connection
    // In cases that test a client:
    JCK_STEP_DO,      // its driver gets a command
    JCK_STEP_HEAR,    // wait until what the driver was asked to send arrives
    JCK_STEP_ANSWER,  // the payload is sent to the client
    JCK_STEP_OUTCOME, // check what the driver reports: `expect`
    JCK_STEP_LEAVE,   // our end of the client's connection is closed
    JCK_STEP_SERVE,   // the client runs by itself from start to end; its calls get `replies`
} jck_step_kind;

// What must be the same as in the first step where a client that runs by itself runs again.
typedef enum jck_sameness {
    JCK_SAME_NOTHING,
    JCK_SAME_ENDING,     // that it ends
    JCK_SAME_AT_LEAST,   // like everything, but it may send and print more
    JCK_SAME_EVERYTHING, // what it sends, what it prints, and how it ends
} jck_sameness;

// What a client's driver can be commanded to do.
typedef enum jck_driver_action {
    JCK_ACTION_CONNECT,
    JCK_ACTION_CALL,
    JCK_ACTION_NOTIFY,
    JCK_ACTION_BATCH,
    JCK_ACTION_PING,
    JCK_ACTION_CLOSE,
} jck_driver_action;
#define JCK_ACTION_COUNT (JCK_ACTION_CLOSE + 1)

// The variables in the replies of SERVE: the id of the call, and a result that fits the call.
#define JCK_SERVED_ID "call"
#define JCK_SERVED_RESULT "result"

// "pipelined", … as case files say it; the word of JRPC_BYTES_USUAL is empty. False if there is
// none.
const char *jck_bytes_word(jrpc_bytes bytes);
bool jck_bytes_from_word(jrpc_slice word, jrpc_bytes *ret_bytes);
const char *jck_driver_action_name(jck_driver_action action); // "connect", … as sent to the driver

// One Request that a driver is commanded to send.
typedef struct jck_request {
    jrpc_slice name; // within the case: its name in `hear` and `outcome`, and the variable of its
                     // id
    bool notify;
    jrpc_json method; // a String
    jrpc_json params; // ABSENT: none
    // RO-JRPC: an Object with the routing members from which the client must build `method`.
    // ABSENT: the driver is given the method.
    jrpc_json routing;
} jck_request;

// The members of a Request that a driver is given under RO-JRPC; NULL-terminated.
const char *const *jck_routing_members(void);

typedef struct jck_driver_command {
    jck_driver_action action;
    jrpc_slice name;             // of the command: its name in `outcome`
    const jck_request *requests; // CALL and NOTIFY: one; BATCH: its elements, in order
    size_t request_count;
} jck_driver_command;

typedef struct jck_capture {
    jrpc_slice name;
    jrpc_slice from; // a JSON Pointer into the Response, or "header:Name"
    // Of an Array at `from`, `take` of its first element that has all values of `where` and has
    // `take`; without it, `where` is ABSENT.
    jrpc_json where; // JSON Pointers into the element and their values; {"$absent": true}: none
    jrpc_slice take; // a JSON Pointer into the element
} jck_capture;

// The place of a step in a group of steps that is repeated. Rounds after the first are left out if
// there is no time for them.
typedef struct jck_repetition {
    unsigned index; // from 0
    unsigned count; // of rounds; 0: the step is not repeated
    unsigned place; // within its round, from 0
    unsigned steps; // of a round
} jck_repetition;

typedef struct jck_step {
    jck_step_kind kind;
    jck_repetition round;
    char connection;     // 'a' unless "on" says otherwise
    jck_payload payload; // SEND, ANSWER; OUTCOME, if it has JSON: sent again and again until the
                         // report comes
    jck_expect expect;
    const jck_capture *captures;
    size_t capture_count;
    jrpc_json patterns; // RECEIVE: an Array of message patterns with "$times", "$rule"
    bool exact_order;
    jck_credential credential;    // SEND: sent instead of the target's own
    bool shakes_anew;             // … in the handshake of a connection opened for this step, or
                                  // with `handshake`
    const char *const *handshake; // SEND: lines "Name: value" in the place of the headers of that
                                  // handshake; "Name:" leaves one out; NULL: none
    jrpc_manner manner;           // SEND: "http" and "websocket" of the step
    bool in_query;                // SEND: the message is sent in the query of a GET
    jrpc_json http_answers; // SEND: what the HTTP response must look like: an Array, or ABSENT
    jrpc_slice within;      // RECEIVE: the name of one of the target's limits, "reply" by
                            // default
    jrpc_json reply;
    jck_driver_command command; // DO
    // DO: how the next connection of the client is received; NULL: as usual
    const struct jrpc_websocket_welcome *welcome;
    bool owed;               // FENCE: until the client has sent what the transport requires
    const jrpc_slice *names; // HEAR: the Requests; ANSWER: the one whose connection it uses;
                             // OUTCOME: the command
    size_t name_count;
    bool maybe; // HEAR: the client may leave them out
    bool held;  // ANSWER: sent in one piece with the next one
    // ANSWER, framed by headers: the lines of its header part, where {length} is the payload's
    // length; NULL-terminated. NULL: the framing's own header.
    const char *const *head;
    bool event; // OUTCOME: of no command: something that the server sent unasked
    bool half;  // LEAVE, CLOSE: we only stop sending
    // SERVE: what each call gets: ANSWER and LEAVE steps.
    const struct jck_step *replies;
    size_t reply_count;
    bool reversed; // replies wait until the client stops sending, and are sent in reverse order
    bool again;    // a repetition, run only to see whether the client varies anyway
    jck_sameness same;
} jck_step;

// Which side a case tests.
typedef enum jck_side {
    JCK_SIDE_SERVER,
    JCK_SIDE_CLIENT,
    JCK_SIDE_PARSER, // JSON parsers, tested through an adapter (harness/parser)
} jck_side;

const char *jck_side_name(jck_side side); // "server", … as in case files and event streams

typedef struct jck_case {
    jrpc_slice id;
    jck_side side;
    jrpc_slice title;
    jrpc_slice why;
    jrpc_slice suite;
    jrpc_slice section;
    const jrpc_slice *rules;
    size_t rule_count;  // at least one; the first one is decisive
    jck_role_set roles; // the roles that its rules play
    bool departs;       // its decisive rule departs from JSON-RPC 2.0
    const jrpc_slice *catches;
    size_t catch_count;
    jrpc_slice found; // on which target and how it was seen to fail, or empty
    const jrpc_slice *needs;
    size_t need_count;
    const jrpc_slice *aliases;
    size_t alias_count;
    jrpc_json level_of; // Object: rule id → level letter, for rules whose level depends on the case
    jrpc_json requests; // Object: method of a request that the server sends → Array of the answers
                        // it gets in turn, each {"result": …} or {"error": …}; or ABSENT
    bool hazard;   // run after all others
    bool undriven; // of a client that runs by itself, without a driver: its steps are SERVE
    bool bare;     // on a connection of its own, opened by its first step: no prelude
    jck_span span; // the revisions of the specification that it applies to
    const jck_step *steps;
    size_t step_count;
    const char *file;
    size_t line;
} jck_case;

// Returns the JSON spelling that replaces the token "${name}". False if there is no such variable.
typedef bool (*jck_resolve)(void *context, jrpc_slice name, jrpc_slice *ret_spelling);

// Appends the bytes that a payload puts on the wire (before framing). Without `resolve` there are
// no variables. False with INVALID (an unknown variable, which is named) or LIMIT (the maximum of
// the buffer).
bool jck_payload_expand(const jck_payload *payload, jck_resolve resolve, void *context,
                        jrpc_buffer *out, jrpc_error *error);
// If `string` is a String token that consists of one variable, "${name}", returns the name.
bool jck_is_variable(jrpc_json string, jrpc_slice *ret_name);
// Whether any payload of the case mentions the variable; `name` as in "absent".
bool jck_case_mentions(const jck_case *test_case, const char *name);
// Whether a pattern of a RECEIVE step is for a Response: it constrains the id, other than to be
// absent.
bool jck_pattern_is_of_response(jrpc_json pattern);
// Whether the case has a RECEIVE step; and whether all of them only wait for Responses, within the
// reply timeout ("reply" or "unprompted").
bool jck_case_receives(const jck_case *test_case);
bool jck_case_receives_responses(const jck_case *test_case);
// Whether the case mostly waits, even if the target is fast: for a call that takes long, for a
// pause or the end of a connection, or for an HTTP request that is sent in several parts or with a
// method that a server may leave unanswered.
bool jck_case_waits(const jck_case *test_case);
// Whether the case sends a message with the id null, alone or in a batch. Many servers take that
// for one without an id.
bool jck_case_sends_null_id(const jck_case *test_case);
// Whether a step lets the rest of the run pass ("within": "rest").
bool jck_case_sits_out(const jck_case *test_case);
// Whether a step expects a result: the target has to do what a method is for.
bool jck_case_expects_result(const jck_case *test_case);
// Whether the case lists the rule among its own.
bool jck_case_names(const jck_case *test_case, jrpc_slice rule);
// Whether one of its rules plays the role.
bool jck_case_names_role(const jck_case *test_case, jck_role role);
// The level of a rule in this case: the profile's if it sets one, else that in level_of, else the
// rule's own.
jck_level jck_case_level(const jck_case *test_case, const jck_rule *rule);

struct jck_suite;
// Reads one case from the text of its Object; `suite` need not contain it. Text and arena must
// outlive the result. False with SYNTAX, INVALID or MEMORY: the first error.
bool jck_case_read(const struct jck_suite *suite, jrpc_slice text, jrpc_slice folder,
                   jrpc_arena *arena, jck_case *ret_case, jrpc_error *error);

#endif
