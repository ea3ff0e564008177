// A case: what is sent, what is expected, which rules that proves. Data only, loaded from a file.
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
    // What the "#" of each unit is replaced with: its number, in these digits; none: it stays.
    const jrpc_slice *digits;
    size_t digit_count;
    bool raw;    // goes out without framing
    bool tokens; // a variable in text stands for a whole JSON token: a String keeps its quotes
    const size_t *chunks;
    size_t chunk_count;
} jck_payload;

typedef enum jck_step_kind {
    JCK_STEP_SEND,    // payload, then expect (may be UNSTATED)
    JCK_STEP_RECEIVE, // wait for messages: patterns
    JCK_STEP_REPLY,   // answer the last request that the server sent: `reply` are the members
    JCK_STEP_FENCE,
    JCK_STEP_CLOSE, // close our writing side, or the connection
    // Of cases that test a client:
    JCK_STEP_DO,      // its driver gets a command
    JCK_STEP_HEAR,    // wait until what the driver was asked for comes over the wire
    JCK_STEP_ANSWER,  // the payload goes to the client
    JCK_STEP_OUTCOME, // what the driver reports: `expect`
    JCK_STEP_LEAVE,   // our end of the client's connection is closed
    JCK_STEP_SERVE,   // it runs by itself from its start to its end, and its calls get `replies`
} jck_step_kind;

// What is to be the same as in the first step, where a client runs by itself more than once.
typedef enum jck_sameness {
    JCK_SAME_NOTHING,
    JCK_SAME_ENDING,     // that it comes to an end
    JCK_SAME_AT_LEAST,   // the same as everything; it may send and print more
    JCK_SAME_EVERYTHING, // what it sends, what it prints, and how it ends
} jck_sameness;

// What a client's driver can be told to do.
typedef enum jck_deed {
    JCK_DEED_CONNECT,
    JCK_DEED_CALL,
    JCK_DEED_NOTIFY,
    JCK_DEED_BATCH,
    JCK_DEED_PING,
    JCK_DEED_CLOSE,
} jck_deed;
#define JCK_DEED_COUNT (JCK_DEED_CLOSE + 1)

// The variables in what SERVE answers: the id of the call, and a result that suits it.
#define JCK_SERVED_ID "call"
#define JCK_SERVED_RESULT "result"

const char *jck_deed_word(jck_deed deed); // "connect", … as the driver is told

// One Request that a driver is asked to make.
typedef struct jck_request {
    jrpc_slice name; // within the case: what `hear` and `outcome` call it, and its id's variable
    bool notify;
    jrpc_json method; // a String
    jrpc_json params; // ABSENT: none
    // RO-JRPC: an Object with the routing members, of which the client is to make the method that
    // `method` says. ABSENT: the driver is given the method.
    jrpc_json routing;
} jck_request;

// The members of a Request of RO-JRPC that a driver is given; NULL-terminated.
const char *const *jck_routing_members(void);

typedef struct jck_driver_command {
    jck_deed deed;
    jrpc_slice name;             // of the command: what `outcome` calls it
    const jck_request *requests; // CALL and NOTIFY: one; BATCH: its elements, in order
    size_t request_count;
} jck_driver_command;

typedef struct jck_capture {
    jrpc_slice name;
    jrpc_slice from; // a JSON Pointer into the Response, or "header:Name"
} jck_capture;

