// Faults in routing by resource and verb (RO-JRPC): members, methods, authorization, caches.
#include "reference/server/bend.h"

#include "reference/server/fixture.h"

#define BIT(reason) (1 << (reason))

static jrpc_json field(const jrpc_message *message, const char *name)
{
    return jrpc_json_get(message->value, name);
}

static bool is_request(const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_CALL || message->kind == JRPC_MESSAGE_NOTIFICATION;
}

static bool is_structured(const jrpc_message *message)
{
    return jrpc_resource_read(message->value).structured;
}

static jrpc_slice content(jrpc_bend *bend, jrpc_json string)
{
    jrpc_slice bytes = {NULL, 0};
    (void)jrpc_json_string(string, bend->arena, &bytes);
    return bytes;
}

// Sets a member to a String; an empty one goes.
static void set(jrpc_bend *bend, jrpc_message *message, const char *name, jrpc_slice text)
{
    jrpc_bend_member(bend, message, name,
                     text.len == 0 ? text : jrpc_bend_quote(bend, text, JRPC_SLICE("null")));
}

static void drop(jrpc_bend *bend, jrpc_message *message, const char *name)
{
    jrpc_bend_member(bend, message, name, JRPC_SLICE(""));
}

static jrpc_resource_reason reason_of(jrpc_bend *bend, const jrpc_message *message)
{
    jrpc_resource fields = jrpc_resource_read(message->value);
    return jrpc_resource_check(&fields, content(bend, message->method));
}

// Whether this is a request that breaks one of the rules that the row names (as bits).
static bool breaks_it(jrpc_bend *bend, const jrpc_message *message)
{
    return is_request(message) && (BIT(reason_of(bend, message)) & bend->fault->number) != 0;
}

static jrpc_slice take_name(jrpc_slice *from)
{
    const char *dot = from->len == 0 ? NULL : memchr(from->ptr, '.', from->len);
    size_t len = dot == NULL ? from->len : (size_t)(dot - from->ptr);
    jrpc_slice name = jrpc_slice_of(from->ptr, len);
    *from = jrpc_slice_from(*from, dot == NULL ? len : len + 1);
    return name;
}

// Makes the members agree with the method.
static void believe_method(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_slice left = content(bend, message->method);
    jrpc_slice resource = take_name(&left);
    jrpc_slice middle = take_name(&left);
    jrpc_slice last = take_name(&left);
    bool nested = last.len != 0;
    set(bend, message, "resource", resource);
    set(bend, message, "subresource", nested ? middle : last);
    set(bend, message, "verb", nested ? last : middle);
    if (!nested) {
        drop(bend, message, "parent");
    }
}

// The members joined by dots; without a subresource if that is left out.
static jrpc_slice joined(jrpc_bend *bend, const jrpc_message *message, bool without_sub)
{
    jrpc_slice sub = content(bend, field(message, "subresource"));
    jrpc_buffer out = jrpc_bend_buffer(bend);
    jrpc_buffer_append(&out, content(bend, field(message, "resource")));
    if (sub.len != 0 && !without_sub) {
        jrpc_buffer_append_char(&out, '.');
        jrpc_buffer_append(&out, sub);
    }
    jrpc_buffer_append_char(&out, '.');
    jrpc_buffer_append(&out, content(bend, field(message, "verb")));
    return jrpc_buffer_slice(&out);
}

static bool method_lacks_subresource(jrpc_bend *bend, const jrpc_message *message)
{
    return jrpc_json_exists(field(message, "subresource")) &&
           jrpc_slice_equal(content(bend, message->method), joined(bend, message, true));
}

