// What is wrong with Requests and result messages of RO-JRPC, and with what a client keeps. The
// right client keeps nothing; these keep the result of the last structured call, each by a key of
// its own.
#include "reference/driver/change.h"

#include "reference/json/write.h"

#include <string.h>

// A text with some members of its Object left out or spelled otherwise: `spell` appends a value and
// returns true, or returns false to leave the member out.
static jrpc_slice respelled(jrpc_change *change, jrpc_slice text,
                            bool (*spell)(jrpc_json object, jrpc_slice name, jrpc_buffer *out))
{
    jrpc_json object = jrpc_change_json(change, text);
    if (!jrpc_json_exists(jrpc_json_get(object, "resource"))) {
        return text;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append_char(&out, '{');
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        jrpc_slice name;
        jrpc_buffer value = jrpc_change_buffer(change);
        if (jrpc_json_string(it.key, change->arena, &name) && spell(object, name, &value)) {
            jrpc_buffer_append_str(&out, jrpc_buffer_slice(&out).len > 1 ? "," : "");
            (void)jrpc_json_compact(&out, it.key);
            jrpc_buffer_append_char(&out, ':');
            jrpc_buffer_append(&out, jrpc_buffer_slice(&value));
        }
    }
    jrpc_buffer_append_char(&out, '}');
    return jrpc_buffer_slice(&out);
}

static bool as_it_is(jrpc_json object, jrpc_slice name, jrpc_buffer *out)
{
    return jrpc_json_compact(out, jrpc_json_member(object, name));
}

static bool is_one_of(jrpc_slice name, const char *const *names)
{
    while (*names != NULL && !jrpc_slice_is(name, *names)) {
        names++;
    }
    return *names != NULL;
}

static bool without_routing(jrpc_json object, jrpc_slice name, jrpc_buffer *out)
{
    static const char *const left_out[] = {"resource", "subresource", "parent", "target",
                                           "verb",     "cache",       NULL};
    return !is_one_of(name, left_out) && as_it_is(object, name, out);
}

static bool without_parent(jrpc_json object, jrpc_slice name, jrpc_buffer *out)
{
    return !jrpc_slice_is(name, "parent") && as_it_is(object, name, out);
}

static bool without_subresource(jrpc_json object, jrpc_slice name, jrpc_buffer *out)
{
    return !jrpc_slice_is(name, "subresource") && as_it_is(object, name, out);
}

static bool without_cache(jrpc_json object, jrpc_slice name, jrpc_buffer *out)
{
    return !jrpc_slice_is(name, "cache") && as_it_is(object, name, out);
}

static bool target_quoted(jrpc_json object, jrpc_slice name, jrpc_buffer *out)
{
    jrpc_json value = jrpc_json_member(object, name);
    return jrpc_slice_is(name, "target") && jrpc_json_is(value, JRPC_JSON_NUMBER)
               ? jrpc_json_quote(out, jrpc_json_spelling(value))
               : as_it_is(object, name, out);
}

// The text of a String or a Number without its quotes.
static void put_bare(jrpc_buffer *out, jrpc_json value)
{
    jrpc_slice text = jrpc_json_spelling(value);
    bool string = jrpc_json_is(value, JRPC_JSON_STRING);
    jrpc_buffer_append(out, string ? jrpc_slice_of(text.ptr + 1, text.len - 2) : text);
}

static bool target_in_method(jrpc_json object, jrpc_slice name, jrpc_buffer *out)
{
    jrpc_json target = jrpc_json_get(object, "target");
    if (!jrpc_slice_is(name, "method") || !jrpc_json_exists(target)) {
        return as_it_is(object, name, out);
    }
    jrpc_buffer_append_char(out, '"');
    put_bare(out, jrpc_json_get(object, "resource"));
    jrpc_buffer_append_char(out, '.');
    put_bare(out, target);
    jrpc_buffer_append_char(out, '.');
    put_bare(out, jrpc_json_get(object, "verb"));
    return jrpc_buffer_append_char(out, '"');
}

#define RESPELLED(function)                                                                        \
    static void function##_out(jrpc_change *change, jrpc_slice *text)                              \
    {                                                                                              \
        *text = respelled(change, *text, function);                                                \
    }
RESPELLED(without_routing)
RESPELLED(without_parent)
RESPELLED(without_subresource)
RESPELLED(without_cache)
RESPELLED(target_quoted)
RESPELLED(target_in_method)

// What is kept: the key of the last structured call, a line feed, and its result once that came.
static void put_key(jrpc_change *change, const jrpc_request_parts *parts, jrpc_buffer *out)
{
    const struct {
        char sign; // of the part, in the fault's spelling: it is not a part of the key
        jrpc_slice part;
    } keys[] = {{'r', parts->resource},
                {'v', parts->verb},
                {'t', parts->target},
                {'p', parts->parent},
                {'p', parts->subresource}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (strchr(change->fault->spelling, keys[i].sign) == NULL) {
            jrpc_buffer_append(out, keys[i].part);
        }
        jrpc_buffer_append_char(out, '|');
    }
    jrpc_buffer_append_char(out, '\n');
}

