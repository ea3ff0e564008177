// Whole runs of the suite's own cases against a server inside of the test: a router without methods
// behind a scripted peer, over a clock that nobody waits for. A test says what the server does
// otherwise, and looks at what the stream says of each case.
#ifndef JCK_TEST_SCRIPTED_RUN_H
#define JCK_TEST_SCRIPTED_RUN_H

#include "harness/run/runner.h"
#include "reference/rpc/router.h"
#include "tests/unit/net/scripted_peer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { REPORTED_MAX = 2048, RUN_QUIET_MS = 50, RUN_REPLY_MS = 2000 };
#define RUN_BYTES ((size_t)64 << 20)

// A line of the stream about a case.
typedef struct reported_case {
    char kind[16]; // "case" or "ground"
    char id[96];
    char outcome[16];
    char reason[32]; // its code
    char way[16];
    char company[96]; // the first case of it
    size_t company_count;
    char rule[32]; // of the first finding
    size_t attempts;
} reported_case;

typedef struct scripted_run {
    script side;
    jrpc_router *router;
    jck_target target;
    jrpc_arena arena;
    jck_run_options options;
    bool *selected;
    reported_case lines[REPORTED_MAX];
    size_t count;
    char stop[32]; // of the line "finish"
    jck_run_result result;
} scripted_run;

static jck_suite *run_suite; // of all tests of a program: loading it takes longer than they do

static int run_load_suite(void **state)
{
    (void)state;
    jrpc_error error = {.code = JRPC_OK};
    run_suite = jck_suite_load("cases", NULL, NULL, &error);
    if (run_suite == NULL) {
        print_error("%s\n", error.message);
    }
    return run_suite == NULL;
}

static int run_free_suite(void **state)
{
    (void)state;
    jck_suite_free(run_suite);
    return 0;
}

// What a right server answers; nothing where nothing is owed.
static inline void run_answer(scripted *c, int64_t after_ms, const char *text)
{
    scripted_run *run = c->of->context;
    jrpc_buffer out;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), RUN_BYTES);
    if (jrpc_router_handle(run->router, jrpc_slice_str(text), SCRIPT_DEPTH, NULL, &out, NULL) ==
        JRPC_REPLY_TEXT) {
        (void)jrpc_buffer_append_char(&out, '\0');
        script_say(c, after_ms, out.ptr);
    }
    jrpc_buffer_done(&out);
}

static inline void run_answer_rightly(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    run_answer(c, 1, text);
}

static inline void run_copy(char *out, size_t size, jrpc_json value)
{
    jrpc_slice spelling = jrpc_json_spelling(value);
    bool string = jrpc_json_is(value, JRPC_JSON_STRING);
    (void)snprintf(out, size, "%.*s", string ? (int)spelling.len - 2 : (int)spelling.len,
                   spelling.ptr == NULL ? "" : spelling.ptr + string);
}

static inline void run_take_line(void *context, jrpc_slice line)
{
    scripted_run *run = context;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, line, SCRIPT_DEPTH, NULL));
    jrpc_json event = jrpc_json_root(&document);
    jrpc_json kind = jrpc_json_get(event, "event");
    if (jrpc_json_string_is(kind, JRPC_SLICE("finish"))) {
        run_copy(run->stop, sizeof run->stop, jrpc_json_get(event, "stop"));
    } else if (jrpc_json_exists(jrpc_json_get(event, "outcome"))) {
        assert_in_range(run->count, 0, REPORTED_MAX - 1);
        reported_case *at = &run->lines[run->count++];
        jrpc_json company = jrpc_json_get(event, "company");
        jrpc_json cases = jrpc_json_get(company, "cases");
        jrpc_json finding = jrpc_json_element(jrpc_json_get(event, "findings"), 0);
        run_copy(at->kind, sizeof at->kind, kind);
        run_copy(at->id, sizeof at->id, jrpc_json_get(event, "id"));
        run_copy(at->outcome, sizeof at->outcome, jrpc_json_get(event, "outcome"));
        run_copy(at->reason, sizeof at->reason, jrpc_json_get(event, "reason_code"));
        run_copy(at->way, sizeof at->way, jrpc_json_get(company, "way"));
        run_copy(at->rule, sizeof at->rule, jrpc_json_get(finding, "rule"));
        at->company_count = jrpc_json_count(cases);
        if (at->company_count > 0) {
            run_copy(at->company, sizeof at->company, jrpc_json_element(cases, 0));
        }
        at->attempts = jrpc_json_count(jrpc_json_get(event, "attempts"));
    }
    jrpc_json_document_done(&document);
}

