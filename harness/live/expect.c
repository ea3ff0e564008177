#include "harness/live/expect.h"

#include "harness/live/result.h"
#include "harness/live/scan.h"
#include "reference/json/write.h"

#include <inttypes.h>
#include <stdio.h>

#define RESULT_BYTES ((size_t)8 << 20)

// An expectation being written: of its alternatives, the first that matches decides.
typedef struct writing {
    const jck_due_context *context;
    const jck_live_rules *rules;
    const jck_due *due;
    jrpc_buffer *out;
    size_t count; // alternatives so far
} writing;

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

static const char *begin_alternative(writing *w)
{
    return w->count++ == 0 ? "{\"any-of\":[{" : ",{";
}

// Adds an alternative: its members, without brackets.
static void add(writing *w, const char *members)
{
    (void)jrpc_buffer_append_str(w->out, begin_alternative(w));
    (void)jrpc_buffer_append_str(w->out, members);
    (void)jrpc_buffer_append_char(w->out, '}');
}

static void put_own_id(jrpc_buffer *out, const jck_due *due)
{
    if (jrpc_json_exists(due->id)) {
        (void)jrpc_json_compact(out, due->id);
    } else {
        (void)jrpc_buffer_append_str(out, "null");
    }
}

// The same with either id: the message's own, which an alternative expects if it names no id, or
// `null`. `taken_as` follows the id.
static void add_with_either_id(writing *w, const char *members, const char *taken_as)
{
    bool own = jrpc_json_exists(w->due->id) && !jrpc_json_is(w->due->id, JRPC_JSON_NULL);
    for (int null = own ? 0 : 1; null < 2; null++) {
        (void)jrpc_buffer_append_str(w->out, begin_alternative(w));
        (void)jrpc_buffer_append_str(w->out, members);
        (void)jrpc_buffer_append_str(w->out, null == 1 ? ",\"id\":null" : "");
        (void)jrpc_buffer_append_str(w->out, taken_as);
        (void)jrpc_buffer_append_char(w->out, '}');
    }
}

static bool end(writing *w, jrpc_slice otherwise)
{
    (void)jrpc_buffer_append_char(w->out, ']');
    if (otherwise.len > 0) {
        (void)jrpc_buffer_printf(w->out, ",\"else\":\"%.*s\"", (int)otherwise.len, otherwise.ptr);
    }
    (void)jrpc_buffer_append_char(w->out, '}');
    return !w->out->failed;
}

// A Number that a double cannot hold should come back unchanged (precise_id); a String with a lone
// surrogate, for which UTF-8 has no bytes, may come back as another one. An answer with the id that
// was sent is judged by the other alternatives.
static void add_changed_ids(writing *w)
{
    jrpc_slice rule = w->rules->precise_id;
    bool warns = jrpc_json_is(w->due->id, JRPC_JSON_NUMBER) && rule.len > 0;
    char as[64] = "\"observe:id-changed\"";
    if (warns) {
        (void)snprintf(as, sizeof as, "\"warn\",\"rule\":\"%.*s\"", (int)rule.len, rule.ptr);
        add(w, "\"error\":{},\"as\":\"observe:error\"");
        add(w, "\"error\":{\"code\":{\"$in\":[-32600,-32700]}},\"id\":null,\"as\":\"observe:"
               "refused\"");
    }
    // A Number beyond all doubles may become null, as in JavaScript.
    const char *kind = jrpc_json_is(w->due->id, JRPC_JSON_NUMBER)
                           ? "{\"$in\":[null,{\"$type\":\"number\"}]}"
                           : "{\"$type\":\"string\"}";
    static const char *const outcomes[] = {"\"error\":{}", "\"result\":{\"$any\":true}"};
    for (size_t i = 0; i < 2; i++) {
        (void)jrpc_buffer_printf(w->out, "%s%s,\"id\":{\"$all\":[{\"$not\":", begin_alternative(w),
                                 outcomes[i]);
        put_own_id(w->out, w->due);
        (void)jrpc_buffer_printf(w->out, "},%s]},\"as\":%s}", kind, as);
    }
}

