// How much the suite costs beside the exchange itself, over sockets, HTTP and WebSocket: jrpcheck
// on jrpc-reference, against a bare loop that sends the same payloads to the same server and reads
// the answers, and nothing more. On streams and WebSocket a fence goes after each, as in a run;
// over HTTP the loop is libcurl's own, one easy handle that keeps its connection.
//   bench_transports JRPCHECK CASES REFERENCE
// Prints a line for each transport: the ratio, both times, the number of messages.
#include "harness/suite/select.h"
#include "reference/base/clock.h"
#include "reference/base/utf8.h"
#include "reference/net/process.h"
#include "reference/wire/websocket.h"
#include "reference/wire/websocket_handshake.h"
#include "tests/bench/plan.h"

#include <assert.h>
#include <curl/curl.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define ROUNDS 5
#define PATIENCE_MS 5000

static const jrpc_slice fence = JRPC_SLICE_INIT(
    "{\"jsonrpc\":\"2.0\",\"method\":\"jrpcheck.fence\",\"id\":\"jck-fence-0000be7c-100\"}\n");

typedef struct way {
    const char *name;
    const char *option; // of jrpc-reference
    const char *where;  // NULL: a path of our own
    bool lines;
    void (*bare)(const char *address, const bench_plan *made);
} way;

static int connect_to(const char *address)
{
    int made = -1;
    if (strncmp(address, "unix:", 5) == 0) {
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        (void)snprintf(name.sun_path, sizeof name.sun_path, "%s", address + 5);
        made = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(made, (const struct sockaddr *)&name, sizeof name) != 0) {
            bench_fail("cannot connect", NULL);
        }
        return made;
    }
    const char *port = strrchr(address, ':') + 1;
    char digits[8];
    (void)snprintf(digits, sizeof digits, "%.*s", (int)strspn(port, "0123456789"), port);
    struct addrinfo *found = NULL;
    const struct addrinfo hints = {.ai_socktype = SOCK_STREAM};
    if (getaddrinfo("127.0.0.1", digits, &hints, &found) == 0) {
        made = socket(found->ai_family, SOCK_STREAM, 0);
        if (connect(made, found->ai_addr, found->ai_addrlen) != 0) {
            bench_fail("cannot connect", NULL);
        }
        const int on = 1; // or the fence would wait for the acknowledgement of what it follows
        (void)setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        freeaddrinfo(found);
    }
    return made;
}

// Writes what is there and reads something if there is something; both at once.
static size_t turn(int peer, jrpc_slice *unsent, char *room, size_t max)
{
    struct pollfd entry = {.fd = peer, .events = (short)(POLLIN | (unsent->len > 0 ? POLLOUT : 0))};
    if (poll(&entry, 1, PATIENCE_MS) <= 0) {
        bench_fail("the server did not answer the bare loop", NULL);
    }
    if ((entry.revents & POLLOUT) != 0) {
        ssize_t put = send(peer, unsent->ptr, unsent->len, MSG_NOSIGNAL | MSG_DONTWAIT);
        *unsent = jrpc_slice_from(*unsent, put > 0 ? (size_t)put : 0);
    }
    if ((entry.revents & (POLLIN | POLLHUP)) == 0) {
        return 0;
    }
    ssize_t got = recv(peer, room, max, MSG_DONTWAIT);
    if (got == 0) {
        bench_fail("the server ended", NULL);
    }
    return got > 0 ? (size_t)got : 0;
}

static void exchange_lines(int peer, jrpc_slice bytes, size_t lines)
{
    static char inbox[1 << 16];
    while (bytes.len > 0 || lines > 0) {
        size_t got = turn(peer, &bytes, inbox, sizeof inbox);
        for (size_t i = 0; i < got; i++) {
            lines -= inbox[i] == '\n' && lines > 0;
        }
    }
}

static void bare_lines(const char *address, const bench_plan *made)
{
    int peer = connect_to(address);
    for (size_t i = 0; i < made->count; i++) {
        exchange_lines(peer, made->payloads[i].bytes, made->payloads[i].answered ? 1 : 0);
        exchange_lines(peer, fence, 1);
    }
    (void)close(peer);
}

