// The catalogue of rules: every testable statement of every specification in scope.
//
// The judge knows rules by their role ("response-owed"), never by id. The catalogue says which rule
// plays which role, so another specification can fill the same roles with sentences of its own.
#ifndef JCK_SUITE_RULE_H
#define JCK_SUITE_RULE_H

#include "harness/suite/span.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How strongly a sentence binds the server: "M", "S", "O" in files, MUST, SHOULD, OBSERVE in
// events.
typedef enum jck_level {
    JCK_LEVEL_OBSERVE,
    JCK_LEVEL_SHOULD,
    JCK_LEVEL_MUST,
} jck_level;

const char *jck_level_name(jck_level level); // "MUST", …

typedef enum jck_role {
    // Every Response.
    JCK_ROLE_RESPONSE_OWED,
    JCK_ROLE_RESPONSE_VERSION,
    JCK_ROLE_RESPONSE_ID,
    JCK_ROLE_SUCCESS_RESULT,
    JCK_ROLE_NO_RESULT_BESIDE_ERROR,
    JCK_ROLE_NO_ERROR_BESIDE_RESULT,
    JCK_ROLE_RESULT_OR_ERROR,
    JCK_ROLE_ERROR_OBJECT,
    JCK_ROLE_ERROR_CODE,
    JCK_ROLE_ERROR_MESSAGE,
    JCK_ROLE_MESSAGE_CONCISE,
    JCK_ROLE_RESERVED_CODES,
    JCK_ROLE_STRICT_JSON,
    JCK_ROLE_UNKNOWN_MEMBERS,
    JCK_ROLE_SAME_ID,
    JCK_ROLE_ID_IN_DOUBLES,
    JCK_ROLE_ID_TYPES,
    JCK_ROLE_UNKNOWN_ID_NULL,
    // Which error it is.
    JCK_ROLE_PARSE_ERROR,
    JCK_ROLE_INVALID_REQUEST,
    JCK_ROLE_METHOD_NOT_FOUND,
    JCK_ROLE_INVALID_PARAMS,
    JCK_ROLE_INTERNAL_ERROR,
    JCK_ROLE_DATA_AS_GIVEN,
    JCK_ROLE_CODE_AS_GIVEN,
    // Params.
    JCK_ROLE_PARAMS_BY_POSITION,
    JCK_ROLE_PARAMS_BY_NAME,
    JCK_ROLE_PARAMS_OMITTED,
    // Notifications.
    JCK_ROLE_NOTIFICATION_SILENT,
    JCK_ROLE_NOTIFICATION_SILENT_IN_BATCH,
    JCK_ROLE_FAILING_NOTIFICATION_SILENT,
    JCK_ROLE_NOTIFICATION_EFFECT,
    JCK_ROLE_REJECTED_UNDONE,
    // Batches.
    JCK_ROLE_BATCH_ARRAY,
    JCK_ROLE_BATCH_EACH_CALL,
    JCK_ROLE_BATCH_EMPTY,
    JCK_ROLE_BATCH_PARSE_ERROR,
    JCK_ROLE_BATCH_OF_NOTIFICATIONS,
    JCK_ROLE_BATCH_INVALID_ELEMENTS,
    JCK_ROLE_BATCH_OF_ONE,
    JCK_ROLE_BATCH_NESTED,
    JCK_ROLE_BATCH_INDEPENDENT,
    JCK_ROLE_PRINTED_EXCHANGES,
    // Names of methods.
    JCK_ROLE_RESERVED_NAMES,
    JCK_ROLE_REGISTERED_ALONE,
    // Calls that are to be answered alike.
    JCK_ROLE_ORDER_AND_SPACE,
    JCK_ROLE_ESCAPED_STRINGS,
    JCK_ROLE_STATELESS,
    // Connections.
    JCK_ROLE_OWN_CONNECTION,
    JCK_ROLE_ID_USED_AGAIN,
    // What the server originates.
    JCK_ROLE_ORIGINATED_MESSAGES,
    // The server itself.
    JCK_ROLE_SURVIVES_MALFORMED,
    JCK_ROLE_SURVIVES_VALID,
    JCK_ROLE_BOUNDED_TIME,
    JCK_ROLE_NO_TRACE_IN_MESSAGE,
    JCK_ROLE_NO_TRACE_IN_DATA,
    JCK_ROLE_ENCRYPTION,
    // Transports.
    JCK_ROLE_ONE_LINE,
    JCK_ROLE_WRITES,
    JCK_ROLE_MESSAGES_ONLY,
    JCK_ROLE_FRAME_HEAD,
    JCK_ROLE_FRAME_FORM,
    JCK_ROLE_FRAME_CLOSE,
    JCK_ROLE_FRAME_END,
    JCK_ROLE_PONG,
    JCK_ROLE_HANDSHAKE_ANSWER,
    JCK_ROLE_FRAME_LENGTH,
    JCK_ROLE_HTTP_EMPTY_BODY,
    JCK_ROLE_HTTP_ERROR_BODY,
    JCK_ROLE_HTTP_LENGTH,
    JCK_ROLE_HTTP_FIELDS,
    JCK_ROLE_EVENTS_END,
    JCK_ROLE_EVENT_LINES,
    JCK_ROLE_EVENTS_MARK,
    // Asynchronous results.
    JCK_ROLE_RESULT_FORM,
    JCK_ROLE_RESULT_STATUS,
    JCK_ROLE_RESULT_STATUS_OF_VERB,
    JCK_ROLE_RESULT_FINAL,
    JCK_ROLE_RESULT_REQUEST,
    JCK_ROLE_RESULT_CONNECTION,
    // What a client writes.
    JCK_ROLE_REQUEST_VERSION,
    JCK_ROLE_REQUEST_METHOD,
    JCK_ROLE_REQUEST_AS_ASKED,
    JCK_ROLE_REQUEST_PARAMS,
    JCK_ROLE_REQUEST_PARAMS_AS_ASKED,
    JCK_ROLE_REQUEST_VALUES,
    JCK_ROLE_REQUEST_ID,
    JCK_ROLE_REQUEST_ID_NULL,
    JCK_ROLE_REQUEST_ID_FRACTION,
    JCK_ROLE_REQUEST_ID_NUMBER,
    JCK_ROLE_REQUEST_ID_OF_ITS_OWN,
    JCK_ROLE_REQUEST_OWED,
    JCK_ROLE_REQUEST_MEMBERS,
    JCK_ROLE_REQUEST_JSON,
    JCK_ROLE_REQUEST_FRAMING,
    JCK_ROLE_REQUEST_BATCH_EMPTY,
    JCK_ROLE_REQUEST_BATCH,
    JCK_ROLE_REQUEST_HTTP,
    JCK_ROLE_REQUEST_HOST,
    JCK_ROLE_REQUEST_FIELDS,
    JCK_ROLE_REQUEST_REDIRECTED,
    JCK_ROLE_CLIENT_HANDSHAKE,
    JCK_ROLE_CLIENT_FRAMES,
    JCK_ROLE_CLIENT_CLOSE,
    JCK_ROLE_CLIENT_PONG,
    JCK_ROLE_CLIENT_FAILS,
    JCK_ROLE_CLIENT_UNASKED,
    JCK_ROLE_NOTIFICATION_WITHOUT_ID,
    JCK_ROLE_UNASKED_MESSAGES,
    JCK_ROLE_REQUEST_ROUTING,
    JCK_ROLE_REQUEST_ROUTING_FORM,
    JCK_ROLE_ANSWER_FORM,
    JCK_ROLE_UNASKED_ANSWERS,
    // What its caller sees.
    JCK_ROLE_CALL_ENDS,
    JCK_ROLE_RESULT_OF_ITS_OWN,
    JCK_ROLE_RESULT_AS_SENT,
    JCK_ROLE_CLIENT_SURVIVES,
    JCK_ROLE_DRIVER,
    JCK_ROLE_NONE, // no rule has this role
} jck_role;
#define JCK_ROLE_COUNT JCK_ROLE_NONE

