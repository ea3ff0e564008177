#include "harness/live/relation.h"

#include "harness/generate/respell.h"
#include "harness/live/repeat.h"
#include "reference/json/read.h"

#include <string.h>

#define COPIES 8u
// Attempts to spell a call differently.
#define SPELLINGS 6u
#define DEPTH_MOST 64u
#define TEXT_BYTES ((size_t)1 << 20)

// Which of the copies have the other form. The pattern has no period, so a method that answers
// every second call differently gives the unchanged calls different answers too.
static const bool changed[COPIES] = {false, false, true, true, false, true, true, false};

jrpc_slice jck_relation_rule(const jck_live_rules *rules, jck_relation relation)
{
    switch (relation) {
    case JCK_RELATION_ORDER:
        return rules->order;
    case JCK_RELATION_ESCAPES:
        return rules->escapes;
    case JCK_RELATION_BATCH:
        return rules->independent;
    case JCK_RELATION_AFTER:
    case JCK_RELATION_RESULT:
    case JCK_RELATION_FAILURE:
    case JCK_RELATION_SAME:
    case JCK_RELATION_NONE:
        break;
    }
    return rules->stateless;
}

// Replaces the text of a shot by another spelling of it. False if there is none.
static bool spell_otherwise(jck_shot *shot, unsigned how, jrpc_random *random, jrpc_arena *arena)
{
    jrpc_json_document document;
    jrpc_buffer other;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_buffer_init(&other, jrpc_allocator_heap(), TEXT_BYTES);
    bool differs = false;
    if (jrpc_json_read(&document, shot->bytes, DEPTH_MOST, NULL)) {
        for (size_t i = 0; i < SPELLINGS && !differs; i++) {
            jrpc_buffer_clear(&other);
            differs = jck_respell(jrpc_json_root(&document), how, random, &other) &&
                      !jrpc_slice_equal(jrpc_buffer_slice(&other), shot->bytes);
        }
    }
    differs = differs && jrpc_arena_copy(arena, jrpc_buffer_slice(&other), &shot->bytes);
    jrpc_buffer_done(&other);
    jrpc_json_document_done(&document);
    return differs;
}

// Puts the call of a shot into an Array, after a call of the method that does not exist.
static bool put_into_batch(jck_shot *shot, size_t number, jrpc_slice absent, jrpc_arena *arena)
{
    const char *text = jrpc_arena_printf(
        arena, "[{\"jsonrpc\":\"2.0\",\"method\":%.*s,\"id\":\"beside-%zu\"},%.*s]",
        (int)absent.len, absent.ptr, number, (int)shot->bytes.len, shot->bytes.ptr);
    shot->bytes = text == NULL ? shot->bytes : jrpc_slice_str(text);
    return text != NULL;
}

static bool change(jck_shot *shot, size_t number, jck_relation relation, jrpc_slice absent,
                   jrpc_random *random, jrpc_arena *arena)
{
    switch (relation) {
    case JCK_RELATION_ORDER:
        return spell_otherwise(shot, JCK_RESPELL_SPACE | JCK_RESPELL_ORDER, random, arena);
    case JCK_RELATION_ESCAPES:
        return spell_otherwise(shot, JCK_RESPELL_ESCAPES, random, arena);
    case JCK_RELATION_BATCH:
        return put_into_batch(shot, number, absent, arena);
    case JCK_RELATION_AFTER:
        return true;
    case JCK_RELATION_NONE:
    case JCK_RELATION_RESULT:
    case JCK_RELATION_FAILURE:
    case JCK_RELATION_SAME:
        break;
    }
    return false;
}

size_t jck_relation_make(jrpc_slice call, jck_relation first, jck_relation relation,
                         jrpc_slice before, jrpc_slice absent, jrpc_random *random,
                         jrpc_arena *arena, jck_shot *ret_shots)
{
    jck_shot copies[COPIES];
    const jck_shot one = {.connection = 'a', .bytes = call};
    size_t count = 0;
    bool made = jck_repeat(&one, 1, COPIES, arena, copies);
    for (size_t i = 0; i < COPIES && made; i++) {
        if (changed[i] && relation == JCK_RELATION_AFTER) {
            ret_shots[count++] = (jck_shot){.connection = 'a', .bytes = before};
        }
        made = !changed[i] || change(&copies[i], i, relation, absent, random, arena);
        copies[i].relation = changed[i] ? relation : JCK_RELATION_SAME;
        ret_shots[count++] = copies[i];
    }
    ret_shots[0].relation = first;
    return made ? count : 0;
}