// Refusals that the specifications leave to limits and readers.
static void add_refusals(writing *w)
{
    unsigned odd = w->due->odd & ~(unsigned)JCK_ODD_ID;
    if (odd != 0) {
        add(w,
            "\"error\":{\"code\":{\"$in\":[-32600,-32602,-32603,-32700]}},\"id\":{\"$any\":true},"
            "\"as\":\"observe:refused\"");
    }
    if ((odd & (JCK_ODD_SIZE | JCK_ODD_DEPTH)) != 0) {
        add(w, "\"error\":{\"code\":{\"$type\":\"integer\"}},\"id\":{\"$any\":true},"
               "\"as\":\"observe:refused\"");
    }
    if (jrpc_json_is(w->due->id, JRPC_JSON_NULL)) {
        add(w, "\"error\":{\"code\":-32600},\"id\":null,\"as\":\"observe:refused\"");
    }
    if ((w->due->odd & JCK_ODD_ID) != 0) {
        add_changed_ids(w);
    }
}

// Errors that a method itself may give: any but those with which the protocol refuses a message.
// `certain`: the result is known, so the params fit and there is no internal error.
static void add_errors_of_method(writing *w, bool certain)
{
    add(w, certain ? "\"error\":{\"code\":-32602},\"as\":\"observe:error\""
                   : "\"error\":{\"code\":{\"$range\":[-32603,-32602]}},\"as\":\"observe:error\"");
    if (!certain) { // the params may not fit, and this is not the code for that, but a Response
        add(w, "\"error\":{\"code\":-32600},\"as\":\"observe:refused\"");
    }
    add(w, "\"error\":{\"code\":{\"$range\":[-32599,9007199254740991]}},\"as\":\"observe:error\"");
    add(w, "\"error\":{\"code\":{\"$range\":[-32699,-32604]}},\"as\":\"observe:error\"");
    add(w, "\"error\":{\"code\":{\"$range\":[-9007199254740991,-32701]}},\"as\":\"observe:error\"");
}

// Adds the result; returns whether it is known.
static bool add_result(writing *w)
{
    size_t before = w->out->len;
    (void)jrpc_buffer_append_str(w->out,
                                 w->count == 0 ? "{\"any-of\":[{\"result\":" : ",{\"result\":");
    if (jck_result_write(w->due, w->out)) {
        (void)jrpc_buffer_append_char(w->out, '}');
        w->count++;
        return true;
    }
    jrpc_buffer_truncate(w->out, before);
    add(w, "\"result\":{\"$any\":true}");
    return false;
}

// A method of its own may have a name near that of a known one: then its result is another.
static void add_own_result(writing *w)
{
    jrpc_buffer known;
    jrpc_buffer_init(&known, jrpc_allocator_heap(), RESULT_BYTES);
    if (jck_result_of_near(w->due, &known)) {
        (void)jrpc_buffer_printf(w->out, "%s\"result\":{\"$not\":", begin_alternative(w));
        (void)jrpc_buffer_append(w->out, jrpc_buffer_slice(&known));
        (void)jrpc_buffer_append_str(w->out, "},\"as\":\"observe:own-method\"}");
    } else {
        add(w, "\"result\":{\"$any\":true},\"as\":\"observe:own-method\"");
    }
    jrpc_buffer_done(&known);
}

static bool write_call(writing *w)
{
    const jck_due *due = w->due;
    if (due->form == JCK_FORM_CALL) {
        add(w, "\"error\":{\"code\":-32601}");
        if (jrpc_json_exists(due->params)) {
            add(w, "\"error\":{\"code\":-32602},\"as\":\"observe:invalid-params\"");
        }
        add_refusals(w); // first: they do not concern the name
        if (due->name == JCK_NAME_RESERVED && w->rules->reserved.len > 0) {
            (void)jrpc_buffer_printf(w->out, "%s\"rejected\":\"%.*s\",\"as\":\"warn\"}",
                                     begin_alternative(w), (int)w->rules->reserved.len,
                                     w->rules->reserved.ptr);
        }
        return end(w, rule_for_name(w->rules, due));
    }
    bool certain = due->result && add_result(w) && !jrpc_json_is(due->id, JRPC_JSON_NULL);
    if (due->form == JCK_FORM_KNOWN) {
        add_errors_of_method(w, certain);
    } else {
        add(w, "\"error\":{\"code\":{\"$type\":\"integer\"}}");
    }
    if (due->form == JCK_FORM_NEAR && due->mapping != NULL) {
        add_own_result(w);
    }
    add_refusals(w);
    jrpc_slice fitting =
        jrpc_json_is(due->params, JRPC_JSON_OBJECT) ? w->rules->by_name : w->rules->by_position;
    return end(w, due->form == JCK_FORM_NEAR ? rule_for_name(w->rules, due)
                  : certain                  ? fitting
                                             : w->rules->owed);
}

