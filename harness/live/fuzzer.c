// One worker: generates the messages.
#include "harness/generate/respell.h"
#include "harness/live/live_private.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <string.h>

#define ARENA_BYTES ((size_t)4 << 20)
#define MESSAGE_BYTES ((size_t)1 << 20)
// The most messages and bytes of a round. The answers to them must fit into what a server can write
// while nobody reads.
#define ROUND_AIM 224u
#define ROUND_BYTES ((size_t)128 << 10)
// A run begins with shorter ones, in which the cause of what is wrong is found sooner. They double:
// in a run of limited time, as long as one takes less than ROUND_QUICK_US; and there they are cut
// to a quarter when one takes more than ROUND_SLOW_US.
#define ROUND_FIRST 16u
#define ROUND_QUICK_US INT64_C(250000)
#define ROUND_SLOW_US INT64_C(1000000)
// No answer counts as missing sooner than this.
#define HURRY_LEAST_MS 1000
// When so much of the next round is made, the answers to the current one are heard: that takes
// about as long as making the rest.
#define WELL_ON 3u
#define WELL_ON_OF 8u
// One message in this many does not travel as usual.
#define TRAVEL_EVERY 6u
#define TRAVEL_EVERY_STREAM 4000u
// Over TCP each piece is waited for until it is acknowledged, which takes up to 20 ms.
#define TRAVEL_EVERY_TCP 8000u
// Over several connections, so many messages on average go over one before it is another's turn:
// together they are one write.
#define MESSAGES_IN_A_ROW 6u
#define BATCH_MOST 260u
// Longer messages are not spelled in other ways: that takes long, and shows nothing more.
#define RESPELLED_MOST ((size_t)2 << 10)
#define TEXT_MOST 5000u
// One message in so many is as long as a buffer, of 256 bytes up to 32 KiB.
#define PADDED_EVERY 256u
#define PADDED_BITS 8u
// One message in so many has an id that is one character longer, up to SWEPT_MOST.
#define SWEPT_EVERY 48u
#define SWEPT_MOST 1100u
// A message with a certain answer wherever it is sent, so that the effect of earlier ones shows.
#define TRIES_MOST 8
// Of a hundred messages, so many are made by mutation. Nearly half of those may get any answer, so
// they are unwanted unless the round is mixed.
#define MUTANTS_CLEAR 30u
#define MUTANTS_MIXED 80u

static const jrpc_slice names[] = {
    {"\"jsonrpc\"", 9}, {"\"method\"", 8}, {"\"params\"", 8}, {"\"id\"", 4}, {"\"result\"", 8},
    {"\"error\"", 7},   {"\"ID\"", 4},     {"\"\"", 2},       {"\"x\"", 3},  {"\"code\"", 6},
};
static const jrpc_slice scalars[] = {
    {"null", 4},
    {"true", 4},
    {"false", 5},
    {"0", 1},
    {"-1", 2},
    {"1.5", 3},
    {"1e2", 3},
    {"\"\"", 2},
    {"\"a\"", 3},
    {"\"2.0\"", 5},
    {"{}", 2},
    {"[]", 2},
    {"1e400", 5},
    {"65536", 5},
    {"\"\\u0000\"", 8},
    {"\"\\ud800\"", 8},
    {"9007199254740993", 16},
    {"2147483648", 10},
    {"-2147483649", 11},
    {"1E00000000000000000001", 22},
};
static const jrpc_slice bytes[] = {
    {",", 1},    {":", 1},   {"}", 1},  {"]", 1},  {"\"", 1},       {"\x01", 1},
    {"\xff", 1}, {"NaN", 3}, {"\\", 1}, {"/*", 2}, {"\xC0\x80", 2}, {"\xED\xA0\x80", 3},
    {"'", 1},    {"01", 2},
};