typedef struct jck_step {
    jck_step_kind kind;
    char connection;     // 'a' unless "on" says otherwise
    jck_payload payload; // SEND, ANSWER; OUTCOME, if it has JSON: sent again and again meanwhile
    jck_expect expect;
    const jck_capture *captures;
    size_t capture_count;
    jrpc_json patterns; // RECEIVE: an Array of message patterns with "$times", "$rule"
    bool exact_order;
    jck_credential credential;   // SEND: the one that goes out instead of the target's own
    bool shakes_with_credential; // … in the handshake of a connection that is opened for the step
    jrpc_manner manner;          // SEND: "http" and "websocket" of the step
    bool in_query;               // SEND: the message goes into the query of a GET
    jrpc_json http_answers;      // SEND: what the HTTP answer may be like: an Array, ABSENT without
    jrpc_slice within;           // RECEIVE: the name of a limit of the target, "reply" by default
    jrpc_json reply;
    jck_driver_command command; // DO
    const jrpc_slice *names;    // HEAR: the Requests; ANSWER: the one to whose connection it goes;
                                // OUTCOME: the command
    size_t name_count;
    bool maybe; // HEAR: the client may do without them
    bool held;  // ANSWER: goes out in one piece with the next one
    // ANSWER, framed by headers: the lines of its header part, with {length} in the place of the
    // payload's; NULL-terminated. NULL: as the framing has it.
    const char *const *head;
    bool event; // OUTCOME: not of a command; something that the server sent of its own
    bool half;  // LEAVE, CLOSE: we only stop sending
    // SERVE: what each call gets, steps of the kinds ANSWER and LEAVE.
    const struct jck_step *replies;
    size_t reply_count;
    bool reversed; // replies wait until the client says no more, and go out in reverse order
    bool again;    // run only to see whether what differed would differ anyway
    jck_sameness same;
} jck_step;

// Which side a case tests.
typedef enum jck_side {
    JCK_SIDE_SERVER,
    JCK_SIDE_CLIENT,
    JCK_SIDE_PARSER, // of JSON, behind an adapter (harness/parser)
} jck_side;

const char *jck_side_name(jck_side side); // "server", … as case files and event streams say it

typedef struct jck_case {
    jrpc_slice id;
    jck_side side;
    jrpc_slice title;
    jrpc_slice why;
    jrpc_slice suite;
    jrpc_slice section;
    const jrpc_slice *rules;
    size_t rule_count;  // at least one; the first is decisive
    jck_role_set roles; // the roles that its rules play
    bool departs;       // its decisive rule does, from JSON-RPC 2.0
    const jrpc_slice *catches;
    size_t catch_count;
    jrpc_slice found; // on which target, and how: what shows that the case can fail, or empty
    const jrpc_slice *needs;
    size_t need_count;
    const jrpc_slice *aliases;
    size_t alias_count;
    jrpc_json level_of; // Object: rule id → level letter, for rules whose level depends on the case
    jrpc_json requests; // Object: method of the server's own requests → Array of the answers that
                        // they get in turn, each {"result": …} or {"error": …}; or ABSENT
    bool hazard;        // run after all others
    bool undriven;      // of a client that runs by itself, without a driver: its steps SERVE
    bool bare;          // on a connection of its own that begins with its first step: no prelude
    jck_span span;      // the revisions of the specification that it is for
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
// Whether a pattern of a RECEIVE step is that of a Response: it says something of the id, and not
// that there is none.
bool jck_pattern_is_of_response(jrpc_json pattern);
// Whether a step of the case is RECEIVE; and whether all that are wait for nothing but Responses,
// within the time of an answer.
bool jck_case_receives(const jck_case *test_case);
bool jck_case_receives_responses(const jck_case *test_case);
// Whether the case lists the rule among its own.
bool jck_case_names(const jck_case *test_case, jrpc_slice rule);
// Whether one of its rules plays the role.
bool jck_case_names_role(const jck_case *test_case, jck_role role);
// The level of a rule in this case: that of the profile if it sets one, else level_of if it says
// so, else the rule's own.
jck_level jck_case_level(const jck_case *test_case, const jck_rule *rule);

struct jck_suite;
// Reads one case from the text of its Object, of a suite that need not have it. Text and arena must
// outlive what is returned. False with SYNTAX, INVALID or MEMORY: what is wrong first.
bool jck_case_read(const struct jck_suite *suite, jrpc_slice text, jrpc_slice folder,
                   jrpc_arena *arena, jck_case *ret_case, jrpc_error *error);

#endif
