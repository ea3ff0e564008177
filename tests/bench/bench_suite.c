// How much the suite costs beside the exchange itself: jrpcheck on a server, against a bare loop
// that sends the same payloads and fences to the same server and reads the answers, and nothing
// more.
//   bench_suite JRPCHECK CASES SERVER ARGS…   (the server speaks lines on stdio)
// Prints one line: the ratio, both times, the number of messages.
#include "harness/suite/select.h"
#include "harness/suite/suite.h"
#include "reference/base/clock.h"
#include "reference/net/process.h"
#include "tests/bench/plan.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS 5

// Writes all of `bytes` and reads until `lines` line feeds have come; both at once.
static void exchange(const jrpc_process *process, jrpc_slice bytes, size_t lines)
{
    static char inbox[1 << 16];
    size_t written = 0;
    while (written < bytes.len || lines > 0) {
        struct pollfd ends[2] = {
            {.fd = jrpc_process_stdout(process), .events = POLLIN},
            {.fd = written < bytes.len ? jrpc_process_stdin(process) : -1, .events = POLLOUT},
        };
        if (poll(ends, 2, 5000) <= 0) {
            bench_fail("the server did not answer the bare loop", NULL);
        }
        if (ends[1].revents != 0) {
            ssize_t n = write(ends[1].fd, bytes.ptr + written, bytes.len - written);
            if (n < 0 && errno != EAGAIN) {
                bench_fail("the server stopped reading", NULL);
            }
            written += n > 0 ? (size_t)n : 0;
        }
        if (ends[0].revents != 0) {
            ssize_t n = read(ends[0].fd, inbox, sizeof inbox);
            for (ssize_t i = 0; i < n; i++) {
                lines -= inbox[i] == '\n' && lines > 0;
            }
            if (n == 0) {
                bench_fail("the server ended", NULL);
            }
        }
    }
}

static double bare_ms(const bench_plan *made, char *const *argv)
{
    static const jrpc_slice fence = JRPC_SLICE_INIT(
        "{\"jsonrpc\":\"2.0\",\"method\":\"jrpcheck.fence\",\"id\":\"jck-fence-0000be7c-100\"}\n");
    const jrpc_clock *clock = jrpc_clock_monotonic();
    int64_t began = jrpc_clock_now_us(clock);
    jrpc_error error = {0};
    jrpc_process *process =
        jrpc_process_start(&(jrpc_process_options){.argv = argv, .talk = true}, &error);
    if (process == NULL) {
        bench_fail("cannot start the server", &error);
    }
    for (size_t i = 0; i < made->count; i++) {
        exchange(process, made->payloads[i].bytes, made->payloads[i].answered ? 1 : 0);
        exchange(process, fence, 1);
    }
    jrpc_process_free(process, 1000);
    return (double)(jrpc_clock_now_us(clock) - began) / 1000;
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        bench_fail("usage: bench_suite JRPCHECK CASES SERVER ARGS", NULL);
    }
    jrpc_error error = {0};
    jck_suite *suite = jck_suite_load(argv[2], NULL, NULL, &error);
    jck_target target;
    if (suite == NULL || !jck_target_from_command(&target, argv + 3, &error)) {
        bench_fail("cannot load", &error);
    }
    assert(suite != NULL);
    bool *selected = calloc(jck_suite_case_count(suite), sizeof *selected);
    if (selected == NULL || !jck_select(suite, &(jck_selection){0}, selected, &error)) {
        bench_fail("cannot select", &error);
    }
    bench_plan made = {0};
    bench_plan_make(suite, selected, &target, true, &made);
    char *run[64] = {argv[1], (char[]){"--no-discover"}, (char[]){"--quiet"}, (char[]){"--"}};
    for (int i = 3; i < argc && i < 60; i++) {
        run[i + 1] = argv[i];
    }
    double bare = 0;
    double whole = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double bare_now = bare_ms(&made, argv + 3);
        double whole_now = bench_suite_ms(run);
        bare = round == 0 || bare_now < bare ? bare_now : bare;
        whole = round == 0 || whole_now < whole ? whole_now : whole;
    }
    (void)printf("suite over stdio: %.2f times a bare loop (%.0f ms, %.0f ms, %zu payloads with a "
                 "fence each; the best of %d rounds)\n",
                 whole / bare, whole, bare, made.count, ROUNDS);
    free(selected);
    jrpc_arena_done(&made.arena);
    jck_target_done(&target);
    jck_suite_free(suite);
    return 0;
}
