// From time to time, a call of a method whose results are not known is compared with the same call
// in another form (relation.h).
#include "harness/generate/normalize.h"
#include "harness/live/live_private.h"
#include "harness/live/relation.h"
#include "harness/live/result.h"
#include "reference/base/hash.h"

// Rounds between two comparisons.
#define ROUNDS_BETWEEN 4u
#define MESSAGE_MOST ((size_t)4 << 10)
#define RESULT_BYTES ((size_t)64 << 10)
#define ARENA_BYTES ((size_t)1 << 20)

static bool is_result_known(const jck_due *due)
{
    jrpc_buffer result;
    jrpc_buffer_init(&result, jrpc_allocator_heap(), RESULT_BYTES);
    const bool known = due->form == JCK_FORM_KNOWN && jck_result_write(due, &result);
    jrpc_buffer_done(&result);
    return known;
}

static bool is_method_of_ours(const jck_fuzzer *fuzzer, const jck_due *due)
{
    const jrpc_slice method = jrpc_json_spelling(jrpc_json_get(due->value, "method"));
    bool found = false;
    for (size_t i = 0; i < fuzzer->grammar.method_count; i++) {
        found = found || jrpc_slice_equal(fuzzer->methods[i].name, method);
    }
    return found;
}

// Whether it is an ordinary message that owes one Response and got the right one.
static bool is_answered_plainly(const jck_sent *sent)
{
    return sent->due.kind == JCK_DUE_ONE && sent->due.odd == 0 && sent->answered &&
           sent->symptom == JCK_SYMPTOM_NONE && sent->bytes.len <= MESSAGE_MOST &&
           jck_travel_is_usual(&sent->travel);
}

// Whether it is a call of a method whose results are not known.
static bool is_comparable(const jck_fuzzer *fuzzer, const jck_sent *sent)
{
    const jck_due *due = &sent->due;
    return (due->form == JCK_FORM_KNOWN || due->form == JCK_FORM_OTHER) &&
           is_answered_plainly(sent) && jrpc_json_exists(due->id) &&
           !jrpc_json_is(due->id, JRPC_JSON_NULL) && jrpc_json_exists(due->params) &&
           is_method_of_ours(fuzzer, due) && !is_result_known(due);
}

// Whether it is a message that must not have any effect.
static bool is_without_effect(const jck_sent *sent)
{
    const jck_due_form form = sent->due.form;
    return (form == JCK_FORM_CUT || form == JCK_FORM_SCALAR || form == JCK_FORM_EMPTY ||
            form == JCK_FORM_INVALID) &&
           is_answered_plainly(sent);
}

static const jck_sent *pick(jck_fuzzer *fuzzer, bool call)
{
    const jck_round *round = fuzzer->round;
    const size_t first = (size_t)jrpc_random_below(&fuzzer->splits, round->count);
    for (size_t i = 0; i < round->count; i++) {
        const jck_sent *sent = &round->sent[(first + i) % round->count];
        if (call ? is_comparable(fuzzer, sent) : is_without_effect(sent)) {
            return sent;
        }
    }
    return NULL;
}

// Copies a call in the usual spelling, so that a difference shows what the other form does.
static bool copy_as_usual(jrpc_slice call, jrpc_arena *arena, jrpc_slice *ret)
{
    const unsigned all = JCK_RESPELL_SPACE | JCK_RESPELL_ORDER | JCK_RESPELL_ESCAPES;
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), 2 * MESSAGE_MOST);
    const bool done =
        jck_normalize(call, all, &text) && jrpc_arena_copy(arena, jrpc_buffer_slice(&text), ret);
    jrpc_buffer_done(&text);
    return done;
}

static size_t make(jck_fuzzer *fuzzer, jck_relation relation, jrpc_arena *arena, jck_shot *shots)
{
    const jck_sent *call = pick(fuzzer, true);
    const jck_sent *before = relation == JCK_RELATION_AFTER ? pick(fuzzer, false) : NULL;
    const bool lacks = call == NULL || (relation == JCK_RELATION_AFTER && before == NULL) ||
                       (relation == JCK_RELATION_BATCH && !fuzzer->grammar.batches);
    jrpc_slice text;
    jrpc_slice other = {NULL, 0};
    if (lacks || !copy_as_usual(call->bytes, arena, &text) ||
        (before != NULL && !jrpc_arena_copy(arena, before->bytes, &other))) {
        return 0;
    }
    const jck_relation first = call->failed ? JCK_RELATION_FAILURE : JCK_RELATION_RESULT;
    return jck_relation_make(text, first, relation, other, fuzzer->context.absent, &fuzzer->splits,
                             arena, shots);
}

bool jck_fuzzer_relate(jck_fuzzer *fuzzer)
{
    if (fuzzer->round->count == 0 || ++fuzzer->unrelated < ROUNDS_BETWEEN ||
        jck_live_is_over(fuzzer->live, fuzzer->worker)) {
        return true;
    }
    fuzzer->unrelated = 0;
    static const jck_relation all[] = {JCK_RELATION_ORDER, JCK_RELATION_ESCAPES, JCK_RELATION_BATCH,
                                       JCK_RELATION_AFTER};
    const jck_relation relation = all[fuzzer->related % (sizeof all / sizeof *all)];
    const uint64_t key = jrpc_hash_number(jrpc_hash_bytes(JRPC_SLICE("related")), relation);
    if (jck_relation_rule(&fuzzer->replay.rules, relation).len == 0 ||
        !jck_kinds_is_open(&fuzzer->live->kinds, key)) {
        fuzzer->related++;
        return true;
    }
    jck_shot shots[JCK_RELATION_SHOTS];
    jck_hunted result = JCK_HUNTED_NOTHING;
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    const size_t count = make(fuzzer, relation, &arena, shots);
    if (count > 0) {
        fuzzer->related++;
        jck_live_count(fuzzer->live, fuzzer->worker, count);
        result = jck_fuzzer_try(fuzzer, shots, count, false, false);
    }
    if (result == JCK_HUNTED_FINDING) {
        jck_kinds_settle(&fuzzer->live->kinds, key, true);
    }
    jrpc_arena_done(&arena);
    return result != JCK_HUNTED_STOP;
}