// Whether the method is what it should be but for the target, which stands among its names.
static bool method_holds_target(jrpc_bend *bend, const jrpc_message *message)
{
    jrpc_json target = field(message, "target");
    jrpc_slice name =
        jrpc_json_is(target, JRPC_JSON_STRING) ? content(bend, target) : jrpc_json_spelling(target);
    jrpc_slice right = joined(bend, message, false);
    jrpc_slice method = content(bend, message->method);
    if (name.len == 0 || method.len != right.len + 1 + name.len) {
        return false;
    }
    for (size_t at = 0; at <= right.len; at++) {
        if (at != 0 && at != right.len && right.ptr[at] != '.') {
            continue;
        }
        jrpc_buffer with = jrpc_bend_buffer(bend);
        jrpc_buffer_append(&with, jrpc_slice_of(right.ptr, at));
        jrpc_buffer_append_str(&with, at == 0 ? "" : ".");
        jrpc_buffer_append(&with, name);
        jrpc_buffer_append_str(&with, at == 0 ? "." : "");
        jrpc_buffer_append(&with, jrpc_slice_from(right, at));
        if (jrpc_slice_equal(jrpc_buffer_slice(&with), method)) {
            return true;
        }
    }
    return false;
}

static void serve_by_method(jrpc_bend *bend, jrpc_message *message)
{
    if (breaks_it(bend, message)) {
        believe_method(bend, message);
    }
}

static bool has_empty_name(const jrpc_message *message)
{
    static const char *const names[] = {"resource", "subresource", "verb"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        jrpc_json value = field(message, names[i]);
        found = found || (jrpc_json_is(value, JRPC_JSON_STRING) && jrpc_json_count(value) == 0);
    }
    return found;
}

static void serve_wrong_types(jrpc_bend *bend, jrpc_message *message)
{
    if (breaks_it(bend, message) && !has_empty_name(message)) {
        believe_method(bend, message);
    }
}

static void serve_empty_names(jrpc_bend *bend, jrpc_message *message)
{
    if (breaks_it(bend, message) && has_empty_name(message)) {
        believe_method(bend, message);
    }
}

static void serve_any_instance(jrpc_bend *bend, jrpc_message *message)
{
    static const char *const names[] = {"target", "parent"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        jrpc_json value = field(message, names[i]);
        if (breaks_it(bend, message) && jrpc_json_exists(value) &&
            !jrpc_json_is(value, JRPC_JSON_STRING) && !jrpc_json_is(value, JRPC_JSON_NUMBER)) {
            set(bend, message, names[i], jrpc_json_spelling(value));
        }
    }
}

static bool is_other_mismatch(jrpc_bend *bend, const jrpc_message *message)
{
    return breaks_it(bend, message) && !method_lacks_subresource(bend, message) &&
           !method_holds_target(bend, message);
}

static void mismatch_by_method(jrpc_bend *bend, jrpc_message *message)
{
    if (is_other_mismatch(bend, message)) {
        believe_method(bend, message);
    }
}

static void mismatch_by_fields(jrpc_bend *bend, jrpc_message *message)
{
    if (is_other_mismatch(bend, message)) {
        set(bend, message, "method", joined(bend, message, false));
    }
}

static void add_subresource(jrpc_bend *bend, jrpc_message *message)
{
    if (breaks_it(bend, message) && method_lacks_subresource(bend, message)) {
        set(bend, message, "method", joined(bend, message, false));
    }
}

static void take_target_out(jrpc_bend *bend, jrpc_message *message)
{
    if (breaks_it(bend, message) && method_holds_target(bend, message)) {
        set(bend, message, "method", joined(bend, message, false));
    }
}

// A valid request with structured members.
static bool is_routed(jrpc_bend *bend, const jrpc_message *message)
{
    return is_request(message) && is_structured(message) &&
           reason_of(bend, message) == JRPC_RESOURCE_VALID;
}

// A request that gives the method of a route alone.
static bool is_plain_route(jrpc_bend *bend, const jrpc_message *message)
{
    static const char *const resources[] = {"user.",       "repo.",    "project.",
                                            "attachment.", "session.", "tool."};
    bool found = false;
    for (size_t i = 0; i < sizeof resources / sizeof *resources; i++) {
        found = found || jrpc_slice_starts_with(content(bend, message->method),
                                                jrpc_slice_str(resources[i]));
    }
    return found && is_request(message) && !is_structured(message);
}

static bool is_plain_call(jrpc_bend *bend, const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_CALL && is_plain_route(bend, message);
}

