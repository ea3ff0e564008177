#include "harness/suite/rule.h"

#include "harness/suite/case.h"
#include "harness/suite/load.h"

const char *jck_level_name(jck_level level)
{
    switch (level) {
    case JCK_LEVEL_OBSERVE:
        return "OBSERVE";
    case JCK_LEVEL_SHOULD:
        return "SHOULD";
    case JCK_LEVEL_MUST:
        return "MUST";
    }
    return "OBSERVE";
}

bool jck_level_from_letter(jrpc_json value, jck_level *ret_level)
{
    static const struct {
        const char *letter;
        jck_level level;
    } letters[] = {{"M", JCK_LEVEL_MUST}, {"S", JCK_LEVEL_SHOULD}, {"O", JCK_LEVEL_OBSERVE}};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (jrpc_json_string_is(value, jrpc_slice_str(letters[i].letter))) {
            *ret_level = letters[i].level;
            return true;
        }
    }
    return false;
}

jck_level jck_case_level(const jck_case *test_case, const jck_rule *rule)
{
    jck_level level = rule->level;
    if (!rule->profiled) {
        (void)jck_level_from_letter(jrpc_json_member(test_case->level_of, rule->id), &level);
    }
    return level;
}

bool jck_case_names_role(const jck_case *test_case, jck_role role)
{
    return jck_role_set_has(&test_case->roles, role);
}

bool jck_case_names(const jck_case *test_case, jrpc_slice rule)
{
    for (size_t i = 0; i < test_case->rule_count; i++) {
        if (jrpc_slice_equal(test_case->rules[i], rule)) {
            return true;
        }
    }
    return false;
}