static bool write_invalid(writing *w)
{
    const jck_due *due = w->due;
    add_with_either_id(w, "\"error\":{\"code\":-32600}", "");
    switch (due->reason) {
    case JRPC_INVALID_VERSION_MISSING:
        // It may be served as JSON-RPC 1.0, whatever its other members are.
        add(w, "\"jsonrpc\":{\"$absent\":true},\"id\":{\"$any\":true},\"as\":\"observe:as-1.0\"");
        add_with_either_id(w, "\"error\":{\"code\":{\"$in\":[-32601,-32602]}}", ",\"as\":\"warn\"");
        add(w, "\"result\":{\"$any\":true},\"as\":\"warn\"");
        break;
    case JRPC_INVALID_VERSION:
    case JRPC_INVALID_METHOD_MISSING:
    case JRPC_INVALID_METHOD_TYPE:
        add_with_either_id(w, "\"error\":{\"code\":{\"$in\":[-32601,-32602]}}", ",\"as\":\"warn\"");
        add(w, "\"result\":{\"$any\":true},\"as\":\"warn\"");
        if (jrpc_json_is(jrpc_json_get(due->value, "jsonrpc"), JRPC_JSON_NULL)) {
            add(w,
                "\"jsonrpc\":{\"$absent\":true},\"id\":{\"$any\":true},\"as\":\"observe:as-1.0\"");
        }
        break;
    case JRPC_INVALID_PARAMS_TYPE:
        add_with_either_id(w, "\"error\":{\"code\":{\"$in\":[-32601,-32602]}}",
                           ",\"as\":\"observe:invalid-params\"");
        add(w, jrpc_json_is(due->params, JRPC_JSON_NULL)
                   ? "\"result\":{\"$any\":true},\"as\":\"observe:as-absent\""
                   : "\"result\":{\"$any\":true},\"as\":\"warn\"");
        if (jrpc_json_is(due->params, JRPC_JSON_NULL)) {
            add_errors_of_method(w, false);
        }
        break;
    case JRPC_INVALID_ID_TYPE:
        add(w, "\"error\":{\"code\":{\"$in\":[-32600,-32601,-32602]}},\"id\":{\"$any\":true},"
               "\"as\":\"warn\"");
        add(w, "\"result\":{\"$any\":true},\"id\":{\"$any\":true},\"as\":\"warn\"");
        break;
    case JRPC_VALID:
    case JRPC_INVALID_NOT_OBJECT:
    case JRPC_INVALID_RESPONSE:
        break;
    }
    if (due->kind == JCK_DUE_MAYBE) {
        add(w, "\"nothing\":true,\"as\":\"observe:silent\"");
    }
    add_refusals(w);
    return end(w, (jrpc_slice){NULL, 0});
}

static void put_element(const writing *w, const jck_due *element)
{
    if (element->form == JCK_FORM_KNOWN) {
        size_t before = w->out->len;
        (void)jrpc_buffer_append_str(w->out, "{\"result\":");
        if (!jck_result_write(element, w->out)) {
            jrpc_buffer_truncate(w->out, before);
            (void)jrpc_buffer_append_char(w->out, '{');
        } else {
            (void)jrpc_buffer_append_char(w->out, ',');
        }
        (void)jrpc_buffer_append_str(w->out, "\"id\":");
        put_own_id(w->out, element);
        (void)jrpc_buffer_append_char(w->out, '}');
        return;
    }
    (void)jrpc_buffer_printf(w->out, "{\"error\":{\"code\":%s},\"id\":",
                             element->form == JCK_FORM_CALL ? jrpc_json_exists(element->params)
                                                                  ? "{\"$in\":[-32601,-32602]}"
                                                                  : "-32601"
                                                            : "-32600");
    if (element->form == JCK_FORM_INVALID && jrpc_json_exists(element->id)) {
        (void)jrpc_buffer_append_str(w->out, "{\"$in\":[null,");
        put_own_id(w->out, element);
        (void)jrpc_buffer_append_str(w->out, "]}}");
        return;
    }
    put_own_id(w->out, element);
    (void)jrpc_buffer_append_char(w->out, '}');
}

