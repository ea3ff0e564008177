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

static const char *begin_alternative(writing *w)
{
    return w->count++ == 0 ? "{\"any-of\":[{" : ",{";
}

static bool put(writing *w, const char *text)
{
    return jrpc_buffer_append_str(w->out, text);
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

// The member of a Response with this code and, if wanted, this data.
static void put_error(const writing *w, const jck_error_given *given, bool data)
{
    (void)jrpc_buffer_printf(w->out, "\"error\":{\"code\":%" PRId64, given->code);
    if (data) {
        (void)jrpc_buffer_append_str(w->out, ",\"data\":");
        (void)jrpc_json_compact(w->out, given->data);
    }
    (void)jrpc_buffer_append_char(w->out, '}');
}

// A call of a method that fails: with the error that it was asked for, or with any.
static bool write_failure(writing *w)
{
    jck_error_given given;
    if (!jck_contract_gives_error(w->due->mapping)) {
        add_errors_of_method(w, false);
        add_refusals(w);
        return end(w, w->rules->failure);
    }
    if (!jck_error_given_of(w->due, &given)) {
        return put(w, "\"anything\"");
    }
    for (int data = jrpc_json_exists(given.data) ? 1 : 0; data >= 0; data--) {
        const bool changed = data == 0 && jrpc_json_exists(given.data);
        (void)put(w, begin_alternative(w));
        put_error(w, &given, data == 1);
        if (changed) {
            (void)jrpc_buffer_printf(w->out, ",\"as\":\"warn\",\"rule\":\"%.*s\"",
                                     (int)w->rules->data.len, w->rules->data.ptr);
        }
        (void)put(w, "}");
    }
    return end(w, w->rules->code);
}

static bool write_call(writing *w)
{
    const jck_due *due = w->due;
    if (due->form == JCK_FORM_CALL) {
        add(w, "\"error\":{\"code\":-32601}");
        if (jrpc_json_exists(due->params)) {
            add(w, "\"error\":{\"code\":-32602},\"as\":\"observe:invalid-params\"");
        }
        if (due->name == JCK_NAME_DECORATED) {
            add(w, "\"error\":{\"code\":-32600},\"as\":\"observe:invalid-request\"");
        }
        add_refusals(w); // first: they do not concern the name
        if (due->name == JCK_NAME_RESERVED && w->rules->reserved.len > 0) {
            (void)jrpc_buffer_printf(w->out, "%s\"rejected\":\"%.*s\",\"as\":\"warn\"}",
                                     begin_alternative(w), (int)w->rules->reserved.len,
                                     w->rules->reserved.ptr);
        }
        return end(w, jck_live_rule_for(w->rules, due));
    }
    if (due->form == JCK_FORM_KNOWN && jck_contract_is_to_fail(due->mapping)) {
        return write_failure(w);
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
    return end(w, due->form == JCK_FORM_NEAR ? jck_live_rule_for(w->rules, due)
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

static void put_failed_element(const writing *w, const jck_due *element)
{
    jck_error_given given;
    const bool asked = jck_contract_gives_error(element->mapping);
    (void)jrpc_buffer_append_char(w->out, '{');
    if (asked && jck_error_given_of(element, &given)) {
        put_error(w, &given, jrpc_json_exists(given.data));
    } else {
        (void)jrpc_buffer_append_str(w->out, "\"error\":{}");
    }
    (void)jrpc_buffer_append_str(w->out, ",\"id\":");
    put_own_id(w->out, element);
    (void)jrpc_buffer_append_char(w->out, '}');
}

static void put_element(const writing *w, const jck_due *element)
{
    if (element->form == JCK_FORM_KNOWN && jck_contract_is_to_fail(element->mapping)) {
        put_failed_element(w, element);
        return;
    }
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
