// Faults of Requests and result messages of RO-JRPC, and of the results that a client caches. The
// correct client caches none; a caching fault keeps the result of the last structured call, under a
// wrong key or under wrong conditions.
#include "reference/driver/change.h"

#include "reference/json/write.h"

#include <string.h>

// Appends the value that a member of a Request gets and returns true, or returns false to leave the
// member out.
typedef bool spell_member(const jrpc_change *change, jrpc_json request,
                          const jrpc_json_iterator *member, jrpc_buffer *out);

// A structured Request with its members respelled; any other text unchanged.
static void respell(jrpc_change *change, jrpc_slice *text, spell_member *spell)
{
    jrpc_json request = jrpc_change_json(change, *text);
    if (!jrpc_json_exists(jrpc_json_get(request, "resource"))) {
        return;
    }
    jrpc_buffer out = jrpc_change_buffer(change);
    jrpc_buffer_append_char(&out, '{');
    for (jrpc_json_iterator it = jrpc_json_iterate(request); jrpc_json_step(&it);) {
        jrpc_buffer value = jrpc_change_buffer(change);
        if (spell(change, request, &it, &value)) {
            jrpc_buffer_append_str(&out, out.len > 1 ? "," : "");
            (void)jrpc_json_compact(&out, it.key);
            jrpc_buffer_append_char(&out, ':');
            jrpc_buffer_append(&out, jrpc_buffer_slice(&value));
        }
    }
    jrpc_buffer_append_char(&out, '}');
    *text = jrpc_buffer_slice(&out);
}

// All members but those that the row's spelling names, each in quotes.
static bool without_named(const jrpc_change *change, jrpc_json request,
                          const jrpc_json_iterator *member, jrpc_buffer *out)
{
    (void)request;
    return !jrpc_slice_contains(jrpc_slice_str(change->fault->spelling),
                                jrpc_json_spelling(member->key)) &&
           jrpc_json_compact(out, member->value);
}

static void leave_out(jrpc_change *change, jrpc_slice *text)
{
    respell(change, text, without_named);
}

static bool with_target_quoted(const jrpc_change *change, jrpc_json request,
                               const jrpc_json_iterator *member, jrpc_buffer *out)
{
    (void)change;
    (void)request;
    return jrpc_json_string_is(member->key, JRPC_SLICE("target")) &&
                   jrpc_json_is(member->value, JRPC_JSON_NUMBER)
               ? jrpc_json_quote(out, jrpc_json_spelling(member->value))
               : jrpc_json_compact(out, member->value);
}

static void quote_target(jrpc_change *change, jrpc_slice *text)
{
    respell(change, text, with_target_quoted);
}

// The text of a String or a Number without its quotes.
static void put_bare(jrpc_buffer *out, jrpc_json value)
{
    jrpc_slice text = jrpc_json_spelling(value);
    bool string = jrpc_json_is(value, JRPC_JSON_STRING);
    jrpc_buffer_append(out, string ? jrpc_slice_of(text.ptr + 1, text.len - 2) : text);
}

static bool with_target_in_method(const jrpc_change *change, jrpc_json request,
                                  const jrpc_json_iterator *member, jrpc_buffer *out)
{
    (void)change;
    jrpc_json target = jrpc_json_get(request, "target");
    if (!jrpc_json_string_is(member->key, JRPC_SLICE("method")) || !jrpc_json_exists(target)) {
        return jrpc_json_compact(out, member->value);
    }
    jrpc_buffer_append_char(out, '"');
    put_bare(out, jrpc_json_get(request, "resource"));
    jrpc_buffer_append_char(out, '.');
    put_bare(out, target);
    jrpc_buffer_append_char(out, '.');
    put_bare(out, jrpc_json_get(request, "verb"));
    return jrpc_buffer_append_char(out, '"');
}

static void put_target_in_method(jrpc_change *change, jrpc_slice *text)
{
    respell(change, text, with_target_in_method);
}

// The cache: the key of the last structured call, a line feed, and its result once received.
static void put_key(jrpc_change *change, const jrpc_request_parts *parts, jrpc_buffer *out)
{
    const struct {
        char sign; // a part whose sign is in the row's spelling is left out of the key
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

#define LEAVES_OUT(names) .outgoing = leave_out, .spelling = names
#define KEEPS(without) .command = give_kept, .answer = keep, .spelling = without

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("ro-method-with-target", "RC-1", "the method is user.42.get"),
     .outgoing = put_target_in_method},
    {JRPC_CLIENT_ROW("ro-subresource-dropped", "RC-1", "a parent stands without its subresource"),
     LEAVES_OUT("\"subresource\"")},
    {JRPC_CLIENT_ROW("ro-fields-missing", "RC-2", "structured Requests have the method alone"),
     LEAVES_OUT("\"resource\" \"subresource\" \"parent\" \"target\" \"verb\" \"cache\"")},
    {JRPC_CLIENT_ROW("ro-parent-dropped", "RC-2", "the parent is left out"),
     LEAVES_OUT("\"parent\"")},
    {JRPC_CLIENT_ROW("ro-target-as-text", "RC-2", "a target that is a Number becomes a String"),
     .outgoing = quote_target},
    {JRPC_CLIENT_ROW("ro-cache-dropped", "RC-2", "\"cache\": \"no-cache\" is left out"),
     LEAVES_OUT("\"cache\"")},
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