static bool give_kept(jrpc_change *change, jrpc_command *command)
{
    jrpc_driver *driver = change->driver;
    if (command->kind != JRPC_COMMAND_CALL || !command->requests->structured) {
        return true;
    }
    const jrpc_request_parts *parts = &command->requests->parts;
    jrpc_buffer key = jrpc_change_buffer(change);
    put_key(change, parts, &key);
    jrpc_slice wanted = jrpc_buffer_slice(&key);
    jrpc_slice kept = jrpc_buffer_slice(&driver->memory.kept);
    bool bypass = parts->cache.len > 0 && strchr(change->fault->spelling, 'c') == NULL;
    if (!bypass && kept.len > wanted.len && jrpc_slice_starts_with(kept, wanted)) {
        jrpc_buffer members = jrpc_change_buffer(change);
        jrpc_buffer_append_str(&members, "\"result\":");
        jrpc_buffer_append(&members, jrpc_slice_from(kept, wanted.len));
        jrpc_driver_report(driver, command->tag, jrpc_buffer_slice(&members));
        return false;
    }
    jrpc_buffer_clear(&driver->memory.kept);
    jrpc_buffer_append(&driver->memory.kept, wanted);
    return true;
}

static bool keep(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer)
{
    jrpc_buffer *kept = &change->driver->memory.kept;
    jrpc_slice text = jrpc_buffer_slice(kept);
    int64_t seconds = 0;
    jrpc_json hint = message == NULL ? JRPC_JSON_ABSENT : jrpc_json_get(message->value, "cache");
    bool hinted = jrpc_json_int64(jrpc_json_get(hint, "max-age"), &seconds) &&
                  (seconds > 0 || strchr(change->fault->spelling, '0') != NULL);
    if (answer->kind == JRPC_ANSWER_RESULT && hinted && text.len > 0 &&
        text.ptr[text.len - 1] == '\n') {
        (void)jrpc_json_compact(kept, answer->value);
    }
    return true;
}

static bool is_result(const jrpc_message *message)
{
    return message->kind == JRPC_MESSAGE_RESULT;
}

static bool unreported(jrpc_change *change, const jrpc_message *message)
{
    return !change->fault->is(message);
}

static void all_of_jobs(jrpc_change *change, jrpc_slice *text)
{
    *text = jrpc_change_replace(change, *text, "\"resource\":\"session\"", "\"resource\":\"job\"");
}

static void result_as_response(jrpc_change *change, jrpc_slice *text)
{
    jrpc_json value = jrpc_change_json(change, *text);
    jrpc_json id = jrpc_json_get(value, "request_id");
    if (jrpc_json_exists(id)) {
        jrpc_buffer out = jrpc_change_buffer(change);
        jrpc_buffer_append_str(&out, "{\"jsonrpc\":\"2.0\",\"result\":");
        (void)jrpc_json_compact(&out, jrpc_json_get(value, "result"));
        jrpc_buffer_append_str(&out, ",\"id\":");
        (void)jrpc_json_compact(&out, id);
        jrpc_buffer_append_char(&out, '}');
        *text = jrpc_buffer_slice(&out);
    }
}

#define KEEPS(without) .command = give_kept, .answer = keep, .spelling = without

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("ro-method-with-target", "RC-1", "the method is user.42.get"),
     .outgoing = target_in_method_out},
    {JRPC_CLIENT_ROW("ro-subresource-dropped", "RC-1", "a parent stands without its subresource"),
     .outgoing = without_subresource_out},
    {JRPC_CLIENT_ROW("ro-fields-missing", "RC-2", "structured Requests have the method alone"),
     .outgoing = without_routing_out},
    {JRPC_CLIENT_ROW("ro-parent-dropped", "RC-2", "the parent is left out"),
     .outgoing = without_parent_out},
    {JRPC_CLIENT_ROW("ro-target-as-text", "RC-2", "a target that is a Number becomes a String"),
     .outgoing = target_quoted_out},
    {JRPC_CLIENT_ROW("ro-cache-dropped", "RC-2", "\"cache\": \"no-cache\" is left out"),
     .outgoing = without_cache_out},
    {JRPC_CLIENT_ROW("ro-cache-without-target", "RC-5",
                     "the key of a kept result lacks the target"),
     KEEPS("t")},
    {JRPC_CLIENT_ROW("ro-cache-without-parent", "RC-5",
                     "the key of a kept result lacks subresource and parent"),
     KEEPS("p")},
    {JRPC_CLIENT_ROW("ro-cache-zero-kept", "RC-6", "a result whose max-age is 0 is kept"),
     KEEPS("0")},
    {JRPC_CLIENT_ROW("ro-cache-bypass-ignored", "RC-7",
                     "a kept result is given in spite of no-cache"),
     KEEPS("c")},
    {JRPC_CLIENT_ROW("ro-results-unreported", "RC-9", "result messages are not reported"),
     .own = unreported, .is = is_result},
    {JRPC_CLIENT_ROW("ro-results-by-verb", "RC-9", "results of sessions are routed to jobs"),
     .incoming = all_of_jobs},
    {JRPC_CLIENT_ROW("ro-result-as-response", "RC-10", "a result message ends the call it names"),
     .incoming = result_as_response},
};

const jrpc_client_fault_table jrpc_client_faults_routing = JRPC_CLIENT_FAULT_TABLE(rows);
