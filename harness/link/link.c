#include "harness/link/link.h"

#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#include <assert.h>

#define CAPTURES_BYTES ((size_t)1 << 20)

// A document's nodes are bounded: a message of nothing but brackets would cost twenty times its
// text. One that has more of them counts as a message whose content is not known.
#define NODES_BYTES ((size_t)32 << 20)

static void *resize_bounded(void *context, void *ptr, size_t size)
{
    const jrpc_allocator *heap = context;
    return size > NODES_BYTES ? NULL : heap->resize(heap->context, ptr, size);
}

void jck_link_init(jck_link *link, jck_target *target, const jck_timing *timing,
                   const jrpc_clock *clock, int interrupt_fd, uint32_t nonce, jck_host *host)
{
    *link = (jck_link){
        .target = target, .timing = *timing, .clock = clock, .nonce = nonce, .host = host};
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
        .events_url = target->events_url,
        .max_message = target->max_message > 0 ? target->max_message : JCK_RECEIVED_BYTES,
        .interrupt_fd = interrupt_fd,
        .allocator = jrpc_allocator_heap(),
        .clock = clock,
    };
    // The heap's allocator is only read; the context of an allocator is not declared so.
    union {
        const jrpc_allocator *heap;
        void *context;
    } bounded = {.heap = jrpc_allocator_heap()};
    link->nodes = (jrpc_allocator){resize_bounded, bounded.context};
    jrpc_arena_init(&link->arena, jrpc_allocator_heap(), CAPTURES_BYTES);
    // Of no execution's serial, so that no case uses an id of the prelude again.
    jck_variables_init(&link->captured, &link->arena, target, nonce, UINT32_MAX);
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        jck_connection *connection = &link->connections[i];
        jrpc_json_document_init(&connection->document, &link->nodes);
        jrpc_buffer_init(&connection->request, jrpc_allocator_heap(), JRPC_LIMIT_MESSAGE_BYTES);
        jrpc_buffer_init(&connection->reply, jrpc_allocator_heap(), JRPC_LIMIT_MESSAGE_BYTES);
        jrpc_arena_init(&connection->header_texts, jrpc_allocator_heap(), CAPTURES_BYTES);
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
    closing->deaf = false;
    closing->heard_count = 0;
    closing->heard_bytes = 0;
    closing->heard_us = 0;
    jrpc_json_document_done(&closing->document);
    jrpc_buffer_done(&closing->request);
    jrpc_buffer_done(&closing->reply);
    jrpc_arena_clear(&closing->header_texts);
}

void jck_link_drop(jck_link *link)
{
    for (int i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        jck_link_close(link, (char)('a' + i));
    }
}

void jck_link_stop(jck_link *link)
{
    jck_link_drop(link);
    jck_host_stop(link->host, link->generation);
}

void jck_link_done(jck_link *link)
{
    jck_link_drop(link);
    jrpc_arena_done(&link->arena);
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        jrpc_arena_done(&link->connections[i].header_texts);
    }
}

static jck_heard heard_only(jck_heard_kind kind)
{
    return (jck_heard){.kind = kind, .value = JRPC_JSON_ABSENT};
}

static jck_heard heard_bytes(jck_heard_kind kind, const jrpc_received *received)
{
    return (jck_heard){.kind = kind, .received = *received, .value = JRPC_JSON_ABSENT};
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
        jrpc_buffer_append_str(reply,
                               "\"error\":{\"code\":-32601,\"message\":\"Method not found\"}");
    }
    jrpc_buffer_append_str(reply, ",\"id\":");
    jrpc_json_compact(reply, jrpc_json_get(request, "id"));
    jrpc_buffer_append_str(reply, "}");
}

