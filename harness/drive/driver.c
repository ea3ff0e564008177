#include "harness/drive/driver.h"

#include "harness/evidence/evidence.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <stdio.h>

enum { GREETING_DEPTH = 8, SHOWN_BYTES = 120, LAST_BYTES = 240, GREETING_BYTES = 64 << 10 };

static const char *const cans[JCK_CAN_COUNT] = {
    "call", "notify", "batch", "by-name", "concurrent", "connect", "close", "reports", "resources"};

const char *jck_can_word(jck_can can)
{
    return cans[can];
}

void jck_client_driver_init(jck_client_driver *driver)
{
    *driver = (jck_client_driver){.peer = NULL};
}

static bool refuse(jck_client_driver *driver, jrpc_slice line, const char *what, jrpc_error *error)
{
    return jrpc_error_set(error, JRPC_ERROR_INVALID,
                          "the driver's first line %s; it wrote: %s (see docs/testing-a-client.md)",
                          what, jck_excerpt(&driver->arena, line, SHOWN_BYTES));
}

static bool read_words(jck_client_driver *driver, jrpc_json words, jrpc_slice line,
                       jrpc_error *error)
{
    if (!jrpc_json_is(words, JRPC_JSON_ARRAY)) {
        return refuse(driver, line, "lacks \"can\", an Array of what it can do", error);
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(words); jrpc_json_step(&it);) {
        size_t i = 0;
        while (i < JCK_CAN_COUNT && !jrpc_json_string_is(it.value, jrpc_slice_str(cans[i]))) {
            i++;
        }
        if (i == JCK_CAN_COUNT) {
            return refuse(driver, line,
                          "has an unknown word in \"can\"; known are call, notify, batch, by-name, "
                          "concurrent, connect, close, reports and resources",
                          error);
        }
        driver->can[i] = true;
    }
    return driver->can[JCK_CAN_CALL] ||
           refuse(driver, line, "lacks \"call\" in \"can\": without calls nothing can be tested",
                  error);
}

static bool read_text(jck_client_driver *driver, jrpc_json value, jrpc_slice *ret)
{
    jrpc_slice content;
    return !jrpc_json_string(value, &driver->arena, &content) ||
           jrpc_arena_copy(&driver->arena, content, ret);
}

static bool read_greeting(jck_client_driver *driver, jrpc_slice line, jrpc_error *error)
{
    jrpc_json_document document;
    int64_t version = 0;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read = jrpc_json_read(&document, line, GREETING_DEPTH, NULL);
    jrpc_json root = jrpc_json_root(&document);
    if (!read || !jrpc_json_is(root, JRPC_JSON_OBJECT)) {
        read = refuse(driver, line, "is not a JSON Object", error);
    } else if (!jrpc_json_int64(jrpc_json_get(root, "driver"), &version) || version != 1) {
        read = refuse(driver, line, "lacks \"driver\": 1", error);
    } else {
        read = read_words(driver, jrpc_json_get(root, "can"), line, error) &&
               (read_text(driver, jrpc_json_get(root, "name"), &driver->name) ||
                jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a driver")) &&
               (read_text(driver, jrpc_json_get(root, "version"), &driver->version) ||
                jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a driver"));
        driver->keeps_timeout = !jrpc_json_is(jrpc_json_get(root, "timeout"), JRPC_JSON_NULL);
    }
    jrpc_json_document_done(&document);
    return read;
}

// Reports how a driver ended that wrote nothing.
static bool explain_end(jck_client_driver *driver, int64_t deadline_us, jrpc_error *error)
{
    jrpc_peer_ending end = jrpc_peer_end(driver->peer, deadline_us);
    char how[64];
    (void)snprintf(how, sizeof how,
                   end.kind == JRPC_END_EXITED     ? "it exited with status %d"
                   : end.kind == JRPC_END_SIGNALED ? "signal %d ended it"
                                                   : "it closed its output",
                   end.value);
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), JRPC_LIMIT_STDERR_TAIL_BYTES);
    jrpc_peer_stderr_tail(driver->peer, &tail);
    jrpc_slice last = jrpc_buffer_slice(&tail);
    last = last.len > LAST_BYTES ? jrpc_slice_from(last, last.len - LAST_BYTES) : last;
    (void)jrpc_error_set(error, JRPC_ERROR_CLOSED,
                         "the driver ended before it said what it can do: %s%s%s", how,
                         last.len > 0 ? "; the end of its standard error: " : "",
                         last.len > 0 ? jck_excerpt(&driver->arena, last, LAST_BYTES) : "");
    jrpc_buffer_done(&tail);
    return false;
}

static bool greet(jck_client_driver *driver, int64_t deadline_us, jrpc_error *error)
{
    jrpc_received received = {.why = NULL};
    switch (jrpc_peer_receive(driver->peer, deadline_us, &received, error)) {
    case JRPC_PEER_MESSAGE:
    case JRPC_PEER_NOISE:
        return read_greeting(driver, received.bytes, error);
    case JRPC_PEER_TIMEOUT:
    case JRPC_PEER_SILENT:
        return jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                              "the driver wrote nothing in time; its first line must be "
                              "{\"driver\":1,\"can\":[…]} (see docs/testing-a-client.md, and "
                              "--start-timeout)");
    case JRPC_PEER_ENDED:
        return explain_end(driver, deadline_us, error);
    case JRPC_PEER_INTERRUPTED:
        return jrpc_error_set(error, JRPC_ERROR_INTERRUPTED, "interrupted");
    case JRPC_PEER_FAULT:
        break;
    }
    return false;
}

bool jck_client_driver_open(jck_client_driver *driver, const jrpc_endpoint *endpoint,
                            int64_t deadline_us, jrpc_error *error)
{
    *driver = (jck_client_driver){.peer = jrpc_peer_open(endpoint, deadline_us, error)};
    if (driver->peer != NULL) {
        jrpc_arena_init(&driver->arena, jrpc_allocator_heap(), GREETING_BYTES);
    }
    return driver->peer != NULL;
}

bool jck_client_driver_start(jck_client_driver *driver, const jrpc_endpoint *endpoint,
                             int64_t deadline_us, jrpc_error *error)
{
    if (!jck_client_driver_open(driver, endpoint, deadline_us, error)) {
        return false;
    }
    bool greeted = greet(driver, deadline_us, error);
    if (!greeted) {
        jck_client_driver_stop(driver, 0);
    }
    return greeted;
}

void jck_client_driver_stop(jck_client_driver *driver, int64_t grace_ms)
{
    if (driver->peer != NULL) {
        jrpc_peer_close(driver->peer, grace_ms);
        jrpc_arena_done(&driver->arena);
    }
    jck_client_driver_init(driver);
}