// The members of a Response that is equal to the first one, or as like it as every right one is.
static const char *members(jck_relation first, bool equal)
{
    return first == JCK_RELATION_FAILURE ? equal ? "\"error\":{\"code\":\"${first}\"}"
                                                 : "\"error\":{\"code\":{\"$type\":\"integer\"}}"
           : equal                       ? "\"result\":\"${first}\""
                                         : "\"result\":{\"$any\":true}";
}

// Begins the pattern of an Array: its first element answers the call beside the compared one. That
// call is known by its id, since the answers may come in any order.
static bool begin_batch(jrpc_slice message, jrpc_buffer *out)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_slice id = JRPC_SLICE("{\"$any\":true}");
    if (jrpc_json_read(&document, message, DEPTH_MOST, NULL)) {
        const jrpc_json beside =
            jrpc_json_get(jrpc_json_element(jrpc_json_root(&document), 0), "id");
        id = jrpc_json_is(beside, JRPC_JSON_STRING) ? jrpc_json_spelling(beside) : id;
    }
    const bool done = jrpc_buffer_printf(out, "\"batch\":[{\"id\":%.*s},{", (int)id.len, id.ptr);
    jrpc_json_document_done(&document);
    return done;
}

bool jck_relation_write(const jck_live_rules *rules, jck_relation first, const jck_shot *shot,
                        jrpc_buffer *out)
{
    const jck_relation relation = shot->relation;
    const jrpc_slice rule = jck_relation_rule(rules, relation);
    const bool batch = relation == JCK_RELATION_BATCH;
    const char *end = batch ? ",\"id\":{\"$any\":true}}]" : "";
    if (relation == first) {
        return jrpc_buffer_printf(out, ",\"expect\":{%s},\"capture\":{\"first\":\"%s\"}",
                                  members(first, false),
                                  first == JCK_RELATION_FAILURE ? "/error/code" : "/result");
    }
    // Another result, or another error, is a SHOULD at most: no sentence says what a method gives.
    (void)jrpc_buffer_append_str(out, ",\"expect\":{\"any-of\":[{");
    for (int equal = 1; equal >= 0; equal--) {
        (void)(batch && begin_batch(shot->bytes, out));
        (void)jrpc_buffer_printf(out, "%s%s%s", members(first, equal == 1), end,
                                 equal == 1 ? "},{" : ",");
    }
    return jrpc_buffer_printf(out, "\"as\":\"warn\",\"rule\":\"%.*s\"}],\"else\":\"%.*s\"}",
                              (int)rule.len, rule.ptr, (int)rule.len, rule.ptr);
}

bool jck_relation_is_shown(const jck_composition *composition, const jck_findings *findings,
                           const jck_finding **ret_worst)
{
    bool shown[JCK_RELATION_SHOTS] = {false};
    const jck_finding *worst = NULL;
    for (size_t i = 0; i < findings->count; i++) {
        const jck_finding *finding = &findings->items[i];
        // Each shot is one step.
        const size_t last = composition->shot_count - 1;
        const size_t step = finding->step < 0 ? 0 : (size_t)finding->step;
        const size_t at = step < last ? step : last;
        if (finding->level == JCK_LEVEL_OBSERVE) {
            continue;
        }
        if (composition->shots[at].relation < JCK_RELATION_ORDER) {
            return false;
        }
        shown[at] = true;
        worst = worst == NULL || finding->level >= worst->level ? finding : worst;
    }
    bool all = worst != NULL;
    for (size_t i = 0; i < composition->shot_count; i++) {
        all = all && (shown[i] || composition->shots[i].relation < JCK_RELATION_ORDER);
    }
    *ret_worst = worst;
    return all;
}