static const struct {
    const char *name;
    jck_level level;
} roles[JCK_ROLE_COUNT] = {
    [JCK_ROLE_RESPONSE_OWED] = {"response-owed", JCK_LEVEL_MUST},
    [JCK_ROLE_RESPONSE_VERSION] = {"response-version", JCK_LEVEL_MUST},
    [JCK_ROLE_RESPONSE_ID] = {"response-id", JCK_LEVEL_MUST},
    [JCK_ROLE_SUCCESS_RESULT] = {"success-result", JCK_LEVEL_MUST},
    [JCK_ROLE_NO_RESULT_BESIDE_ERROR] = {"no-result-beside-error", JCK_LEVEL_MUST},
    [JCK_ROLE_NO_ERROR_BESIDE_RESULT] = {"no-error-beside-result", JCK_LEVEL_MUST},
    [JCK_ROLE_RESULT_OR_ERROR] = {"result-or-error", JCK_LEVEL_MUST},
    [JCK_ROLE_ERROR_OBJECT] = {"error-object", JCK_LEVEL_MUST},
    [JCK_ROLE_ERROR_CODE] = {"error-code", JCK_LEVEL_MUST},
    [JCK_ROLE_ERROR_MESSAGE] = {"error-message", JCK_LEVEL_MUST},
    [JCK_ROLE_MESSAGE_CONCISE] = {"message-concise", JCK_LEVEL_SHOULD},
    [JCK_ROLE_RESERVED_CODES] = {"reserved-codes", JCK_LEVEL_SHOULD},
    [JCK_ROLE_STRICT_JSON] = {"strict-json", JCK_LEVEL_MUST},
    [JCK_ROLE_UNKNOWN_MEMBERS] = {"unknown-members", JCK_LEVEL_OBSERVE},
    [JCK_ROLE_SAME_ID] = {"same-id", JCK_LEVEL_MUST},
    [JCK_ROLE_ID_IN_DOUBLES] = {"id-in-doubles", JCK_LEVEL_SHOULD},
    [JCK_ROLE_ID_TYPES] = {"id-types", JCK_LEVEL_SHOULD},
    [JCK_ROLE_UNKNOWN_ID_NULL] = {"unknown-id-null", JCK_LEVEL_MUST},
    [JCK_ROLE_PARSE_ERROR] = {"parse-error", JCK_LEVEL_MUST},
    [JCK_ROLE_INVALID_REQUEST] = {"invalid-request", JCK_LEVEL_MUST},
    [JCK_ROLE_METHOD_NOT_FOUND] = {"method-not-found", JCK_LEVEL_MUST},
    [JCK_ROLE_INVALID_PARAMS] = {"invalid-params", JCK_LEVEL_MUST},
    [JCK_ROLE_INTERNAL_ERROR] = {"internal-error", JCK_LEVEL_SHOULD},
    [JCK_ROLE_DATA_AS_GIVEN] = {"data-as-given", JCK_LEVEL_SHOULD},
    [JCK_ROLE_CODE_AS_GIVEN] = {"code-as-given", JCK_LEVEL_SHOULD},
    [JCK_ROLE_PARAMS_BY_POSITION] = {"params-by-position", JCK_LEVEL_MUST},
    [JCK_ROLE_PARAMS_BY_NAME] = {"params-by-name", JCK_LEVEL_MUST},
    [JCK_ROLE_PARAMS_OMITTED] = {"params-omitted", JCK_LEVEL_MUST},
    [JCK_ROLE_NOTIFICATION_SILENT] = {"notification-silent", JCK_LEVEL_MUST},
    [JCK_ROLE_NOTIFICATION_SILENT_IN_BATCH] = {"notification-silent-in-batch", JCK_LEVEL_MUST},
    [JCK_ROLE_FAILING_NOTIFICATION_SILENT] = {"failing-notification-silent", JCK_LEVEL_MUST},
    [JCK_ROLE_NOTIFICATION_EFFECT] = {"notification-effect", JCK_LEVEL_MUST},
    [JCK_ROLE_REJECTED_UNDONE] = {"rejected-undone", JCK_LEVEL_SHOULD},
    [JCK_ROLE_BATCH_ARRAY] = {"batch-array", JCK_LEVEL_SHOULD},
    [JCK_ROLE_BATCH_EACH_CALL] = {"batch-each-call", JCK_LEVEL_SHOULD},
    [JCK_ROLE_BATCH_EMPTY] = {"batch-empty", JCK_LEVEL_MUST},
    [JCK_ROLE_BATCH_PARSE_ERROR] = {"batch-parse-error", JCK_LEVEL_MUST},
    [JCK_ROLE_BATCH_OF_NOTIFICATIONS] = {"batch-of-notifications", JCK_LEVEL_MUST},
    [JCK_ROLE_BATCH_INVALID_ELEMENTS] = {"batch-invalid-elements", JCK_LEVEL_SHOULD},
    [JCK_ROLE_BATCH_OF_ONE] = {"batch-of-one", JCK_LEVEL_SHOULD},
    [JCK_ROLE_BATCH_NESTED] = {"batch-nested", JCK_LEVEL_SHOULD},
    [JCK_ROLE_BATCH_INDEPENDENT] = {"batch-independent", JCK_LEVEL_SHOULD},
    [JCK_ROLE_PRINTED_EXCHANGES] = {"printed-exchanges", JCK_LEVEL_MUST},
    [JCK_ROLE_RESERVED_NAMES] = {"reserved-names", JCK_LEVEL_MUST},
    [JCK_ROLE_REGISTERED_ALONE] = {"registered-alone", JCK_LEVEL_MUST},
    [JCK_ROLE_ORDER_AND_SPACE] = {"order-and-space", JCK_LEVEL_MUST},
    [JCK_ROLE_ESCAPED_STRINGS] = {"escaped-strings", JCK_LEVEL_MUST},
    [JCK_ROLE_STATELESS] = {"stateless", JCK_LEVEL_SHOULD},
    [JCK_ROLE_OWN_CONNECTION] = {"own-connection", JCK_LEVEL_MUST},
    [JCK_ROLE_ID_USED_AGAIN] = {"id-used-again", JCK_LEVEL_MUST},
    [JCK_ROLE_ORIGINATED_MESSAGES] = {"originated-messages", JCK_LEVEL_MUST},
    [JCK_ROLE_SURVIVES_MALFORMED] = {"survives-malformed", JCK_LEVEL_MUST},
    [JCK_ROLE_SURVIVES_VALID] = {"survives-valid", JCK_LEVEL_MUST},
    [JCK_ROLE_BOUNDED_TIME] = {"bounded-time", JCK_LEVEL_MUST},
    [JCK_ROLE_NO_TRACE_IN_MESSAGE] = {"no-trace-in-message", JCK_LEVEL_SHOULD},
    [JCK_ROLE_NO_TRACE_IN_DATA] = {"no-trace-in-data", JCK_LEVEL_SHOULD},
    [JCK_ROLE_ENCRYPTION] = {"encryption", JCK_LEVEL_OBSERVE},
    [JCK_ROLE_ONE_LINE] = {"one-line", JCK_LEVEL_MUST},
    [JCK_ROLE_WRITES] = {"writes-are-not-messages", JCK_LEVEL_SHOULD},
    [JCK_ROLE_MESSAGES_ONLY] = {"messages-only", JCK_LEVEL_SHOULD},
    [JCK_ROLE_FRAME_HEAD] = {"frame-head", JCK_LEVEL_MUST},
    [JCK_ROLE_FRAME_FORM] = {"frame-form", JCK_LEVEL_MUST},
    [JCK_ROLE_FRAME_CLOSE] = {"frame-close", JCK_LEVEL_MUST},
    [JCK_ROLE_PONG] = {"pong", JCK_LEVEL_MUST},
    [JCK_ROLE_FRAME_END] = {"frame-end", JCK_LEVEL_MUST},
    [JCK_ROLE_HANDSHAKE_ANSWER] = {"handshake-answer", JCK_LEVEL_MUST},
    [JCK_ROLE_FRAME_LENGTH] = {"frame-length", JCK_LEVEL_OBSERVE},
    [JCK_ROLE_HTTP_EMPTY_BODY] = {"http-empty-body", JCK_LEVEL_MUST},
    [JCK_ROLE_HTTP_ERROR_BODY] = {"http-error-body", JCK_LEVEL_SHOULD},
    [JCK_ROLE_HTTP_LENGTH] = {"http-length", JCK_LEVEL_MUST},
    [JCK_ROLE_HTTP_FIELDS] = {"http-fields", JCK_LEVEL_MUST},
    [JCK_ROLE_EVENTS_END] = {"events-end", JCK_LEVEL_MUST},
    [JCK_ROLE_EVENT_LINES] = {"event-lines", JCK_LEVEL_OBSERVE},
    [JCK_ROLE_EVENTS_MARK] = {"events-mark", JCK_LEVEL_OBSERVE},
    [JCK_ROLE_RESULT_FORM] = {"result-form", JCK_LEVEL_SHOULD},
    [JCK_ROLE_RESULT_STATUS] = {"result-status", JCK_LEVEL_SHOULD},
    [JCK_ROLE_RESULT_STATUS_OF_VERB] = {"result-status-of-verb", JCK_LEVEL_OBSERVE},
    [JCK_ROLE_RESULT_FINAL] = {"result-final", JCK_LEVEL_MUST},
    [JCK_ROLE_RESULT_REQUEST] = {"result-request", JCK_LEVEL_SHOULD},
    [JCK_ROLE_RESULT_CONNECTION] = {"result-connection", JCK_LEVEL_OBSERVE},
    [JCK_ROLE_REQUEST_VERSION] = {"request-version", JCK_LEVEL_MUST},
    [JCK_ROLE_REQUEST_METHOD] = {"request-method", JCK_LEVEL_MUST},
    [JCK_ROLE_REQUEST_AS_ASKED] = {"request-as-asked", JCK_LEVEL_MUST},
    [JCK_ROLE_REQUEST_PARAMS] = {"request-params", JCK_LEVEL_MUST},
    [JCK_ROLE_REQUEST_PARAMS_AS_ASKED] = {"request-params-as-asked", JCK_LEVEL_MUST},
    [JCK_ROLE_REQUEST_VALUES] = {"request-values", JCK_LEVEL_SHOULD},
    [JCK_ROLE_REQUEST_ID] = {"request-id", JCK_LEVEL_MUST},
    [JCK_ROLE_REQUEST_ID_NULL] = {"request-id-null", JCK_LEVEL_SHOULD},
    [JCK_ROLE_REQUEST_ID_FRACTION] = {"request-id-fraction", JCK_LEVEL_SHOULD},
    [JCK_ROLE_REQUEST_ID_NUMBER] = {"request-id-number", JCK_LEVEL_OBSERVE},
    [JCK_ROLE_REQUEST_ID_OF_ITS_OWN] = {"request-id-of-its-own", JCK_LEVEL_SHOULD},
    [JCK_ROLE_REQUEST_OWED] = {"request-owed", JCK_LEVEL_SHOULD},
    [JCK_ROLE_REQUEST_MEMBERS] = {"request-members", JCK_LEVEL_OBSERVE},
    [JCK_ROLE_REQUEST_JSON] = {"request-json", JCK_LEVEL_MUST},
    [JCK_ROLE_REQUEST_FRAMING] = {"request-framing", JCK_LEVEL_SHOULD},
    [JCK_ROLE_REQUEST_BATCH_EMPTY] = {"request-batch-empty", JCK_LEVEL_SHOULD},
    [JCK_ROLE_REQUEST_BATCH] = {"request-batch", JCK_LEVEL_SHOULD},
    [JCK_ROLE_REQUEST_HTTP] = {"request-http", JCK_LEVEL_SHOULD},
    [JCK_ROLE_REQUEST_HOST] = {"request-host", JCK_LEVEL_MUST},
    [JCK_ROLE_REQUEST_FIELDS] = {"request-fields", JCK_LEVEL_MUST},
    [JCK_ROLE_REQUEST_REDIRECTED] = {"request-redirected", JCK_LEVEL_MUST},
    [JCK_ROLE_CLIENT_HANDSHAKE] = {"client-handshake", JCK_LEVEL_MUST},
    [JCK_ROLE_CLIENT_FRAMES] = {"client-frames", JCK_LEVEL_MUST},
    [JCK_ROLE_CLIENT_CLOSE] = {"client-close", JCK_LEVEL_MUST},
    [JCK_ROLE_CLIENT_PONG] = {"client-pong", JCK_LEVEL_MUST},
    [JCK_ROLE_CLIENT_FAILS] = {"client-fails", JCK_LEVEL_MUST},
    [JCK_ROLE_CLIENT_UNASKED] = {"client-unasked", JCK_LEVEL_SHOULD},
    [JCK_ROLE_NOTIFICATION_WITHOUT_ID] = {"notification-without-id", JCK_LEVEL_MUST},
    [JCK_ROLE_UNASKED_MESSAGES] = {"unasked-messages", JCK_LEVEL_SHOULD},
    [JCK_ROLE_REQUEST_ROUTING] = {"request-routing", JCK_LEVEL_MUST},
    [JCK_ROLE_REQUEST_ROUTING_FORM] = {"request-routing-form", JCK_LEVEL_MUST},
    [JCK_ROLE_ANSWER_FORM] = {"answer-form", JCK_LEVEL_MUST},
    [JCK_ROLE_UNASKED_ANSWERS] = {"unasked-answers", JCK_LEVEL_SHOULD},
    [JCK_ROLE_CALL_ENDS] = {"call-ends", JCK_LEVEL_SHOULD},
    [JCK_ROLE_RESULT_OF_ITS_OWN] = {"result-of-its-own", JCK_LEVEL_SHOULD},
    [JCK_ROLE_RESULT_AS_SENT] = {"result-as-sent", JCK_LEVEL_SHOULD},
    [JCK_ROLE_CLIENT_SURVIVES] = {"client-survives", JCK_LEVEL_SHOULD},
    [JCK_ROLE_DRIVER] = {"driver", JCK_LEVEL_OBSERVE},
};