// A set of roles, a bit each.
#define JCK_ROLE_WORDS 2
typedef struct jck_role_set {
    uint64_t words[JCK_ROLE_WORDS];
} jck_role_set;

// What a rule is about, where cases are judged by it. One rule may be about several things.
typedef enum jck_topic {
    JCK_TOPIC_FORM = 1u << 0,         // what a Response looks like
    JCK_TOPIC_CODE = 1u << 1,         // which error code is the right one
    JCK_TOPIC_TEXT = 1u << 2,         // how JSON text is read
    JCK_TOPIC_SILENCE = 1u << 3,      // that no Response comes
    JCK_TOPIC_BATCH = 1u << 4,        // the answer to a batch
    JCK_TOPIC_NOTIFICATION = 1u << 5, // notifications
    JCK_TOPIC_COMPANY = 1u << 6,      // that no answer is confused with that of another call
    JCK_TOPIC_END = 1u << 7,          // how a call ends that gets no answer
} jck_topic;

// One rule. Text is owned by the suite it was loaded into; empty slices where the file says
// nothing.
typedef struct jck_rule {
    jrpc_slice id;
    jck_level level;
    jrpc_slice specification; // "jsonrpc-2.0"
    jrpc_slice section;
    jrpc_slice title;
    jrpc_slice sentence;
    jrpc_slice source;
    jrpc_slice note;
    jck_role_set roles;          // its roles for the judge
    unsigned topics;             // what it is about, a bit each
    bool departs;                // from JSON-RPC 2.0: expect something else than it requires
    jck_span span;               // the revisions of the specification that have it
    bool lenient;                // binds the sender: accepting what it forbids is a warning
    const jrpc_slice *stands_on; // rules that it depends on: blocked while one of them is broken
    size_t stands_on_count;
    const jrpc_slice *classes; // of parser outcomes: those that break this rule (parser/class.h)
    size_t class_count;
    jrpc_slice
        ground; // the case that decides whether this rule is broken for those that depend on it
    jrpc_slice untestable; // why there is no case
    jrpc_slice client;     // why there is none: it binds clients
    jrpc_slice
        judge; // why there is none: the judge checks it on every Response, or it binds the judge
    bool profiled; // a profile has set the level: it takes precedence over the case's
    bool off; // a profile has switched the rule off: violations are not held against the target
    const char *file;
    size_t line;
} jck_rule;

// Adds one; whether it is there; adds those of another set.
void jck_role_set_add(jck_role_set *set, jck_role role);
bool jck_role_set_has(const jck_role_set *set, jck_role role);
void jck_role_set_join(jck_role_set *set, const jck_role_set *other);

const char *jck_role_name(jck_role role); // as in the catalogue: "response-owed", …
// The highest level of a violation if no rule plays the role, so that the case's own rule is named
// instead.
jck_level jck_role_level(jck_role role);
bool jck_role_from_name(jrpc_slice name, jck_role *ret_role);
bool jck_topic_from_name(jrpc_slice name, jck_topic *ret_topic);
bool jck_rule_has_role(const jck_rule *rule, jck_role role);   // accepts NULL
bool jck_rule_is_about(const jck_rule *rule, jck_topic topic); // accepts NULL

#endif