static void exchange_message(int peer, jrpc_websocket *wire, jrpc_slice payload, size_t answers)
{
    static char inbox[1 << 16];
    if (!jrpc_websocket_send(wire, false, payload, NULL, 0)) {
        bench_fail("out of memory", NULL);
    }
    while (wire->out.len > 0 || answers > 0) {
        jrpc_slice unsent = jrpc_buffer_slice(&wire->out);
        size_t before = unsent.len;
        size_t got = turn(peer, &unsent, inbox, sizeof inbox);
        jrpc_buffer_consume(&wire->out, before - unsent.len);
        jrpc_slice ignored;
        if (!jrpc_websocket_feed(wire, jrpc_slice_of(inbox, got))) {
            bench_fail("the server breaks WebSocket", NULL);
        }
        while (jrpc_websocket_next(wire, &ignored) != JRPC_WEBSOCKET_NONE) {
            answers -= answers > 0;
        }
    }
}

static void bare_websocket(const char *address, const bench_plan *made)
{
    static const jrpc_slice request = JRPC_SLICE_INIT(
        "GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n");
    char head[1024];
    size_t len = 0;
    int peer = connect_to(address);
    jrpc_slice unsent = request;
    jrpc_websocket wire;
    if (!jrpc_websocket_init(&wire, true, (size_t)64 << 20, 1, jrpc_allocator_heap())) {
        bench_fail("out of memory", NULL);
    }
    while (jrpc_head_length(jrpc_slice_of(head, len)) == 0) {
        len += turn(peer, &unsent, head + len, sizeof head - len);
    }
    for (size_t i = 0; i < made->count; i++) {
        exchange_message(peer, &wire, made->payloads[i].bytes, made->payloads[i].answered ? 1 : 0);
        exchange_message(peer, &wire, jrpc_slice_of(fence.ptr, fence.len - 1), 1);
    }
    jrpc_websocket_done(&wire);
    (void)close(peer);
}

static size_t drop(char *bytes, size_t size, size_t count, void *context)
{
    (void)bytes;
    (void)context;
    return size * count;
}

static void bare_http(const char *address, const bench_plan *made)
{
    CURL *easy = curl_easy_init();
    struct curl_slist *headers = curl_slist_append(NULL, "Content-Type: application/json");
    headers = curl_slist_append(headers, "Expect:");
    (void)curl_easy_setopt(easy, CURLOPT_URL, address);
    (void)curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers);
    (void)curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, drop);
    (void)curl_easy_setopt(easy, CURLOPT_POST, 1L);
    for (size_t i = 0; i < made->count; i++) {
        jrpc_slice payload = made->payloads[i].bytes;
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)payload.len);
        (void)curl_easy_setopt(easy, CURLOPT_POSTFIELDS, payload.len > 0 ? payload.ptr : "");
        if (curl_easy_perform(easy) != CURLE_OK) {
            bench_fail("the server did not answer libcurl", NULL);
        }
    }
    curl_slist_free_all(headers);
    curl_easy_cleanup(easy);
}

static double ms_since(int64_t began)
{
    return (double)(jrpc_clock_now_us(jrpc_clock_monotonic()) - began) / 1000;
}

static double suite_ms(char *jrpcheck, const char *address)
{
    char where[300];
    (void)snprintf(where, sizeof where, "%s", address);
    char *argv[] = {jrpcheck,
                    (char[]){"--no-discover"},
                    (char[]){"--quiet"},
                    (char[]){"--suite"},
                    (char[]){"jsonrpc-2.0"},
                    (char[]){"--suite"},
                    (char[]){"json"},
                    where,
                    NULL};
    return bench_suite_ms(argv);
}