static void plain_to_other(jrpc_bend *bend, jrpc_message *message)
{
    if (is_plain_route(bend, message)) {
        set(bend, message, "method", JRPC_SLICE("user.list"));
    }
}

static void lose_target(jrpc_bend *bend, jrpc_message *message)
{
    if (is_routed(bend, message)) {
        drop(bend, message, "target");
    }
}

static void parent_for_target(jrpc_bend *bend, jrpc_message *message)
{
    jrpc_json parent = field(message, "parent");
    if (is_routed(bend, message) && jrpc_json_exists(parent)) {
        jrpc_bend_member(bend, message, "target", jrpc_json_spelling(parent));
    }
}

static void lose_params(jrpc_bend *bend, jrpc_message *message)
{
    if (is_routed(bend, message)) {
        drop(bend, message, "params");
    }
}

static void ignore_subresource(jrpc_bend *bend, jrpc_message *message)
{
    if (is_routed(bend, message) && jrpc_json_exists(field(message, "subresource"))) {
        set(bend, message, "method", joined(bend, message, true));
        drop(bend, message, "subresource");
        drop(bend, message, "parent");
    }
}

static void answer_notification(jrpc_bend *bend, jrpc_message *message)
{
    (void)bend;
    if (message->kind == JRPC_MESSAGE_NOTIFICATION && is_structured(message)) {
        message->reply_owed = true;
    }
}

static bool is_describe(jrpc_bend *bend, const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_CALL &&
           jrpc_slice_is(content(bend, message->method), "rpc.describe");
}

static void fold_case(jrpc_bend *bend, jrpc_message *message)
{
    static const char *const names[] = {"method", "resource", "subresource", "verb"};
    for (size_t i = 0; is_request(message) && i < sizeof names / sizeof *names; i++) {
        jrpc_slice name = content(bend, field(message, names[i]));
        if (name.len != 0) {
            set(bend, message, names[i], jrpc_bend_lower(bend, name));
        }
    }
}

static void allow_structured(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    (void)ok;
    call->allowed = call->allowed || call->fields->structured;
}

static void allow_plain(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    (void)ok;
    call->allowed = call->allowed || !call->fields->structured;
}

static void allow_subresource(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    (void)ok;
    call->allowed = call->allowed || call->route->subresource != NULL;
}

static void delete_anyway(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)ok;
    if (!call->allowed) {
        jrpc_json target = call->fields->target;
        target = jrpc_json_exists(target) ? target : jrpc_json_get(call->params, "target");
        jrpc_fixture_delete_user(bend->connection->server, jrpc_json_spelling(target));
    }
}

static void trust_meta(jrpc_bend *bend, jrpc_call *call, bool *ok)
{
    (void)bend;
    (void)ok;
    call->allowed = call->allowed || jrpc_json_exists(jrpc_json_get(call->source->value, "meta")) ||
                    jrpc_json_exists(jrpc_json_get(call->params, "meta"));
}

static bool wants_fresh(jrpc_bend *bend, const jrpc_message *message)
{
    (void)bend;
    return message->kind == JRPC_MESSAGE_CALL && jrpc_json_exists(field(message, "cache"));
}

static bool is_get(jrpc_bend *bend, const jrpc_message *message)
{
    return message != NULL && message->kind == JRPC_MESSAGE_CALL && is_routed(bend, message) &&
           jrpc_json_string_is(field(message, "verb"), JRPC_SLICE("get"));
}

static bool is_silent_on_cache(jrpc_bend *bend, const jrpc_message *message)
{
    return is_get(bend, message) && !wants_fresh(bend, message);
}

static void respell_cache(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    (void)message;
    if (response->cache.len != 0) {
        response->cache = jrpc_slice_str(bend->fault->spelling);
    }
}

