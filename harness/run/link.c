#include "harness/run/link.h"

#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#include <assert.h>

#define CAPTURES_BYTES ((size_t)1 << 20)

void jck_link_init(jck_link *link, jck_target *target, const jck_timing *timing,
                   const jrpc_clock *clock, int interrupt_fd, uint32_t nonce)
{
    *link = (jck_link){.target = target, .timing = *timing, .clock = clock, .nonce = nonce};
    link->endpoint = (jrpc_endpoint){
        .transport = target->transport,
        .role = JRPC_ROLE_CLIENT,
        .framing = target->framing,
        .argv = target->command,
        .directory = target->directory,
        .environment = target->environment,
        .host = target->host,
        .port = target->port,
        .path = target->path,
        .url = target->url,
        .headers = target->headers,
        .ca_file = target->ca_file,
        .insecure = target->insecure,
        .max_message = target->max_message,
        .interrupt_fd = interrupt_fd,
        .allocator = jrpc_allocator_heap(),
        .clock = clock,
    };
    jrpc_arena_init(&link->arena, jrpc_allocator_heap(), CAPTURES_BYTES);
    jck_variables_init(&link->captured, &link->arena, target, nonce, 0);
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        jck_connection *connection = &link->connections[i];
        jrpc_json_document_init(&connection->document, jrpc_allocator_heap());
        jrpc_buffer_init(&connection->request, jrpc_allocator_heap(), JRPC_LIMIT_MESSAGE_BYTES);
        jrpc_buffer_init(&connection->reply, jrpc_allocator_heap(), JRPC_LIMIT_MESSAGE_BYTES);
    }
}

jck_connection *jck_link_connection(jck_link *link, char connection)
{
    assert(connection >= 'a' && connection < 'a' + JCK_CONNECTIONS_MAX);
    return &link->connections[connection - 'a'];
}

void jck_link_close(jck_link *link, char connection)
{
    jck_connection *closing = jck_link_connection(link, connection);
    jrpc_peer_close(closing->peer, link->timing.grace_ms);
    closing->peer = NULL;
    jrpc_json_document_done(&closing->document);
    jrpc_buffer_done(&closing->request);
    jrpc_buffer_done(&closing->reply);
}

void jck_link_drop(jck_link *link)
{
    for (char name = 'a'; name < 'a' + JCK_CONNECTIONS_MAX; name++) {
        jck_link_close(link, name);
    }
}

void jck_link_stop(jck_link *link)
{
    jck_link_drop(link);
    jrpc_process_free(link->started, link->timing.grace_ms);
    link->started = NULL;
}

void jck_link_done(jck_link *link)
{
    jck_link_stop(link);
    jrpc_arena_done(&link->arena);
}

bool jck_link_process_gone(jck_link *link, jrpc_peer_ending *ret_ending)
{
    if (link->started == NULL) {
        return false;
    }
    int value = 0;
    switch (jrpc_process_wait(link->started, link->clock, 0, &value)) {
    case JRPC_PROCESS_RUNNING:
        return false;
    case JRPC_PROCESS_EXITED:
        *ret_ending = (jrpc_peer_ending){JRPC_END_EXITED, value};
        return true;
    case JRPC_PROCESS_SIGNALED:
        *ret_ending = (jrpc_peer_ending){JRPC_END_SIGNALED, value};
        return true;
    }
    return false;
}

static jck_heard heard_only(jck_heard_kind kind)
{
    return (jck_heard){.kind = kind, .value = JRPC_JSON_ABSENT};
}

// Answers a request of the target's own: with the result its description gives, else -32601.
static void write_reply(jck_link *link, jrpc_json request, jrpc_buffer *reply)
{
    jrpc_json result = JRPC_JSON_ABSENT;
    for (jrpc_json_iterator it = jrpc_json_iterate(link->target->requests); jrpc_json_step(&it);) {
        if (jrpc_json_equal(it.key, jrpc_json_get(request, "method"))) {
            result = it.value;
        }
    }
    jrpc_buffer_append_str(reply, "{\"jsonrpc\":\"2.0\",");
    if (jrpc_json_exists(result)) {
        jrpc_buffer_append_str(reply, "\"result\":");
        jrpc_json_compact(reply, result);
    } else {
        jrpc_buffer_append_str(reply, "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}");
    }
    jrpc_buffer_append_str(reply, ",\"id\":");
    jrpc_json_compact(reply, jrpc_json_get(request, "id"));
    jrpc_buffer_append_str(reply, "}");
}

// Keeps the request (its text is borrowed from the peer, and answering uses the peer), answers it.
static void answer_request(jck_link *link, jck_connection *open, jck_heard *heard)
{
    jrpc_buffer_clear(&open->request);
    jrpc_buffer_clear(&open->reply);
    heard->kind = JCK_HEARD_FAULT;
    if (!jrpc_buffer_append(&open->request, heard->received.bytes)) {
        return;
    }
    heard->received.bytes = jrpc_buffer_slice(&open->request);
    if (!jrpc_json_read(&open->document, heard->received.bytes, JCK_MESSAGE_DEPTH, NULL)) {
        return;
    }
    heard->value = jrpc_json_root(&open->document);
    write_reply(link, heard->value, &open->reply);
    if (open->reply.failed) {
        return;
    }
    heard->reply = jrpc_buffer_slice(&open->reply);
    heard->kind = JCK_HEARD_REQUEST;
    jrpc_error ignored = {0};
    // That the target does not take the answer shows when it is listened to next.
    (void)jrpc_peer_send(open->peer, heard->reply,
                         jrpc_deadline_in_ms(link->clock, link->timing.reply_ms), &ignored);
}

