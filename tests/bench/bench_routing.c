// What routing by resource and verb costs beside the plain lookup of a method, by how many verbs
// are registered, and what building a message and reading it back costs.
//
//   bench_routing [MILLISECONDS]   processor time for each figure (default 300)
//
// Prints nanoseconds a call, reading and answering included: `plain` is a router of plain methods,
// asked by the same bytes as `structured`, whose members it ignores; `method alone` is a router of
// routes that is asked as the plain one is.
#include "reference/base/limits.h"
#include "reference/base/random.h"
#include "reference/json/read.h"
#include "reference/rpc/build.h"
#include "reference/rpc/router.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum {
    TEXTS = 4096,
    SLICES = 50,
    BURST = 200,
    VERBS_A_RESOURCE = 10,
    OUT_BYTES = 1 << 16,
    NAME_BYTES = 24
};

typedef struct bench {
    jrpc_router *router;
    jrpc_buffer texts; // all messages
    size_t ends[TEXTS];
    jrpc_buffer out;
    size_t next;
} bench;

static bool answer(void *context, jrpc_call *call)
{
    (void)context;
    (void)call;
    return true;
}

static void fail(const char *what)
{
    (void)fprintf(stderr, "bench_routing: %s\n", what);
    exit(1);
}

static void name_verb(size_t number, char resource[NAME_BYTES], char verb[NAME_BYTES])
{
    (void)snprintf(resource, NAME_BYTES, "r%zu", number / VERBS_A_RESOURCE);
    (void)snprintf(verb, NAME_BYTES, "verb%zu", number % VERBS_A_RESOURCE);
}

static void add(bench *at, size_t number, bool routes)
{
    char resource[NAME_BYTES];
    char verb[NAME_BYTES];
    char name[2 * NAME_BYTES];
    name_verb(number, resource, verb);
    (void)snprintf(name, sizeof name, "%s.%s", resource, verb);
    const jrpc_route route = {resource, NULL, verb};
    const jrpc_method method = {.name = name, .any_params = true};
    if (!(routes ? jrpc_router_add_route(at->router, &route, &method, answer, NULL, NULL)
                 : jrpc_router_add(at->router, &method, answer, NULL, NULL))) {
        fail("a method was refused");
    }
}

// A router of `verbs` verbs or methods, and as many calls of random ones as there is room for.
static void open_bench(bench *at, size_t verbs, bool routes, bool structured)
{
    const jrpc_allocator *heap = jrpc_allocator_heap();
    *at = (bench){.router = jrpc_router_new(heap, JRPC_ROLE_SERVER, NULL)};
    jrpc_buffer_init(&at->texts, heap, JRPC_LIMIT_MESSAGE_BYTES);
    jrpc_buffer_init(&at->out, heap, OUT_BYTES);
    for (size_t i = 0; i < verbs; i++) {
        add(at, i, routes);
    }
    jrpc_random random;
    jrpc_random_init(&random, 1);
    for (size_t i = 0; i < TEXTS; i++) {
        char resource[NAME_BYTES];
        char verb[NAME_BYTES];
        name_verb((size_t)jrpc_random_below(&random, verbs), resource, verb);
        if (structured) {
            jrpc_buffer_printf(&at->texts,
                               "{\"jsonrpc\":\"2.0\",\"method\":\"%s.%s\",\"resource\":\"%s\","
                               "\"target\":\"42\",\"verb\":\"%s\",\"id\":1}",
                               resource, verb, resource, verb);
        } else {
            jrpc_buffer_printf(&at->texts, "{\"jsonrpc\":\"2.0\",\"method\":\"%s.%s\",\"id\":1}",
                               resource, verb);
        }
        at->ends[i] = at->texts.len;
    }
}

static void close_bench(bench *at)
{
    jrpc_router_free(at->router);
    jrpc_buffer_done(&at->texts);
    jrpc_buffer_done(&at->out);
}