static jck_taste taste_of(jrpc_slice capability)
{
    static const struct {
        const char *capability;
        jck_taste taste;
    } tastes[] = {{"subtract", JCK_TASTE_DIFFERENCE},
                  {"sum", JCK_TASTE_NUMBERS},
                  {"get_data", JCK_TASTE_NONE},
                  {"app_error", JCK_TASTE_ERROR}};
    for (size_t i = 0; i < sizeof tastes / sizeof *tastes; i++) {
        if (jrpc_slice_is(capability, tastes[i].capability)) {
            return tastes[i].taste;
        }
    }
    return JCK_TASTE_ANYTHING;
}

// Methods that may be called with anything, thousands of times, without waiting or harm.
static bool may_be_called(const jck_mapping *mapping)
{
    static const char *const harmless[] = {"subtract",   "sum",          "get_data",
                                           "echo",       "update",       "fail",
                                           "notify_sum", "notify_hello", "app_error"};
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless && mapping->call == NULL; i++) {
        if (jrpc_slice_is(mapping->capability, harmless[i])) {
            return true;
        }
    }
    return false;
}

// Methods named in the service's own description: a user who gives it wants them called.
static void know_described(jck_fuzzer *fuzzer, size_t *count)
{
    jrpc_json root = jck_suite_description(fuzzer->worker->ledger->options->suite);
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_get(root, "methods"));
         *count < JCK_FUZZER_METHODS && jrpc_json_step(&it);) {
        jrpc_json name = jrpc_json_get(it.value, "name");
        jrpc_json structure = jrpc_json_get(it.value, "paramStructure");
        jrpc_json own = jrpc_json_get(it.value, "x-root"); // harness/describe/mcp_tools.h
        bool known = false;
        for (size_t i = 0; i < *count && !jrpc_json_exists(own); i++) {
            known = known || jrpc_slice_equal(fuzzer->methods[i].name, jrpc_json_spelling(name));
        }
        if (!known && jrpc_json_is(name, JRPC_JSON_STRING)) {
            fuzzer->methods[(*count)++] = (jck_method){
                .name = jrpc_json_spelling(name),
                .taste = JCK_TASTE_DESCRIBED,
                .by_position = !jrpc_json_string_is(structure, JRPC_SLICE("by-name")),
                .by_name = !jrpc_json_string_is(structure, JRPC_SLICE("by-position")),
                .params = jrpc_json_get(it.value, "params"),
                .root = jrpc_json_exists(own) ? own : root,
            };
        }
    }
}

static void know_methods(jck_fuzzer *fuzzer)
{
    const jck_target *target = fuzzer->context.target;
    size_t count = 0;
    for (size_t i = 0; i < target->mapping_count && count < JCK_FUZZER_METHODS; i++) {
        const jck_mapping *mapping = &target->mappings[i];
        if (may_be_called(mapping)) {
            fuzzer->methods[count++] = (jck_method){.name = mapping->method,
                                                    .taste = taste_of(mapping->capability),
                                                    .by_position = mapping->by_position,
                                                    .by_name = mapping->by_name};
        }
    }
    know_described(fuzzer, &count);
    fuzzer->grammar.methods = fuzzer->methods;
    fuzzer->grammar.method_count = count;
}

// Whole messages that the mutator inserts.
static void know_messages(jck_fuzzer *fuzzer)
{
    size_t count = 0;
    for (size_t i = 0; i < JCK_FUZZER_WORDS; i++) {
        jrpc_buffer_clear(&fuzzer->message);
        if (jck_grammar_call(&fuzzer->grammar, &fuzzer->random, &fuzzer->message) &&
            jrpc_arena_copy(&fuzzer->arena, jrpc_buffer_slice(&fuzzer->message),
                            &fuzzer->messages[count])) {
            count++;
        }
    }
    fuzzer->vocabulary = (jck_vocabulary){
        .names = {names, sizeof names / sizeof *names},
        .scalars = {scalars, sizeof scalars / sizeof *scalars},
        .messages = {fuzzer->messages, count},
        .bytes = {bytes, sizeof bytes / sizeof *bytes},
    };
}

static void fill_next(void *context)
{
    jck_fuzzer *fuzzer = context;
    jck_fuzzer_fill(fuzzer, fuzzer->next);
}