// What this connection remembers for a key, which becomes `result` if it does not yet.
static jrpc_slice recall(jrpc_bend *bend, jrpc_slice key, jrpc_slice result)
{
    jrpc_buffer *seen = &bend->connection->seen;
    for (jrpc_slice left = jrpc_buffer_slice(seen); left.len > 0;) {
        bool same = jrpc_slice_equal(jrpc_bend_take_record(&left), key);
        jrpc_slice known = jrpc_bend_take_record(&left);
        if (same) {
            return known;
        }
    }
    jrpc_bend_put_record(seen, key);
    jrpc_bend_put_record(seen, result);
    return result;
}

static void mix_keys(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (is_get(bend, message)) {
        response->result = recall(bend, jrpc_json_spelling(message->method), response->result);
    }
}

static void answer_stale(jrpc_bend *bend, const jrpc_message *message, jrpc_response *response)
{
    if (is_get(bend, message)) {
        jrpc_buffer key = jrpc_bend_buffer(bend);
        jrpc_bend_put_record(&key, jrpc_json_spelling(message->method));
        jrpc_bend_put_record(&key, jrpc_json_spelling(field(message, "parent")));
        jrpc_bend_put_record(&key, jrpc_json_spelling(field(message, "target")));
        jrpc_slice first = recall(bend, jrpc_buffer_slice(&key), response->result);
        if (wants_fresh(bend, message)) {
            response->result = first;
        }
    }
}