// Keeps the request (its text is borrowed from the peer, and answering uses the peer), answers it.
static void answer_request(jck_link *link, jck_connection *open, jck_heard *heard,
                           int64_t deadline_us)
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
    // That the target does not take the answer shows when it is listened to next. One that asks and
    // asks and never reads is waited for once, and not long.
    int64_t soon = jrpc_deadline_in_ms(link->clock, link->timing.patience_ms);
    deadline_us = soon < deadline_us ? soon : deadline_us;
    static const jrpc_manner aside = {.aside = true};
    open->deaf = open->deaf || jrpc_peer_send_as(open->peer, heard->reply, &aside, deadline_us,
                                                 &ignored) == JRPC_PEER_TIMEOUT;
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
    return jrpc_json_is(method, JRPC_JSON_STRING) &&
           !jrpc_json_exists(jrpc_json_get(value, "id")) &&
           !jrpc_slice_starts_with(jrpc_json_spelling(method), JRPC_SLICE("\"jrpcheck."));
}

static jck_heard heard_message(jck_link *link, char connection, uint32_t fence,
                               const jrpc_received *received)
{
    jck_connection *open = jck_link_connection(link, connection);
    jck_heard heard = {.kind = JCK_HEARD_MESSAGE, .received = *received, .value = JRPC_JSON_ABSENT};
    jrpc_slice text = received->bytes;
    if (jrpc_slice_starts_with(text, JRPC_SLICE("\xEF\xBB\xBF"))) {
        text = jrpc_slice_of(text.ptr + 3, text.len - 3); // a breach, but not of being an answer
    }
    jrpc_error why = {0};
    if (jrpc_json_read(&open->document, text, JCK_MESSAGE_DEPTH, &why)) {
        heard.value = jrpc_json_root(&open->document);
    }
    heard.broken = why.code == JRPC_ERROR_SYNTAX;
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

void jck_link_hear_anew(jck_link *link)
{
    for (size_t i = 0; i < JCK_CONNECTIONS_MAX; i++) {
        link->connections[i].heard_count = 0;
        link->connections[i].heard_bytes = 0;
        link->connections[i].heard_us = 0;
    }
}

// Counts what came. True when it is a flood.
static bool floods(const jck_link *link, jck_connection *open, const jrpc_received *received)
{
    size_t len =
        received->true_len > received->bytes.len ? received->true_len : received->bytes.len;
    size_t longest = link->endpoint.max_message;
    size_t most = JCK_FLOOD_BYTES / 2 > longest ? JCK_FLOOD_BYTES : 2 * longest;
    open->heard_count++;
    open->heard_bytes += len;
    open->heard_us = received->at_us;
    return open->heard_count > JCK_FLOOD_MESSAGES || open->heard_bytes > most;
}

jck_heard jck_link_hear(jck_link *link, char connection, uint32_t fence, int64_t deadline_us,
                        jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    if (open->peer == NULL) {
        return heard_only(JCK_HEARD_END);
    }
    if (open->heard_us > deadline_us) {
        return heard_only(JCK_HEARD_TIMEOUT); // what came last came too late, and so will the rest
    }
    jrpc_received received = {0};
    jrpc_peer_event event = jrpc_peer_receive(open->peer, deadline_us, &received, error);
    if ((event == JRPC_PEER_MESSAGE || event == JRPC_PEER_NOISE) && floods(link, open, &received)) {
        return heard_only(JCK_HEARD_FLOOD);
    }
    switch (event) {
    case JRPC_PEER_MESSAGE: {
        jck_heard heard = heard_message(link, connection, fence, &received);
        if (heard.kind == JCK_HEARD_REQUEST) {
            answer_request(link, open, &heard, deadline_us);
        }
        return heard;
    }
    case JRPC_PEER_NOISE:
        return heard_bytes(JCK_HEARD_NOISE, &received);
    case JRPC_PEER_SILENT:
        return heard_bytes(JCK_HEARD_SILENCE, &received);
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
    if (!jck_target_traits(link->target)->can_reconnect) {
        return false; // the process is the connection
    }
    jck_link_close(link, elsewhere);
    bool answers = jck_link_open(link, elsewhere, NULL) == JCK_LINK_OK;
    jck_link_close(link, elsewhere);
    return answers;
}