bool jck_fuzzer_init(jck_fuzzer *fuzzer, jck_live *live, jck_worker *worker, unsigned number)
{
    const jck_ledger *ledger = worker->ledger;
    const jck_run_options *options = ledger->options;
    *fuzzer = (jck_fuzzer){.live = live, .worker = worker, .aim = ROUND_AIM, .pace = ROUND_FIRST};
    jck_ahead_init(&fuzzer->ahead, fill_next, fuzzer);
    jrpc_arena_init(&fuzzer->arena, jrpc_allocator_heap(), ARENA_BYTES);
    jrpc_buffer_init(&fuzzer->message, jrpc_allocator_heap(), MESSAGE_BYTES);
    jrpc_buffer_init(&fuzzer->written, jrpc_allocator_heap(), JRPC_LIMIT_STDERR_TAIL_BYTES);
    jrpc_buffer_init(&fuzzer->written_before, jrpc_allocator_heap(), JRPC_LIMIT_STDERR_TAIL_BYTES);
    jrpc_random_init(&fuzzer->random, live->options.seed + number);
    jrpc_random_init(&fuzzer->splits, ~(live->options.seed + number));
    jck_variables_init(&fuzzer->variables, &fuzzer->arena, options->target, options->nonce, 0);
    fuzzer->context = (jck_due_context){
        .target = options->target,
        .calibration = &ledger->calibration,
        .absent = jck_variables_absent(&fuzzer->variables),
    };
    fuzzer->single = !jck_target_traits(options->target)->can_reconnect;
    fuzzer->grammar = (jck_grammar){
        .absent = fuzzer->context.absent,
        .batches = !ledger->silent_on_batch,
        .texts = !ledger->mute_on_parse_error,
        .params = jck_link_connection(&worker->link, 'a')->fence.with_params,
        .batch_most = BATCH_MOST,
        .text_most = TEXT_MOST,
    };
    // Over a byte stream each piece costs a wait.
    const jrpc_traits *traits = jck_target_traits(options->target);
    bool tcp = traits->byte_stream && traits->address == JRPC_ADDRESS_PORT;
    fuzzer->travel_every = tcp                   ? TRAVEL_EVERY_TCP
                           : traits->byte_stream ? TRAVEL_EVERY_STREAM
                                                 : TRAVEL_EVERY;
    const jck_target *target = options->target;
    fuzzer->travels.headers = target->prelude_count == 0 && target->mirrors == NULL &&
                              (target->headers == NULL || target->headers[0] == NULL);
    fuzzer->round = &fuzzer->both[0];
    fuzzer->next = &fuzzer->both[1];
    jck_round_init(fuzzer->round, &worker->link, &fuzzer->context);
    jck_round_init(fuzzer->next, &worker->link, &fuzzer->context);
    jck_replay_init(&fuzzer->replay, worker, &fuzzer->context, live->options.profile);
    know_methods(fuzzer);
    know_messages(fuzzer);
    jck_mutator_init(&fuzzer->mutator, &fuzzer->vocabulary);
    return !fuzzer->arena.failed && !fuzzer->message.failed;
}

void jck_fuzzer_done(jck_fuzzer *fuzzer)
{
    jck_ahead_done(&fuzzer->ahead);
    jck_replay_done(&fuzzer->replay);
    jck_round_done(fuzzer->round);
    jck_round_done(fuzzer->next);
    jrpc_buffer_done(&fuzzer->written_before);
    jrpc_buffer_done(&fuzzer->written);
    jrpc_buffer_done(&fuzzer->message);
    jrpc_arena_done(&fuzzer->arena);
}

// One of the messages that were worth keeping, mutated a few times.
static bool make_mutant(jck_fuzzer *fuzzer)
{
    if (!jck_pool_pick(&fuzzer->live->pool, &fuzzer->random, &fuzzer->message)) {
        return false;
    }
    size_t len = fuzzer->message.len;
    size_t room = len * 2 + 4096;
    char *grown;
    if (!jrpc_buffer_reserve(&fuzzer->message, room, &grown)) {
        return false;
    }
    // Each change reads the whole text again, and one that shows something new is kept anyhow.
    size_t times = jrpc_random_below(&fuzzer->random, 3) > 0
                       ? 1
                       : 2 + (size_t)jrpc_random_below(&fuzzer->random, 2);
    for (size_t i = 0; i < times; i++) {
        len = jck_mutate(&fuzzer->mutator, (uint8_t *)fuzzer->message.ptr, len,
                         fuzzer->message.len + room, jrpc_random_next(&fuzzer->random));
    }
    if (len < fuzzer->message.len) {
        jrpc_buffer_truncate(&fuzzer->message, len);
    } else {
        jrpc_buffer_grew(&fuzzer->message, len - fuzzer->message.len);
    }
    return true;
}