static const jrpc_fault rows[] = {
    {JRPC_ROW("ro-plain-refused", "RO-4a",
              "a call of a route that gives the method alone is answered -32601"),
     JRPC_ROW_MESSAGE(is_plain_call, JRPC_DEED_REFUSE), .number = JRPC_METHOD_NOT_FOUND},
    {JRPC_ROW("ro-plain-other-handler", "RO-4a",
              "a request of a route that gives the method alone is served as user.list"),
     .message = plain_to_other},
    {JRPC_ROW("ro-verb-alone-served", "RO-4b", "verb without resource is served by the method"),
     .message = serve_by_method, .number = BIT(JRPC_RESOURCE_VERB_ALONE)},
    {JRPC_ROW("ro-resource-alone-served", "RO-4b", "resource without verb is served by the method"),
     .message = serve_by_method, .number = BIT(JRPC_RESOURCE_WITHOUT_VERB)},
    {JRPC_ROW("ro-field-types-unchecked", "RO-4c",
              "where resource, verb or subresource is not a String the method alone counts"),
     .message = serve_wrong_types,
     .number = BIT(JRPC_RESOURCE_TYPE) | BIT(JRPC_RESOURCE_VERB_TYPE) |
               BIT(JRPC_RESOURCE_SUBRESOURCE_TYPE)},
    {JRPC_ROW("ro-empty-name-served", "RO-4c",
              "where resource, verb or subresource is an empty String the method alone counts"),
     .message = serve_empty_names,
     .number = BIT(JRPC_RESOURCE_TYPE) | BIT(JRPC_RESOURCE_VERB_TYPE) |
               BIT(JRPC_RESOURCE_SUBRESOURCE_TYPE)},
    {JRPC_ROW("ro-target-type-unchecked", "RO-4c",
              "a target or parent of any other type is served as the String of its spelling"),
     .message = serve_any_instance,
     .number = BIT(JRPC_RESOURCE_TARGET_TYPE) | BIT(JRPC_RESOURCE_PARENT_TYPE)},
    {JRPC_ROW("ro-dots-served", "RO-9b", "a name that holds a dot is served by the method"),
     .message = serve_by_method, .number = BIT(JRPC_RESOURCE_DOT)},
    {JRPC_ROW("ro-mismatch-by-method", "RO-9a",
              "where method and members disagree the request is served by the method"),
     .message = mismatch_by_method, .number = BIT(JRPC_RESOURCE_MISMATCH)},
    {JRPC_ROW("ro-mismatch-by-fields", "RO-9a",
              "where method and members disagree the request is served by the members"),
     .message = mismatch_by_fields, .number = BIT(JRPC_RESOURCE_MISMATCH)},
    {JRPC_ROW("ro-subresource-method-unchecked", "RO-6b",
              "a method that leaves the subresource out is served as if it had it"),
     .message = add_subresource, .number = BIT(JRPC_RESOURCE_MISMATCH)},
    {JRPC_ROW("ro-target-in-method-served", "RO-6c",
              "a method that has the target among its names is served as if it had not"),
     .message = take_target_out, .number = BIT(JRPC_RESOURCE_MISMATCH)},
    {JRPC_ROW("ro-subresource-alone-served", "RO-6d",
              "subresource without resource is served by the method"),
     .message = serve_by_method, .number = BIT(JRPC_RESOURCE_SUBRESOURCE_ALONE)},
    {JRPC_ROW("ro-parent-alone-served", "RO-6e",
              "parent without subresource or without resource is served by the method"),
     .message = serve_by_method,
     .number = BIT(JRPC_RESOURCE_PARENT_WITHOUT_SUB) | BIT(JRPC_RESOURCE_PARENT_ALONE)},
    {JRPC_ROW("ro-target-lost", "RO-9b", "target of a structured request reaches no handler"),
     .message = lose_target},
    {JRPC_ROW("ro-parent-as-target", "RO-9b", "handlers get parent, where there is one, as target"),
     .message = parent_for_target},
    {JRPC_ROW("ro-params-lost", "RO-9b", "params of a structured request reach no handler"),
     .message = lose_params},
    {JRPC_ROW("ro-subresource-ignored", "RO-9b",
              "a request with subresource is served by the resource and the verb alone"),
     .message = ignore_subresource},
    {JRPC_ROW("ro-notification-answered", "RO-10a",
              "structured notifications get a Response with id null"),
     .message = answer_notification},
    {JRPC_ROW("ro-describe-missing", "RO-11a", "rpc.describe is answered -32601"),
     JRPC_ROW_MESSAGE(is_describe, JRPC_DEED_REFUSE), .number = JRPC_METHOD_NOT_FOUND},
    {JRPC_ROW("ro-denied-served", "RO-12a", "a denied structured call is served"),
     .bind = allow_structured},
    {JRPC_ROW("ro-denied-plain-served", "RO-12a",
              "a denied call is served if it gives the method alone"),
     .bind = allow_plain},
    {JRPC_ROW("ro-denied-subresource-served", "RO-12a",
              "a denied call is served if it is of a subresource"),
     .bind = allow_subresource},
    {JRPC_ROW("ro-denied-has-effect", "RO-12a",
              "a denied call takes effect before its error is answered"),
     .bind = delete_anyway},
    {JRPC_ROW("ro-meta-trusted", "RO-15a",
              "a denied call is served if it has a member meta, beside the method or in params"),
     .bind = trust_meta},
    {JRPC_ROW("ro-no-cache-refused", "RO-18a", "a call with cache is answered -32600"),
     JRPC_ROW_MESSAGE(wants_fresh, JRPC_DEED_REFUSE)},
    {JRPC_ROW("ro-no-cache-stale", "RO-18e",
              "a structured get with cache is answered by the first result that the connection got "
              "for that method, parent and target"),
     .response = answer_stale, .when = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("ro-cache-shape", "RO-18b", "cache on a Response is 60"), .response = respell_cache,
     .spelling = "60"},
    {JRPC_ROW("ro-max-age-negative", "RO-18b", "max-age on a Response is -60"),
     .response = respell_cache, .spelling = "{\"max-age\":-60}"},
    {JRPC_ROW("ro-cache-required", "RO-18c", "a structured get without cache is answered -32600"),
     JRPC_ROW_MESSAGE(is_silent_on_cache, JRPC_DEED_REFUSE)},
    {JRPC_ROW("ro-cache-keys-mixed", "RO-18d",
              "a structured get is answered by the first result that the connection got for that "
              "method, whatever the parent and target"),
     .response = mix_keys, .when = JRPC_OUTCOME_SUCCESS},
    {JRPC_ROW("ro-case-folded", "RO-9b",
              "method, resource, subresource and verb match without regard to ASCII case"),
     .message = fold_case},
};

const jrpc_fault_table jrpc_faults_resource = JRPC_FAULT_TABLE(rows);
