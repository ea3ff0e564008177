#include "harness/live/rules.h"

static jrpc_slice rule_of(const jck_suite *suite, jrpc_slice folder, jck_role role)
{
    static const jrpc_slice nobody[] = {{NULL, 0}};
    const jck_case any = {.suite = folder, .rules = nobody, .rule_count = 0};
    const jck_rule *rule = jck_suite_role(suite, &any, role);
    return rule == NULL ? (jrpc_slice){NULL, 0} : rule->id;
}

// The first rule of any specification that has this role.
static jrpc_slice rule_with(const jck_suite *suite, jck_role role)
{
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        if (jck_rule_has_role(jck_suite_rule(suite, i), role)) {
            return jck_suite_rule(suite, i)->id;
        }
    }
    return (jrpc_slice){NULL, 0};
}

jck_live_rules jck_live_rules_of(const jck_suite *suite, jrpc_slice folder)
{
    return (jck_live_rules){
        .owed = rule_of(suite, folder, JCK_ROLE_RESPONSE_OWED),
        .parse = rule_of(suite, folder, JCK_ROLE_PARSE_ERROR),
        .invalid = rule_of(suite, folder, JCK_ROLE_INVALID_REQUEST),
        .absent = rule_of(suite, folder, JCK_ROLE_METHOD_NOT_FOUND),
        .silent = rule_of(suite, folder, JCK_ROLE_NOTIFICATION_SILENT),
        .batch = rule_of(suite, folder, JCK_ROLE_BATCH_EACH_CALL),
        .survives = rule_of(suite, folder, JCK_ROLE_SURVIVES_MALFORMED),
        .by_position = rule_of(suite, folder, JCK_ROLE_PARAMS_BY_POSITION),
        .by_name = rule_of(suite, folder, JCK_ROLE_PARAMS_BY_NAME),
        .precise_id = rule_of(suite, folder, JCK_ROLE_ID_IN_DOUBLES),
        .batch_invalid = rule_of(suite, folder, JCK_ROLE_BATCH_INVALID_ELEMENTS),
        .batch_nested = rule_of(suite, folder, JCK_ROLE_BATCH_NESTED),
        .batch_silent = rule_of(suite, folder, JCK_ROLE_BATCH_OF_NOTIFICATIONS),
        .reserved = rule_of(suite, folder, JCK_ROLE_RESERVED_NAMES),
        .registered = rule_with(suite, JCK_ROLE_REGISTERED_ALONE),
        .empty_body = rule_with(suite, JCK_ROLE_HTTP_EMPTY_BODY),
        .failure = rule_of(suite, folder, JCK_ROLE_INTERNAL_ERROR),
        .code = rule_of(suite, folder, JCK_ROLE_CODE_AS_GIVEN),
        .data = rule_of(suite, folder, JCK_ROLE_DATA_AS_GIVEN),
        .order = rule_of(suite, folder, JCK_ROLE_ORDER_AND_SPACE),
        .escapes = rule_with(suite, JCK_ROLE_ESCAPED_STRINGS),
        .stateless = rule_of(suite, folder, JCK_ROLE_STATELESS),
        .independent = rule_of(suite, folder, JCK_ROLE_BATCH_INDEPENDENT),
        .effect = rule_of(suite, folder, JCK_ROLE_NOTIFICATION_EFFECT),
        .no_effect = rule_of(suite, folder, JCK_ROLE_REJECTED_UNDONE),
    };
}

// The rule for a call of a method that no target has, by its name.
static jrpc_slice rule_for_name(const jck_live_rules *rules, const jck_due *due)
{
    jrpc_slice rule = {NULL, 0};
    switch (due->name) {
    case JCK_NAME_RESERVED:
        rule = rules->reserved;
        break;
    case JCK_NAME_SPELLED:
    case JCK_NAME_CHANGED:
    case JCK_NAME_INHERITED:
        rule = rules->registered;
        break;
    case JCK_NAME_ANY:
    case JCK_NAME_DECORATED:
        break;
    }
    return rule.len > 0 ? rule : rules->absent;
}

static jrpc_slice rule_for_batch(const jck_live_rules *rules, const jck_due *due)
{
    bool silent = due->kind == JCK_DUE_NOTHING;
    jrpc_slice rule = silent                                          ? rules->batch_silent
                      : due->invalid == 0                             ? rules->batch
                      : due->nested > 0 && due->nested == due->length ? rules->batch_nested
                                                                      : rules->batch_invalid;
    return rule.len > 0 ? rule : rules->batch;
}

bool jck_live_is_lenient(const jck_due *due)
{
    return due->form == JCK_FORM_NEAR && due->name == JCK_NAME_SPELLED;
}

jrpc_slice jck_live_rule_for(const jck_live_rules *rules, const jck_due *due)
{
    switch (due->form) {
    case JCK_FORM_CUT:
    case JCK_FORM_TEXT:
    case JCK_FORM_UNREADABLE:
        return rules->parse;
    case JCK_FORM_SCALAR:
    case JCK_FORM_EMPTY:
    case JCK_FORM_INVALID:
        return rules->invalid;
    case JCK_FORM_CALL:
    case JCK_FORM_NEAR:
        return rule_for_name(rules, due);
    case JCK_FORM_KNOWN:
    case JCK_FORM_OTHER:
    case JCK_FORM_RESPONSE:
        return rules->owed;
    case JCK_FORM_NOTIFY:
        return rules->silent;
    case JCK_FORM_BATCH:
    case JCK_FORM_UNCLEAR:
        return rule_for_batch(rules, due);
    }
    return rules->owed;
}