// Starts the server; `ret_address` is the one it prints.
static jrpc_process *serve(char *reference, const way *over, char ret_address[300])
{
    char option[16];
    char where[160];
    (void)snprintf(option, sizeof option, "%s", over->option);
    if (over->where == NULL) {
        (void)snprintf(where, sizeof where, "/tmp/jrpc-bench-%ld.sock", (long)getpid());
    } else {
        (void)snprintf(where, sizeof where, "%s", over->where);
    }
    char *argv[] = {reference, option, where, NULL};
    const jrpc_clock *clock = jrpc_clock_monotonic();
    jrpc_error error = {0};
    jrpc_process *process = jrpc_process_start(&(jrpc_process_options){.argv = argv}, &error);
    if (process == NULL ||
        !jrpc_process_wait_output(process, JRPC_SLICE("listening on "), clock,
                                  jrpc_deadline_in_ms(clock, 5000), -1, &error)) {
        bench_fail("cannot start the server", &error);
    }
    assert(process != NULL);
    jrpc_buffer said;
    jrpc_buffer_init(&said, jrpc_allocator_heap(), 1 << 16);
    jrpc_process_stderr_tail(process, &said);
    jrpc_buffer_append_char(&said, '\0');
    const char *address = strstr(said.ptr, "listening on ") + strlen("listening on ");
    (void)snprintf(ret_address, 300, "%.*s", (int)strcspn(address, "\n"), address);
    jrpc_buffer_done(&said);
    return process;
}

// Leaves out what no text message of WebSocket carries, as a run does.
static void keep_text(bench_plan *made)
{
    size_t kept = 0;
    for (size_t i = 0; i < made->count; i++) {
        jrpc_slice text = made->payloads[i].bytes;
        size_t at = 0;
        for (size_t len = 1; at < text.len && len > 0; at += len) {
            len = jrpc_utf8_sequence(text.ptr + at, text.len - at, NULL);
        }
        if (at == text.len) {
            made->payloads[kept++] = made->payloads[i];
        }
    }
    made->count = kept;
}

static void measure(const way *over, char *jrpcheck, char *reference, const jck_suite *suite,
                    const bool *selected)
{
    char address[300];
    jrpc_process *server = serve(reference, over, address);
    jrpc_error error = {0};
    jck_target target;
    bench_plan made = {0};
    if (!jck_target_load(&target, address, NULL, &error)) {
        bench_fail("no target", &error);
    }
    bench_plan_make(suite, selected, &target, over->lines, &made);
    if (over->bare == bare_websocket) {
        keep_text(&made);
    }
    double bare = 0;
    double whole = 0;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t began = jrpc_clock_now_us(jrpc_clock_monotonic());
        over->bare(address, &made);
        double bare_now = ms_since(began);
        double whole_now = suite_ms(jrpcheck, address);
        bare = round == 0 || bare_now < bare ? bare_now : bare;
        whole = round == 0 || whole_now < whole ? whole_now : whole;
    }
    (void)printf("suite over %s: %.2f times a bare loop (%.0f ms, %.0f ms, %zu payloads%s; the "
                 "best of %d rounds)\n",
                 over->name, whole / bare, whole, bare, made.count,
                 over->bare == bare_http ? "" : " with a fence each", ROUNDS);
    (void)fflush(stdout);
    jrpc_arena_done(&made.arena);
    jck_target_done(&target);
    jrpc_process_free(server, 1000);
}

int main(int argc, char **argv)
{
    static const way ways[] = {
        {"TCP", "--tcp", "127.0.0.1:0", true, bare_lines},
        {"a Unix socket", "--unix", NULL, true, bare_lines},
        {"HTTP, kept alive", "--http", "127.0.0.1:0", false, bare_http},
        {"WebSocket", "--ws", "127.0.0.1:0", false, bare_websocket},
    };
    if (argc != 4) {
        bench_fail("usage: bench_transports JRPCHECK CASES REFERENCE", NULL);
    }
    jrpc_error error = {0};
    jck_suite *suite = jck_suite_load(argv[2], NULL, NULL, &error);
    bool *selected = suite == NULL ? NULL : calloc(jck_suite_case_count(suite), sizeof *selected);
    if (selected == NULL || !jck_select(suite, &(jck_selection){0}, selected, &error)) {
        bench_fail("cannot load", &error);
    }
    (void)curl_global_init(CURL_GLOBAL_DEFAULT);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        measure(&ways[i], argv[1], argv[3], suite, selected);
    }
    curl_global_cleanup();
    free(selected);
    jck_suite_free(suite);
    return 0;
}