static void call_next(void *context)
{
    bench *at = context;
    size_t i = at->next++ % TEXTS;
    size_t begin = i == 0 ? 0 : at->ends[i - 1];
    jrpc_buffer_clear(&at->out);
    if (jrpc_router_handle(at->router, jrpc_slice_of(at->texts.ptr + begin, at->ends[i] - begin),
                           JRPC_LIMIT_DEPTH, NULL, &at->out, NULL) != JRPC_REPLY_TEXT ||
        at->out.ptr[18] != 'r') {
        fail("a call was refused");
    }
}

// Processor time of this thread: what others do on the machine does not count.
static double now_ns(void)
{
    struct timespec now;
    if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) != 0) {
        fail("there is no clock");
    }
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

// Nanoseconds a turn over one slice of time; the smallest of all slices so far is kept in *best.
static void measure_slice(void (*turn)(void *), void *context, double slice_ns, double *best)
{
    double begin = now_ns();
    double spent;
    size_t turns = 0;
    do {
        for (int i = 0; i < BURST; i++) {
            turn(context);
        }
        turns += BURST;
        spent = now_ns() - begin;
    } while (spent < slice_ns);
    double each = spent / (double)turns;
    *best = *best <= 0 || each < *best ? each : *best;
}

// One line: four ways in turns, so that each meets the same machine.
static void compare(size_t verbs, double slice_ns)
{
    enum { WAYS = 4 };
    bench ways[WAYS];
    double best[WAYS] = {0};
    for (size_t i = 0; i < WAYS; i++) {
        open_bench(&ways[i], verbs, i >= 2, i % 2 == 1);
    }
    for (int slice = 0; slice < SLICES; slice++) {
        for (size_t i = 0; i < WAYS; i++) {
            measure_slice(call_next, &ways[i], slice_ns, &best[i]);
        }
    }
    printf("%8zu  %17.0f ns  %14.0f ns  %8.0f ns (%.2f own)  %7.0f ns (%.2f same)\n", verbs,
           best[0], best[1], best[2], best[2] / best[0], best[3], best[3] / best[1]);
    for (size_t i = 0; i < WAYS; i++) {
        close_bench(&ways[i]);
    }
}

typedef struct trip {
    jrpc_buffer text;
    jrpc_json_document document;
} trip;

static void go_round(void *context)
{
    static const jrpc_request_parts parts = {
        .resource = JRPC_SLICE_INIT("repo"),
        .subresource = JRPC_SLICE_INIT("issue"),
        .verb = JRPC_SLICE_INIT("get"),
        .target = JRPC_SLICE_INIT("\"7\""),
        .parent = JRPC_SLICE_INIT("\"99\""),
        .params = JRPC_SLICE_INIT("{\"fields\":[\"title\",\"state\"]}"),
        .id = JRPC_SLICE_INIT("2"),
    };
    trip *self = context;
    jrpc_buffer_clear(&self->text);
    jrpc_resource fields = {.structured = false};
    if (jrpc_build_request(&self->text, &parts, NULL) &&
        jrpc_json_read(&self->document, jrpc_buffer_slice(&self->text), JRPC_LIMIT_DEPTH, NULL)) {
        fields = jrpc_resource_read(jrpc_json_root(&self->document));
    }
    if (jrpc_resource_check(&fields, JRPC_SLICE("repo.issue.get")) != JRPC_RESOURCE_VALID ||
        !fields.structured) {
        fail("a message did not come back");
    }
}

int main(int argc, char **argv)
{
    double slice_ns = (double)(argc > 1 ? strtol(argv[1], NULL, 10) : 300) * 1e6 / SLICES;
    static const size_t sizes[] = {10, 1000, 100000};
    printf("%8s  %20s  %17s  %22s  %22s\n", "verbs", "plain, its own bytes", "plain, same bytes",
           "method alone", "structured");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        compare(sizes[i], slice_ns);
    }
    trip round = {.text = {.len = 0}};
    jrpc_buffer_init(&round.text, jrpc_allocator_heap(), OUT_BYTES);
    jrpc_json_document_init(&round.document, jrpc_allocator_heap());
    double best = 0;
    for (int slice = 0; slice < SLICES; slice++) {
        measure_slice(go_round, &round, slice_ns, &best);
    }
    printf("build, write, read and check one request: %.0f ns\n", best);
    jrpc_json_document_done(&round.document);
    jrpc_buffer_done(&round.text);
    return 0;
}