// Respells the message, if it is JSON.
static void respell(jck_fuzzer *fuzzer)
{
    jrpc_json_document document;
    jrpc_buffer other;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_buffer_init(&other, jrpc_allocator_heap(), MESSAGE_BYTES);
    // Numbers seldom: a target may refuse 1.0 where it wants a whole number.
    unsigned how = JCK_RESPELL_SPACE | JCK_RESPELL_ORDER | JCK_RESPELL_ESCAPES |
                   (jrpc_random_below(&fuzzer->random, 4) == 0 ? JCK_RESPELL_NUMBERS : 0);
    if (jrpc_json_read(&document, jrpc_buffer_slice(&fuzzer->message), 64, NULL) &&
        jck_respell(jrpc_json_root(&document), how, &fuzzer->random, &other)) {
        jrpc_buffer_clear(&fuzzer->message);
        (void)jrpc_buffer_append(&fuzzer->message, jrpc_buffer_slice(&other));
    }
    jrpc_buffer_done(&other);
    jrpc_json_document_done(&document);
}

// Makes the message exactly as long as a buffer may be, or one byte shorter or longer, by white
// space after its first bracket.
static void pad(jck_fuzzer *fuzzer)
{
    const size_t len = fuzzer->message.len;
    const size_t unit = (size_t)256 << jrpc_random_below(&fuzzer->random, PADDED_BITS);
    const size_t edge = (len / unit + 1) * unit + (size_t)jrpc_random_below(&fuzzer->random, 3) - 1;
    char *room;
    if (len == 0 || edge <= len ||
        (fuzzer->message.ptr[0] != '{' && fuzzer->message.ptr[0] != '[') ||
        !jrpc_buffer_reserve(&fuzzer->message, edge - len, &room)) {
        return;
    }
    memmove(fuzzer->message.ptr + 1 + (edge - len), fuzzer->message.ptr + 1, len - 1);
    memset(fuzzer->message.ptr + 1, ' ', edge - len);
    jrpc_buffer_grew(&fuzzer->message, edge - len);
}

// A call whose id is a character longer than the one before: answers of every length follow, also
// those that fill a buffer exactly.
static void make_longer(jck_fuzzer *fuzzer)
{
    const size_t len = fuzzer->swept++ % SWEPT_MOST;
    char *room;
    (void)jrpc_buffer_printf(&fuzzer->message,
                             "{\"jsonrpc\":\"2.0\",\"method\":%.*s,\"params\":[],\"id\":\"",
                             (int)fuzzer->context.absent.len, fuzzer->context.absent.ptr);
    if (jrpc_buffer_reserve(&fuzzer->message, len + 1, &room)) {
        memset(room, 'i', len);
        jrpc_buffer_grew(&fuzzer->message, len);
    }
    (void)jrpc_buffer_append_str(&fuzzer->message, "\"}");
}

static void make_message(jck_fuzzer *fuzzer, bool mixed)
{
    const uint64_t kind = jrpc_random_below(&fuzzer->random, 100);
    const uint64_t mutants = mixed ? MUTANTS_MIXED : MUTANTS_CLEAR;
    jrpc_buffer_clear(&fuzzer->message);
    if (jrpc_random_below(&fuzzer->random, SWEPT_EVERY) == 0) {
        make_longer(fuzzer);
        return;
    }
    if (kind < 20) {
        (void)jck_grammar_call(&fuzzer->grammar, &fuzzer->random, &fuzzer->message);
    } else if (kind < 100 - mutants || !make_mutant(fuzzer)) {
        (void)jck_grammar_message(&fuzzer->grammar, &fuzzer->random, &fuzzer->message);
    }
    if (jrpc_random_below(&fuzzer->random, 12) == 0 && fuzzer->message.len <= RESPELLED_MOST) {
        respell(fuzzer);
    }
    if (jrpc_random_below(&fuzzer->random, PADDED_EVERY) == 0) {
        pad(fuzzer);
    }
}