const char *jck_role_name(jck_role role)
{
    return role == JCK_ROLE_NONE ? "" : roles[role].name;
}

jck_level jck_role_level(jck_role role)
{
    return role == JCK_ROLE_NONE ? JCK_LEVEL_MUST : roles[role].level;
}

bool jck_role_from_name(jrpc_slice name, jck_role *ret_role)
{
    for (size_t i = 0; i < JCK_ROLE_COUNT; i++) {
        if (jrpc_slice_is(name, roles[i].name)) {
            *ret_role = (jck_role)i;
            return true;
        }
    }
    return false;
}

bool jck_topic_from_name(jrpc_slice name, jck_topic *ret_topic)
{
    static const struct {
        const char *name;
        jck_topic topic;
    } topics[] = {
        {"form", JCK_TOPIC_FORM},       {"code", JCK_TOPIC_CODE},
        {"text", JCK_TOPIC_TEXT},       {"silence", JCK_TOPIC_SILENCE},
        {"batch", JCK_TOPIC_BATCH},     {"notification", JCK_TOPIC_NOTIFICATION},
        {"company", JCK_TOPIC_COMPANY}, {"end", JCK_TOPIC_END},
    };
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        if (jrpc_slice_is(name, topics[i].name)) {
            *ret_topic = topics[i].topic;
            return true;
        }
    }
    return false;
}

enum { WORD_BITS = 64 };
_Static_assert(JCK_ROLE_COUNT <= JCK_ROLE_WORDS * WORD_BITS, "every role has a bit");

void jck_role_set_add(jck_role_set *set, jck_role role)
{
    set->words[role / WORD_BITS] |= (uint64_t)1 << role % WORD_BITS;
}

bool jck_role_set_has(const jck_role_set *set, jck_role role)
{
    return role != JCK_ROLE_NONE && (set->words[role / WORD_BITS] >> role % WORD_BITS & 1u) != 0;
}

void jck_role_set_join(jck_role_set *set, const jck_role_set *other)
{
    for (size_t i = 0; i < JCK_ROLE_WORDS; i++) {
        set->words[i] |= other->words[i];
    }
}

bool jck_rule_has_role(const jck_rule *rule, jck_role role)
{
    return rule != NULL && jck_role_set_has(&rule->roles, role);
}

bool jck_rule_is_about(const jck_rule *rule, jck_topic topic)
{
    return rule != NULL && (rule->topics & (unsigned)topic) != 0;
}
