#include "harness/live/compose.h"

#include "harness/live/effects.h"
#include "harness/live/relation.h"

#include "reference/base/utf8.h"

#include "reference/json/write.h"

#include <string.h>

#define TEXT_BYTES ((size_t)16 << 20)
#define NEEDS_MAX 64u
// A batch that is sent alone has no more calls.
#define CALLS_ALONE_MOST 16u

// Capabilities whose methods a sequence calls, a bit each by the number of the mapping.
typedef struct needs {
    const jck_target *target;
    bool used[NEEDS_MAX];
    bool connections;
} needs;

// Whether `word` is at this place.
static bool stands(jrpc_slice text, size_t at, jrpc_slice word)
{
    return word.len > 0 && word.len <= text.len - at &&
           memcmp(text.ptr + at, word.ptr, word.len) == 0;
}

// The mapping whose method name is at this place, as the value of a member `method`.
static const jck_mapping *method_at(jrpc_slice text, size_t at, needs *found)
{
    static const char before[] = "\"method\":";
    size_t len = sizeof before - 1;
    if (at < len || memcmp(text.ptr + at - len, before, len) != 0) {
        return NULL;
    }
    for (size_t i = 0; i < found->target->mapping_count && i < NEEDS_MAX; i++) {
        const jck_mapping *mapping = &found->target->mappings[i];
        if (mapping->call == NULL && stands(text, at, mapping->method)) {
            found->used[i] = true;
            return mapping;
        }
    }
    return NULL;
}

// The content of send-text: names become variables, "${" is escaped.
static bool spell(jrpc_slice text, jrpc_slice absent, needs *found, jrpc_buffer *out)
{
    for (size_t at = 0; at < text.len;) {
        const jck_mapping *mapping = method_at(text, at, found);
        if (mapping != NULL) {
            (void)jrpc_buffer_printf(out, "\"${%.*s}\"", (int)mapping->capability.len,
                                     mapping->capability.ptr);
            at += mapping->method.len;
        } else if (stands(text, at, absent)) {
            (void)jrpc_buffer_append_str(out, "${absent}");
            at += absent.len;
        } else {
            if (stands(text, at, JRPC_SLICE("${"))) {
                (void)jrpc_buffer_append_char(out, '$');
            }
            (void)jrpc_buffer_append_char(out, text.ptr[at++]);
        }
    }
    return !out->failed;
}

static bool write_hex(jrpc_slice bytes, jrpc_buffer *out)
{
    (void)jrpc_buffer_append_str(out, "\"send-hex\":\"");
    for (size_t i = 0; i < bytes.len; i++) {
        (void)jrpc_buffer_printf(out, "%02x", (unsigned)(unsigned char)bytes.ptr[i]);
    }
    return jrpc_buffer_append_char(out, '"');
}

static bool write_payload(const jck_composition *c, jrpc_slice bytes, needs *found,
                          jrpc_buffer *out)
{
    if (!jrpc_utf8_is_valid(bytes.ptr, bytes.len)) {
        return write_hex(bytes, out);
    }
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), TEXT_BYTES);
    jrpc_slice quoted = c->context->absent;
    jrpc_slice absent = jrpc_slice_inside(quoted);
    bool done = spell(bytes, absent, found, &text) &&
                jrpc_buffer_append_str(out, "\"send-text\":") &&
                jrpc_json_quote(out, jrpc_buffer_slice(&text));
    jrpc_buffer_done(&text);
    return done;
}

// Sets of ways in which clients part.
#define PARTING(name) (1u << JCK_PARTING_##name)
#define PARTINGS_LEAVING (PARTING(LEAVES) | PARTING(RESETS) | PARTING(SILENT))

static bool parts(const jck_shot *shot, unsigned partings)
{
    return (1u << shot->parting & partings) != 0;
}

static bool leaves(const jck_shot *shot)
{
    return parts(shot, PARTINGS_LEAVING);
}

static bool has_parting(const jck_composition *c, unsigned partings)
{
    bool has = false;
    for (size_t i = 0; i < c->shot_count; i++) {
        has = has || parts(&c->shots[i], partings);
    }
    return has;
}

bool jck_composition_is_related(const jck_composition *c)
{
    return c->shots[0].relation != JCK_RELATION_NONE;
}

bool jck_composition_has_visits(const jck_composition *c)
{
    return has_parting(c, PARTINGS_LEAVING | PARTING(UNREAD));
}

static bool is_counted(const jck_composition *c)
{
    return c->shots[0].parting == JCK_PARTING_COUNTED;
}

size_t jck_composition_shot(const jck_composition *c, int step)
{
    int before = is_counted(c) ? 1 : 0;
    for (size_t i = 0; i < c->shot_count; i++) {
        before += leaves(&c->shots[i]) || c->shots[i].parting == JCK_PARTING_ALONE ? 2 : 1;
        if (step < before && step >= 0) {
            return i;
        }
    }
    return c->shot_count - 1;
}

