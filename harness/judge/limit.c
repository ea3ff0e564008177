#include "harness/judge/limit.h"

#include "harness/judge/response.h"
#include "reference/json/equal.h"

// A longer message may be refused unread, and so may a batch with more elements: a server may set
// limits, and choose the error for them.
#define LIMIT_BYTES ((size_t)4 << 10)
#define LIMIT_ELEMENTS 8
// The same for deeper nesting (RFC 8259, section 9: "An implementation may set limits on the
// maximum depth of nesting.").
#define LIMIT_DEPTH 16

// Whether a text has brackets nested so deep.
static bool is_deep(jrpc_slice text)
{
    size_t depth = 0;
    bool in_string = false;
    for (size_t i = 0; i < text.len && depth <= LIMIT_DEPTH; i++) {
        char c = text.ptr[i];
        if (in_string && c == '\\') {
            i++;
        } else if (c == '"') {
            in_string = !in_string;
        } else if (!in_string && (c == '[' || c == '{')) {
            depth++;
        } else if (!in_string && (c == ']' || c == '}')) {
            depth -= depth > 0;
        }
    }
    return depth > LIMIT_DEPTH;
}

bool jck_is_refused_for_limit(jck_trial *trial, const jck_answers *answers)
{
    size_t elements =
        answers->owed.input == JRPC_INPUT_BATCH ? jrpc_json_count(answers->owed.batch) : 0;
    if (answers->count != 1 || (answers->sent.len < LIMIT_BYTES && elements <= LIMIT_ELEMENTS &&
                                !is_deep(answers->sent))) {
        return false;
    }
    jrpc_json id = jrpc_json_get(answers->replies[0], "id");
    int64_t code = jck_code_of(answers->replies[0]);
    bool own = answers->owed.id_sent && jrpc_json_equal(id, answers->owed.id);
    bool defined_by_server =
        code != 0 && (code > JRPC_SERVER_ERROR_LAST || code < JRPC_RESERVED_FIRST ||
                      (code >= JRPC_SERVER_ERROR_FIRST && code <= JRPC_SERVER_ERROR_LAST));
    if (!defined_by_server || (!jrpc_json_is(id, JRPC_JSON_NULL) && !own)) {
        return false;
    }
    jck_observe(trial->findings, JRPC_SLICE("long-message"), JRPC_SLICE("refused"));
    return true;
}