// A request of the target's own has a method and an id, and is not one of ours come back.
static bool is_own_request(jrpc_json value)
{
    jrpc_json method = jrpc_json_get(value, "method");
    return jrpc_json_is(method, JRPC_JSON_STRING) && jrpc_json_exists(jrpc_json_get(value, "id")) &&
           !jrpc_json_exists(jrpc_json_get(value, "result")) &&
           !jrpc_slice_starts_with(jrpc_json_spelling(method), JRPC_SLICE("\"jrpcheck."));
}

// A notification of the target's own, or one of its result messages.
static bool is_own_notification(jrpc_json value)
{
    jrpc_json method = jrpc_json_get(value, "method");
    return jrpc_json_is(method, JRPC_JSON_STRING) && !jrpc_json_exists(jrpc_json_get(value, "id")) &&
           !jrpc_slice_starts_with(jrpc_json_spelling(method), JRPC_SLICE("\"jrpcheck."));
}

static jck_heard heard_message(jck_link *link, char connection, uint32_t fence,
                               const jrpc_received *received)
{
    jck_connection *open = jck_link_connection(link, connection);
    jck_heard heard = {JCK_HEARD_MESSAGE, *received, JRPC_JSON_ABSENT, {NULL, 0}};
    jrpc_slice text = received->bytes;
    if (jrpc_slice_starts_with(text, JRPC_SLICE("\xEF\xBB\xBF"))) {
        text = jrpc_slice_of(text.ptr + 3, text.len - 3); // a breach, but not of being an answer
    }
    if (jrpc_json_read(&open->document, text, JCK_MESSAGE_DEPTH, NULL)) {
        heard.value = jrpc_json_root(&open->document);
    }
    uint32_t answered = jck_fence_answered(link->nonce, heard.value);
    if (answered != 0) {
        heard.kind = answered == fence ? JCK_HEARD_FENCE : JCK_HEARD_LATE_FENCE;
    } else if (fence != 0 && jck_fence_has_form(&open->fence, heard.value)) {
        heard.kind = JCK_HEARD_FENCE;
    } else if (jck_fence_echoed(link->nonce, heard.value)) {
        heard.kind = JCK_HEARD_ECHO;
    } else if (is_own_request(heard.value)) {
        heard.kind = JCK_HEARD_REQUEST;
    } else if (is_own_notification(heard.value)) {
        heard.kind = JCK_HEARD_PUSH;
    }
    return heard;
}

jck_heard jck_link_hear(jck_link *link, char connection, uint32_t fence, int64_t deadline_us,
                        jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    if (open->peer == NULL) {
        return heard_only(JCK_HEARD_END);
    }
    jrpc_received received = {0};
    switch (jrpc_peer_receive(open->peer, deadline_us, &received, error)) {
    case JRPC_PEER_MESSAGE: {
        jck_heard heard = heard_message(link, connection, fence, &received);
        if (heard.kind == JCK_HEARD_REQUEST) {
            answer_request(link, open, &heard);
        }
        return heard;
    }
    case JRPC_PEER_NOISE:
        return (jck_heard){JCK_HEARD_NOISE, received, JRPC_JSON_ABSENT, {NULL, 0}};
    case JRPC_PEER_SILENT:
        return (jck_heard){JCK_HEARD_SILENCE, received, JRPC_JSON_ABSENT, {NULL, 0}};
    case JRPC_PEER_ENDED:
        return heard_only(JCK_HEARD_END);
    case JRPC_PEER_TIMEOUT:
        return heard_only(JCK_HEARD_TIMEOUT);
    case JRPC_PEER_INTERRUPTED:
        return heard_only(JCK_HEARD_INTERRUPT);
    case JRPC_PEER_FAULT:
        return heard_only(JCK_HEARD_FAULT);
    }
    return heard_only(JCK_HEARD_FAULT);
}

jrpc_peer_event jck_link_send_fence(jck_link *link, char connection, uint32_t *ret_serial,
                                    jrpc_buffer *sent, jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    uint32_t serial = ++link->fences;
    if (!jck_fence_write(&open->fence, link->nonce, serial, sent)) {
        jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a fence");
        return JRPC_PEER_FAULT;
    }
    *ret_serial = serial;
    return jrpc_peer_send(open->peer, jrpc_buffer_slice(sent),
                          jrpc_deadline_in_ms(link->clock, link->timing.reply_ms), error);
}

bool jck_link_answers_elsewhere(jck_link *link)
{
    const char elsewhere = 'a' + JCK_CONNECTIONS_MAX - 1;
    if (link->target->transport == JRPC_TRANSPORT_STDIO) {
        return false; // the process is the connection
    }
    jck_link_close(link, elsewhere);
    bool answers = jck_link_open(link, elsewhere, NULL) == JCK_LINK_OK;
    jck_link_close(link, elsewhere);
    return answers;
}