// The message of a client that does not wait for its answer, and how it leaves.
static bool write_visit(const jck_composition *c, const jck_shot *shot, needs *found,
                        jrpc_buffer *out)
{
    const char *how = shot->parting == JCK_PARTING_LEAVES ? "write" : "both";
    found->connections = true;
    if (shot->parting == JCK_PARTING_SILENT) {
        return jrpc_buffer_printf(
            out, "\"on\":\"%c\",\"close\":\"write\"},{\"on\":\"%c\",\"close\":\"both\"",
            shot->connection, shot->connection);
    }
    (void)jrpc_buffer_printf(out, "\"on\":\"%c\",%s", shot->connection,
                             shot->raw ? "\"raw\":true," : "");
    return write_payload(c, shot->bytes, found, out) &&
           (!leaves(shot) ||
            jrpc_buffer_printf(out, "},{\"on\":\"%c\",\"close\":\"%s\"", shot->connection, how));
}

// A message, and then that its answer comes before anything else is sent. What the answer says is
// judged elsewhere. False if none is due for certain.
static bool write_alone(const jck_composition *c, const jck_shot *shot, needs *found,
                        jrpc_buffer *out)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    const jck_due due = jck_due_for(c->context, shot->bytes, &document);
    const bool batch = due.kind == JCK_DUE_BATCH;
    const bool answered = due.kind == JCK_DUE_ONE || (batch && due.calls <= CALLS_ALONE_MOST);
    const jrpc_slice rule =
        batch || jck_due_is_call(&due) ? c->rules->owed : jck_live_rule_for(c->rules, &due);
    jrpc_json_document_done(&document);
    if (!answered || !write_payload(c, shot->bytes, found, out)) {
        return false;
    }
    (void)jrpc_buffer_append_str(out, batch ? "},{\"receive\":[{\"$batch\":[" : "},{\"receive\":[");
    for (size_t i = 0; i < (batch ? due.calls : 1); i++) {
        (void)jrpc_buffer_append_str(out, i == 0 ? "{\"id\":{\"$any\":true}"
                                                 : "},{\"id\":{\"$any\":true}");
    }
    return jrpc_buffer_printf(out, "%s,\"$rule\":\"%.*s\"}],\"within\":\"unprompted\"",
                              batch ? "}]" : "", (int)rule.len, rule.ptr);
}

