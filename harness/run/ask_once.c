#include "harness/run/ask_once.h"

#include "harness/link/hear.h"
#include "harness/link/open.h"
#include "harness/link/prelude.h"

#include <stdio.h>

#define ID_BYTES 48

static bool send(jck_link *link, const char *method, const char *id, jrpc_error *error)
{
    static const jrpc_manner as_usual = {.chunked = false};
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), 1024);
    (void)jrpc_buffer_printf(
        &text, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":[],\"id\":\"%s\"}", method, id);
    bool sent =
        jck_link_send(link, 'a', jrpc_buffer_slice(&text), &as_usual, error) == JRPC_PEER_MESSAGE;
    jrpc_buffer_done(&text);
    return sent;
}

// Hears the answer with this id.
static bool hear(jck_link *link, const char *id, jrpc_buffer *out, jrpc_error *error)
{
    int64_t deadline_us = jrpc_deadline_in_ms(link->clock, link->timing.reply_ms);
    for (;;) {
        jck_heard heard = jck_link_hear(link, 'a', deadline_us, error);
        if (heard.kind == JCK_HEARD_MESSAGE &&
            jrpc_json_string_is(jrpc_json_get(heard.value, "id"), jrpc_slice_str(id))) {
            return jrpc_buffer_append(out, jrpc_json_spelling(heard.value)) ||
                   jrpc_error_set(error, JRPC_ERROR_LIMIT, "the answer is too long");
        }
        if (jck_heard_ends_wait(heard.kind)) {
            return jrpc_error_set(error, JRPC_ERROR_TIMEOUT, "no answer came");
        }
    }
}

bool jck_ask_target(const jck_ask_once *ask, jrpc_buffer *out, jrpc_error *error)
{
    jck_host host;
    jck_link link;
    char id[ID_BYTES];
    (void)snprintf(id, sizeof id, "jck-%08x-0-once", ask->nonce);
    if (!jck_host_init(&host, ask->target, ask->clock, ask->timing->grace_ms, ask->interrupt_fd)) {
        return jrpc_error_set(error, JRPC_ERROR_SYSTEM,
                              "cannot create a lock for the target's process");
    }
    jck_link_init(&link, ask->target, ask->timing, ask->clock, ask->interrupt_fd, ask->nonce,
                  &host);
    bool answered = jck_link_open(&link, 'a', error) == JCK_LINK_OK &&
                    send(&link, ask->method, id, error) && hear(&link, id, out, error);
    jck_link_farewell(&link);
    jck_link_stop(&link);
    jck_link_done(&link);
    jck_host_done(&host);
    return answered;
}