static bool put(writing *w, const char *text)
{
    return jrpc_buffer_append_str(w->out, text);
}

// The Responses to the calls of a batch, joined by commas.
static void put_elements(const writing *w)
{
    bool first = true;
    for (jrpc_json_iterator it = jrpc_json_iterate(w->due->value); jrpc_json_step(&it);) {
        jck_due element = jck_due_of(w->context, it.value);
        if (element.kind == JCK_DUE_ONE) {
            (void)jrpc_buffer_append_str(w->out, first ? "" : ",");
            put_element(w, &element);
            first = false;
        }
    }
}

static bool write_batch(writing *w)
{
    bool twins = (w->due->odd & JCK_ODD_TWINS) != 0;
    if (!twins && w->due->length <= 8) {
        (void)put(w, "[");
        put_elements(w);
        return put(w, "]");
    }
    (void)put(w, "{\"any-of\":[{\"batch\":[");
    put_elements(w);
    if (twins) { // one of two calls with an id is refused
        (void)put(w, "]},{\"batch\":[");
        for (size_t i = 0; i < w->due->calls; i++) {
            (void)put(w, i == 0 ? "{\"id\":{\"$any\":true}}" : ",{\"id\":{\"$any\":true}}");
        }
        (void)put(w, "],\"as\":\"observe:one-refused\"},");
    } else {
        (void)put(w, "]},");
    }
    (void)put(w, "{\"error\":{},\"id\":null,\"as\":\"observe:refused\"}");
    return end(w, twins ? w->rules->batch : (jrpc_slice){NULL, 0});
}

static bool write_silence(writing *w)
{
    if (w->due->kind == JCK_DUE_NOTHING) {
        return put(w, "\"nothing\"");
    }
    add(w, "\"nothing\":true");
    add(w, "\"error\":{\"code\":{\"$in\":[-32600,-32602,-32603,-32700]}},\"id\":null,"
           "\"as\":\"observe:refused\"");
    if ((w->due->odd & (JCK_ODD_SIZE | JCK_ODD_DEPTH)) != 0) {
        add(w, "\"error\":{\"code\":{\"$type\":\"integer\"}},\"id\":null,"
               "\"as\":\"observe:refused\"");
    }
    return end(w, w->rules->silent);
}

bool jck_expect_write(const jck_due_context *context, const jck_live_rules *rules,
                      const jck_due *due, jrpc_buffer *out)
{
    writing w = {context, rules, due, out, 0};
    if (due->kind == JCK_DUE_ANY) {
        return put(&w, "\"anything\"");
    }
    switch (due->form) {
    case JCK_FORM_CUT:
        return put(&w, "{\"error\":{\"code\":-32700},\"id\":null}");
    case JCK_FORM_EMPTY:
        return put(&w, "{\"error\":{\"code\":-32600},\"id\":null}");
    case JCK_FORM_SCALAR:
        return put(&w, "{\"error\":{\"code\":{\"$in\":[-32600,-32700]}},\"id\":null}");
    case JCK_FORM_CALL:
    case JCK_FORM_NEAR:
    case JCK_FORM_KNOWN:
    case JCK_FORM_OTHER:
        return write_call(&w);
    case JCK_FORM_NOTIFY:
        return write_silence(&w);
    case JCK_FORM_INVALID:
        return write_invalid(&w);
    case JCK_FORM_BATCH:
        return due->kind == JCK_DUE_NOTHING ? put(&w, "\"nothing\"") : write_batch(&w);
    case JCK_FORM_TEXT:
    case JCK_FORM_RESPONSE:
    case JCK_FORM_UNCLEAR:
    case JCK_FORM_UNREADABLE:
        break;
    }
    return put(&w, "\"anything\"");
}