// Whether the message last added should be left out of this round: one that allows any answer hides
// what its neighbours do; one known to break the connection costs a round.
static bool is_unwanted(jck_fuzzer *fuzzer, const jck_round *round, bool mixed)
{
    const jck_due *due = &round->sent[round->count - 1].due;
    return (due->kind == JCK_DUE_ANY && !mixed) ||
           (jrpc_random_below(&fuzzer->random, 64) > 0 &&
            jck_kinds_is_avoided(&fuzzer->live->kinds, jck_due_class(due)));
}

void jck_fuzzer_fill(jck_fuzzer *fuzzer, jck_round *round)
{
    bool mixed = jrpc_random_below(&fuzzer->random, 6) == 0;
    size_t connections =
        fuzzer->single || fuzzer->in_turn || jrpc_random_below(&fuzzer->random, 8) > 0
            ? 1
            : 2 + (size_t)jrpc_random_below(&fuzzer->random, 3);
    size_t most = fuzzer->aim < fuzzer->pace ? fuzzer->aim : fuzzer->pace;
    size_t aim = 1 + (size_t)jrpc_random_below(&fuzzer->random, most);
    aim = jrpc_random_below(&fuzzer->random, 4) == 0 ? aim : most;
    fuzzer->grammar.clear = !mixed;
    jck_round_clear(round);
    char connection = 'a';
    bool told = false;
    for (size_t tries = 0; round->count < aim && tries < TRIES_MOST * aim; tries++) {
        if (connections > 1 && jrpc_random_below(&fuzzer->random, MESSAGES_IN_A_ROW) == 0) {
            connection = (char)('a' + jrpc_random_below(&fuzzer->random, connections));
        }
        if (!told && round->count * WELL_ON_OF >= aim * WELL_ON) {
            told = true;
            jck_ahead_tell(&fuzzer->ahead);
        }
        make_message(fuzzer, mixed);
        jck_travel travel = {.piece_count = 0};
        if (jrpc_random_below(&fuzzer->random, fuzzer->travel_every) == 0) {
            travel = jck_travel_pick(fuzzer->context.target, &fuzzer->travels, fuzzer->message.len,
                                     mixed, &fuzzer->random);
        }
        if (fuzzer->message.failed || round->bytes.len + fuzzer->message.len > ROUND_BYTES ||
            !jck_round_add(round, connection, jrpc_buffer_slice(&fuzzer->message), &travel)) {
            continue;
        }
        if (is_unwanted(fuzzer, round, mixed)) {
            jck_round_take_back(round);
        }
    }
}

void jck_fuzzer_keep_pace(jck_fuzzer *fuzzer, int64_t took_us)
{
    const bool counted = fuzzer->live->options.max_messages > 0;
    if (!counted && took_us > ROUND_SLOW_US) {
        fuzzer->pace = fuzzer->pace > 4 ? fuzzer->pace / 4 : 1;
    } else if ((counted || took_us < ROUND_QUICK_US) && fuzzer->pace < ROUND_AIM) {
        fuzzer->pace *= 2;
    }
}

void jck_fuzzer_hurry(jck_fuzzer *fuzzer)
{
    const jck_timing *full = &fuzzer->worker->ledger->options->timing;
    const jck_timing learned = jck_ledger_timing(fuzzer->worker->ledger);
    int64_t least_ms = full->reply_ms < HURRY_LEAST_MS ? full->reply_ms : HURRY_LEAST_MS;
    jck_timing *timing = &fuzzer->worker->link.timing;
    *timing = *full; // an earlier round may have set shorter times
    timing->reply_ms = learned.reply_ms > least_ms ? learned.reply_ms : least_ms;
}
