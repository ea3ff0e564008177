// Whether notifications take effect once, and messages that are not valid never: between two calls
// of `count`, messages are sent whose effects are certain.
#include "harness/live/effects.h"
#include "harness/live/live_private.h"
#include "reference/base/hash.h"

// Effects are counted after this many rounds.
#define ROUNDS_BETWEEN 12u
#define MESSAGES_MOST 5u
#define ELEMENTS_MOST 5u
#define ARENA_BYTES ((size_t)256 << 10)

static uint64_t below(jck_fuzzer *fuzzer, uint64_t bound)
{
    return jrpc_random_below(&fuzzer->splits, bound);
}

static void put_method(jck_fuzzer *fuzzer, jrpc_slice method)
{
    (void)jrpc_buffer_append_str(&fuzzer->message, ",\"method\":");
    (void)jrpc_buffer_append(&fuzzer->message, method);
}

// A notification of `update` and of the method that does not exist, or a call of the latter.
static void put_element(jck_fuzzer *fuzzer, const jck_mapping *update)
{
    const uint64_t kind = below(fuzzer, 6);
    (void)jrpc_buffer_append_str(&fuzzer->message, "{\"jsonrpc\":\"2.0\"");
    put_method(fuzzer, kind < 4 ? update->method : fuzzer->context.absent);
    (void)jrpc_buffer_printf(&fuzzer->message, ",\"params\":[%u,%u]", (unsigned)below(fuzzer, 1000),
                             (unsigned)below(fuzzer, 1000));
    if (kind == 5) {
        (void)jrpc_buffer_printf(&fuzzer->message, ",\"id\":%u", (unsigned)below(fuzzer, 1u << 24));
    }
    (void)jrpc_buffer_append_char(&fuzzer->message, '}');
}

static void put_valid(jck_fuzzer *fuzzer, const jck_mapping *update)
{
    if (!fuzzer->grammar.batches || below(fuzzer, 2) == 0) {
        put_element(fuzzer, update);
        return;
    }
    const size_t count = 1 + (size_t)below(fuzzer, ELEMENTS_MOST);
    for (size_t i = 0; i < count; i++) {
        (void)jrpc_buffer_append_char(&fuzzer->message, i == 0 ? '[' : ',');
        put_element(fuzzer, update);
    }
    (void)jrpc_buffer_append_char(&fuzzer->message, ']');
}

// A message that names `update` and is not valid, or that breaks off after a notification.
static void put_invalid(jck_fuzzer *fuzzer, const jck_mapping *update)
{
    static const char *const heads[] = {"{\"jsonrpc\":\"1.0\"", "{\"jsonrpc\":2",
                                        "{\"jsonrpc\":\"2.0\"", "{\"jsonrpc\":\"2.0\"",
                                        "[{\"jsonrpc\":\"2.0\""};
    static const char *const tails[] = {
        ",\"params\":[1,2],\"id\":7}", ",\"params\":[1,2],\"id\":8}",
        ",\"params\":[1,2],\"id\":{}}", ",\"params\":\"x\",\"id\":9}",
        ",\"params\":[1,2]},{\"jsonrpc\":"};
    enum { KINDS = sizeof heads / sizeof *heads, CUT = KINDS - 1 };
    const size_t kinds = fuzzer->grammar.batches && fuzzer->grammar.texts ? KINDS : CUT;
    const size_t kind = (size_t)below(fuzzer, kinds);
    (void)jrpc_buffer_append_str(&fuzzer->message, heads[kind]);
    put_method(fuzzer, update->method);
    (void)jrpc_buffer_append_str(&fuzzer->message, tails[kind]);
}

static bool count(jck_fuzzer *fuzzer, const jck_mapping *update, bool valid, jrpc_arena *arena,
                  jck_hunted *ret)
{
    jck_shot shots[MESSAGES_MOST];
    const size_t shot_count = 1 + (size_t)below(fuzzer, MESSAGES_MOST);
    for (size_t i = 0; i < shot_count; i++) {
        shots[i] = (jck_shot){.connection = 'a', .parting = JCK_PARTING_COUNTED};
        jrpc_buffer_clear(&fuzzer->message);
        if (valid) {
            put_valid(fuzzer, update);
        } else {
            put_invalid(fuzzer, update);
        }
        if (!jrpc_arena_copy(arena, jrpc_buffer_slice(&fuzzer->message), &shots[i].bytes)) {
            return false;
        }
    }
    jck_live_count(fuzzer->live, fuzzer->worker, shot_count);
    *ret = jck_fuzzer_try(fuzzer, shots, shot_count, false, false);
    return true;
}

// The method `update`, if its effects can be counted; else NULL. Nobody else may call it meanwhile.
static const jck_mapping *find_update(jck_fuzzer *fuzzer)
{
    const jck_target *target = fuzzer->context.target;
    const jck_mapping *update = jck_target_mapping(target, JRPC_SLICE("update"));
    const jck_mapping *counts = jck_target_mapping(target, JRPC_SLICE("count"));
    const jck_mapping *subtract = jck_target_mapping(target, JRPC_SLICE("subtract"));
    const bool mapped = update != NULL && counts != NULL && subtract != NULL &&
                        update->call == NULL && counts->call == NULL && subtract->call == NULL &&
                        update->by_position && subtract->by_position;
    (void)pthread_mutex_lock(&fuzzer->live->lock);
    const bool only = fuzzer->live->workers == 1;
    (void)pthread_mutex_unlock(&fuzzer->live->lock);
    return mapped && (only || fuzzer->single) ? update : NULL;
}

bool jck_fuzzer_count_effects(jck_fuzzer *fuzzer)
{
    const jck_mapping *update = find_update(fuzzer);
    if (update == NULL || ++fuzzer->uncounted < ROUNDS_BETWEEN ||
        jck_live_is_over(fuzzer->live, fuzzer->worker)) {
        return true;
    }
    fuzzer->uncounted = 0;
    const bool valid = below(fuzzer, 2) == 0;
    const uint64_t key = jrpc_hash_number(jrpc_hash_bytes(JRPC_SLICE("effects")), valid ? 1 : 0);
    if (!jck_kinds_is_open(&fuzzer->live->kinds, key)) {
        return true;
    }
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jck_hunted result = JCK_HUNTED_NOTHING;
    if (count(fuzzer, update, valid, &arena, &result) && result == JCK_HUNTED_FINDING) {
        jck_kinds_settle(&fuzzer->live->kinds, key, true);
    }
    jrpc_arena_done(&arena);
    return result != JCK_HUNTED_STOP;
}