// A run over connections of that transport; a child of ours is a process each.
static inline void run_begin(scripted_run *run, jrpc_transport transport)
{
    memset(run, 0, sizeof *run);
    script_init(&run->side);
    run->side.context = run;
    run->side.on_message = run_answer_rightly;
    run->router = jrpc_router_new(jrpc_allocator_heap(), JRPC_ROLE_SERVER, NULL);
    jrpc_arena_init(&run->arena, jrpc_allocator_heap(), RUN_BYTES);
    size_t count = jck_suite_case_count(run_suite);
    run->selected = jrpc_arena_array(&run->arena, count, sizeof *run->selected);
    assert_non_null(run->selected);
    memset(run->selected, 0, count * sizeof *run->selected);
    run->target = (jck_target){.transport = transport,
                               .host = "h",
                               .port = "1",
                               .url = "http://h/",
                               .dial = scripted_dial,
                               .dial_context = &run->side};
    jrpc_arena_init(&run->target.arena, jrpc_allocator_heap(), RUN_BYTES);
    run->side.exchanges = jck_target_traits(&run->target)->exchanges;
    run->options = (jck_run_options){
        .suite = run_suite,
        .target = &run->target,
        .plan = {.selected = run->selected, .shard_index = 1, .shard_count = 1, .repeat = 1},
        .timing = {.start_ms = 5000,
                   .reply_ms = RUN_REPLY_MS,
                   .patience_ms = 100,
                   .quiet_ms = RUN_QUIET_MS,
                   .grace_ms = 10},
        .jobs = 1,
        .nonce = 0x1234abcdu,
        .interrupt_fd = -1,
        .clock = &run->side.clock,
        .emit = run_take_line,
        .context = run,
    };
}

// Selects the case of that id, or all whose ids begin like "group/".
static inline void run_pick(scripted_run *run, const char *id)
{
    size_t len = strlen(id);
    size_t picked = 0;
    for (size_t i = 0; i < jck_suite_case_count(run_suite); i++) {
        const jck_case *test_case = jck_suite_case(run_suite, i);
        bool is = id[len - 1] == '/' ? jrpc_slice_starts_with(test_case->id, jrpc_slice_str(id))
                                     : jrpc_slice_is(test_case->id, id);
        if (is && test_case->side == JCK_SIDE_SERVER) {
            run->selected[i] = true;
            picked++;
        }
    }
    assert_int_not_equal(picked, 0);
}

static inline void run_end(scripted_run *run)
{
    assert_int_equal(run->side.opened, run->side.closed); // no connection was left open
    jck_target_done(&run->target);
    jrpc_arena_done(&run->arena);
    jrpc_router_free(run->router);
    script_done(&run->side);
}

// What the stream says of a case; it fails the test if it says nothing of it.
static inline const reported_case *run_reported(const scripted_run *run, const char *id)
{
    const reported_case *found = NULL;
    for (size_t i = 0; i < run->count; i++) {
        found = strcmp(run->lines[i].id, id) == 0 ? &run->lines[i] : found;
    }
    if (found == NULL) {
        fail_msg("nothing is reported of %s", id);
    }
    return found;
}

static inline void run_print(const scripted_run *run)
{
    for (size_t i = 0; i < run->count; i++) {
        const reported_case *at = &run->lines[i];
        print_message("%s %s: %s %s way=%s company=%s (%zu) rule=%s attempts=%zu\n", at->kind,
                      at->id, at->outcome, at->reason, at->way, at->company, at->company_count,
                      at->rule, at->attempts);
    }
    print_message("end %d stop %s judged %zu opened %u: %s\n", run->result.end, run->stop,
                  run->result.judged, run->side.opened, run->result.error.message);
}

// The process behind a connection ends by abort().
#define DIES(c, ms) script_end(c, ms, JRPC_END_SIGNALED, 6)

static inline void run_die_of_empty_batches(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (strcmp(text, "[]") == 0) {
        DIES(c, 1);
    } else {
        run_answer(c, 1, text);
    }
}

static inline void run_die_of_batches(scripted *c, const char *text, bool is_fence)
{
    (void)is_fence;
    if (text[0] == '[') {
        DIES(c, 1);
    } else {
        run_answer(c, 1, text);
    }
}

typedef void run_behaviour(scripted *connection, const char *text, bool is_fence);

static inline void run_cases(scripted_run *run, run_behaviour *behaviour, const char *const *ids,
                             size_t count)
{
    run->side.on_message = behaviour;
    for (size_t i = 0; i < count; i++) {
        run_pick(run, ids[i]);
    }
    jck_run(&run->options, &run->result);
}

// Runs cases against a server that behaves so; GO begins with a child of ours.
#define GO_ON(run, behaviour, ...)                                                                 \
    run_cases(run, behaviour, (const char *const[]){__VA_ARGS__},                                  \
              sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))
#define GO(run, ...)                                                                               \
    do {                                                                                           \
        run_begin(run, JRPC_TRANSPORT_STDIO);                                                      \
        GO_ON(run, __VA_ARGS__);                                                                   \
    } while (0)

static inline void expect_of(const scripted_run *run, const char *id, const char *outcome,
                             const char *way)
{
    const reported_case *at = run_reported(run, id);
    if (strcmp(at->outcome, outcome) != 0 || strcmp(at->way, way) != 0) {
        run_print(run);
        fail_msg("%s is %s by the way \"%s\"", id, at->outcome, at->way);
    }
}

static inline const reported_case *only_one_that_is(const scripted_run *run, const char *outcome)
{
    const reported_case *found = NULL;
    for (size_t i = 0; i < run->count; i++) {
        if (strcmp(run->lines[i].outcome, outcome) == 0) {
            assert_null(found);
            found = &run->lines[i];
        }
    }
    assert_non_null(found);
    return found;
}

static inline bool is_reported(const scripted_run *run, const char *id)
{
    bool is = false;
    for (size_t i = 0; i < run->count; i++) {
        is = is || strcmp(run->lines[i].id, id) == 0;
    }
    return is;
}

#endif