static bool write_step(const jck_composition *c, const jck_shot *shot, needs *found,
                       jrpc_buffer *out)
{
    if (shot->relation != JCK_RELATION_NONE) {
        return write_payload(c, shot->bytes, found, out) &&
               jck_relation_write(c->rules, c->shots[0].relation, shot, out);
    }
    if (shot->parting == JCK_PARTING_ALONE) {
        return write_alone(c, shot, found, out);
    }
    if (shot->parting != JCK_PARTING_NONE && shot->parting != JCK_PARTING_COUNTED) {
        return write_visit(c, shot, found, out);
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jck_due due = jck_due_for(c->context, shot->bytes, &document);
    if (shot->connection != 'a') {
        (void)jrpc_buffer_printf(out, "\"on\":\"%c\",", shot->connection);
        found->connections = true;
    }
    bool done = write_payload(c, shot->bytes, found, out);
    jck_travel_write(&shot->travel, out);
    due.kind = shot->travel.open ? JCK_DUE_ANY : due.kind;
    done = done && jrpc_buffer_append_str(out, ",\"expect\":") &&
           jck_expect_write(c->context, c->rules, &due, out);
    jrpc_json_document_done(&document);
    return done;
}

// The form in which calls are compared with the first one; NONE: nothing is compared.
static jck_relation relation_of(const jck_composition *c)
{
    jck_relation relation = JCK_RELATION_NONE;
    for (size_t i = 0; i < c->shot_count; i++) {
        relation = c->shots[i].relation >= JCK_RELATION_ORDER ? c->shots[i].relation : relation;
    }
    return relation;
}

// The decisive rule; *ret_lenient: it is a SHOULD for this message.
static jrpc_slice own_rule(const jck_composition *c, bool *ret_lenient)
{
    if (relation_of(c) != JCK_RELATION_NONE) {
        *ret_lenient = false;
        return jck_relation_rule(c->rules, relation_of(c));
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jck_due due = jck_due_for(c->context, c->shots[c->shot_count - 1].bytes, &document);
    jrpc_slice rule = jck_live_rule_for(c->rules, &due);
    *ret_lenient =
        jck_live_is_lenient(&due) && (c->rule.len == 0 || jrpc_slice_equal(rule, c->rule));
    jrpc_json_document_done(&document);
    return c->rule.len > 0 ? c->rule : rule;
}

static void write_rules(const jck_composition *c, jrpc_buffer *out)
{
    bool lenient;
    jrpc_slice own = own_rule(c, &lenient);
    bool http = jck_target_traits(c->context->target)->exchanges;
    const jrpc_slice others[] = {c->rules->owed,
                                 http ? c->rules->empty_body : (jrpc_slice){NULL, 0}};
    (void)jrpc_buffer_append_str(out, ",\"rules\":[");
    (void)jrpc_json_quote(out, own);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (others[i].len > 0 && !jrpc_slice_equal(own, others[i])) {
            (void)jrpc_buffer_append_char(out, ',');
            (void)jrpc_json_quote(out, others[i]);
        }
    }
    (void)jrpc_buffer_append_char(out, ']');
    if (lenient) {
        (void)jrpc_buffer_printf(out, ",\"level-of\":{\"%.*s\":\"S\"}", (int)own.len, own.ptr);
    }
}

static void write_needs(const needs *found, jrpc_buffer *out)
{
    const char *before = ",\"needs\":[";
    if (found->connections) {
        (void)jrpc_buffer_printf(out, "%s\"connections\"", before);
        before = ",";
    }
    for (size_t i = 0; i < found->target->mapping_count && i < NEEDS_MAX; i++) {
        if (found->used[i]) {
            jrpc_slice name = found->target->mappings[i].capability;
            (void)jrpc_buffer_printf(out, "%s\"%.*s\"", before, (int)name.len, name.ptr);
            before = ",";
        }
    }
    (void)jrpc_buffer_append_str(out, before[1] == '\0' ? "]" : "");
}

// The members of a call of the capability `count`.
#define COUNT_CALL "{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${count}\",\"id\":\"${id}\"},"
#define COUNT_RESULT "\"expect\":{\"result\":{\"$type\":\"integer\"}},\"capture\":"

// If effects are counted: asks how many there were before the first message. False if it cannot be
// asked.
static bool begin_count(const jck_composition *c, needs *found, jrpc_buffer *out)
{
    static const jrpc_slice used[] = {JRPC_SLICE_INIT("count"), JRPC_SLICE_INIT("subtract")};
    for (size_t i = 0; i < sizeof used / sizeof *used && is_counted(c); i++) {
        const jck_mapping *mapping = jck_target_mapping(found->target, used[i]);
        const size_t number =
            mapping == NULL ? NEEDS_MAX : (size_t)(mapping - found->target->mappings);
        if (number >= NEEDS_MAX) {
            return false;
        }
        found->used[number] = true;
    }
    return !is_counted(c) ||
           jrpc_buffer_append_str(out, COUNT_CALL COUNT_RESULT "{\"before\":\"/result\"}},");
}

// … and that there are as many more after the last one as messages should have an effect.
static bool end_count(const jck_composition *c, jrpc_buffer *out)
{
    size_t effects = 0;
    for (size_t i = 0; i < c->shot_count && is_counted(c); i++) {
        if (c->shots[i].parting != JCK_PARTING_COUNTED ||
            !jck_effects_of(c->context, c->shots[i].bytes, &effects)) {
            return false;
        }
    }
    const jrpc_slice rule = effects > 0 ? c->rules->effect : c->rules->no_effect;
    return !is_counted(c) ||
           (rule.len > 0 &&
            jrpc_buffer_append_str(out, "," COUNT_CALL COUNT_RESULT "{\"after\":\"/result\"}},") &&
            jrpc_buffer_printf(
                out,
                "{\"send\":{\"jsonrpc\":\"2.0\",\"method\":\"${subtract}\",\"params\":"
                "[\"${after}\",\"${before}\"],\"id\":\"${id}\"},"
                "\"expect\":{\"any-of\":[{\"result\":%zu}],\"else\":\"%.*s\"}}",
                effects, (int)rule.len, rule.ptr));
}

bool jck_compose(const jck_composition *c, jrpc_buffer *out)
{
    needs found = {.target = c->context->target};
    (void)jrpc_buffer_append_str(out, "{\"id\":");
    (void)jrpc_json_quote(out, c->id);
    (void)jrpc_buffer_append_str(out, ",\"title\":");
    (void)jrpc_json_quote(out, c->title);
    write_rules(c, out);
    if (c->why.len > 0) {
        (void)jrpc_buffer_append_str(out, ",\"why\":");
        (void)jrpc_json_quote(out, c->why);
    }
    // Otherwise a call is sent over each new connection.
    (void)jrpc_buffer_append_str(out, has_parting(c, PARTING(SILENT)) ? ",\"bare\":true" : "");
    bool steps = c->shot_count > 1 || c->shots[0].parting != JCK_PARTING_NONE;
    bool done =
        jrpc_buffer_append_str(out, steps ? ",\"steps\":[" : ",") && begin_count(c, &found, out);
    for (size_t i = 0; i < c->shot_count && done; i++) {
        (void)jrpc_buffer_append_str(out, !steps ? "" : i == 0 ? "{" : ",{");
        done = write_step(c, &c->shots[i], &found, out);
        (void)jrpc_buffer_append_str(out, steps ? "}" : "");
    }
    done = done && end_count(c, out);
    (void)jrpc_buffer_append_str(out, steps ? "]" : "");
    write_needs(&found, out);
    return done && jrpc_buffer_append_char(out, '}');
}
