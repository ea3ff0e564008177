#include "harness/link/open.h"

#include "harness/link/hear.h"
#include "harness/link/prelude.h"
#include "reference/net/descriptor.h"
#include "reference/rpc/message.h"

#include <stdio.h>
#include <string.h>

// Between two attempts to connect to something that is only just starting.
#define RETRY_MS 20
// How long one style of fence is given before the next one is tried beside it.
#define STYLE_MS 1500
#define FENCE_BYTES 1024
// The connection on which is asked whether a target answers elsewhere.
#define ELSEWHERE (char)('a' + JCK_CONNECTIONS_MAX - 1)
// How long a target may take to give out what it holds when we say that we send no more.
#define REST_MS 500
// How often a target that answered before may be gone again while it is being opened, because
// another worker's case ended it; and how long after its connection a process may take to go.
#define OPENINGS_MAX 5
#define FOLLOW_MS 150

// One opening under way.
typedef struct opening {
    jck_link *link;
    char connection;
    jck_connection *open;
    int64_t deadline_us;
    jrpc_error *error;
} opening;

static jck_link_status status_of(const jrpc_error *error)
{
    return error->code == JRPC_ERROR_INTERRUPTED ? JCK_LINK_INTERRUPTED : JCK_LINK_UNOPENED;
}

static jck_link_status start_host(const opening *now)
{
    jck_link *link = now->link;
    uint32_t before = link->generation;
    bool running = jck_host_start(link->host, now->deadline_us, &link->generation, now->error);
    if (link->generation != before) {
        jck_link_drop(link); // what is open leads to a process that is gone
    }
    return running ? JCK_LINK_OK : status_of(now->error);
}

// Waits a moment for the started command to listen. False when it ended, or time is up.
static bool may_listen_soon(const opening *now, const jrpc_error *refusal)
{
    const jck_link *link = now->link;
    jck_host_end end;
    struct pollfd stop = {.fd = link->endpoint.interrupt_fd, .events = POLLIN};
    // That it speaks something else does not change by waiting.
    if (!jck_host_is_starting(link->host, link->generation) ||
        refusal->code == JRPC_ERROR_INVALID || refusal->code == JRPC_ERROR_USAGE ||
        refusal->code == JRPC_ERROR_INTERRUPTED ||
        jrpc_clock_now_us(link->clock) >= now->deadline_us) {
        return false;
    }
    (void)jrpc_descriptor_poll(&stop, 1, link->clock, jrpc_deadline_in_ms(link->clock, RETRY_MS));
    return !jck_host_is_gone(link->host, link->generation, 0, &end);
}

static jck_link_status connect_peer(const opening *now)
{
    for (;;) {
        jrpc_error refusal = {0};
        jrpc_peer *peer = jrpc_peer_open(&now->link->endpoint, now->deadline_us, &refusal);
        struct pollfd stop = {.fd = now->link->endpoint.interrupt_fd, .events = POLLIN};
        if (peer != NULL) {
            jck_connection_begin(now->open, peer);
            now->link->opening.connected = true;
            return JCK_LINK_OK;
        }
        bool again = may_listen_soon(now, &refusal);
        if (jrpc_descriptor_poll(&stop, 1, now->link->clock, 0) > 0) {
            return JCK_LINK_INTERRUPTED;
        }
        if (!again) {
            *now->error = refusal;
            return status_of(&refusal);
        }
    }
}

static jck_link_status run_prelude(const opening *now)
{
    const jck_target *target = now->link->target;
    jck_link_status status = JCK_LINK_OK;
    for (size_t i = 0; i < target->prelude_count && status == JCK_LINK_OK; i++) {
        status = jck_prelude_step(now->link, now->connection, &target->prelude[i], (int)i,
                                  now->deadline_us, now->error);
    }
    return status;
}

static jck_link_status listen_for_events(const opening *now)
{
    if (now->link->target->events_url == NULL) {
        return JCK_LINK_OK;
    }
    jrpc_peer_event event = jrpc_peer_listen(now->open->peer, now->deadline_us, now->error);
    return event == JRPC_PEER_MESSAGE       ? JCK_LINK_OK
           : event == JRPC_PEER_INTERRUPTED ? JCK_LINK_INTERRUPTED
                                            : JCK_LINK_UNOPENED;
}

// Params that calls of the fixture's methods have; only of those that change nothing.
static const struct {
    const char *capability;
    const char *params;
} harmless[] = {
    {"echo", "[\"jrpcheck\"]"},
    {"subtract", "[42,23]"},
    {"sum", "[1,2,4]"},
    {"get_data", ""},
};

enum { HARMLESS = sizeof harmless / sizeof harmless[0], UNKNOWN_STYLES = 2 };

static bool style_of_method(jrpc_slice method, const char *params, jck_fence_style *ret_style)
{
    *ret_style = (jck_fence_style){.with_params = false};
    if (method.len >= sizeof ret_style->method) {
        return false;
    }
    memcpy(ret_style->method, method.ptr, method.len);
    (void)snprintf(ret_style->params, sizeof ret_style->params, "%s", params);
    return true;
}

// Number `index` of the styles of a first fence: a method that does not exist (it serves best, as
// it has no effect), the same with params, the methods that the target is said to have, and those
// that it may have by the names and the params that section 7 of the specification prints: there
// are servers that answer no call of a method that they do not know. False past the last.
static bool style_at(const jck_link *link, size_t index, jck_fence_style *ret_style)
{
    if (index < UNKNOWN_STYLES) {
        *ret_style = (jck_fence_style){.with_params = index == 1};
        (void)snprintf(ret_style->method, sizeof ret_style->method, "\"jrpcheck.fence.%08x\"",
                       link->nonce);
        (void)snprintf(ret_style->params, sizeof ret_style->params, "%s", index == 1 ? "[]" : "");
        return true;
    }
    index -= UNKNOWN_STYLES;
    if (index < link->target->mapping_count) {
        const jck_mapping *mapping = &link->target->mappings[index];
        const char *params = "";
        for (size_t i = 0; i < HARMLESS; i++) {
            params = jrpc_slice_is(mapping->capability, harmless[i].capability) ? harmless[i].params
                                                                                : params;
        }
        return style_of_method(mapping->method, params, ret_style) ||
               style_at(link, index + UNKNOWN_STYLES + 1, ret_style);
    }
    index -= link->target->mapping_count;
    if (index >= HARMLESS) {
        return false;
    }
    char method[32];
    int len = snprintf(method, sizeof method, "\"%s\"", harmless[index].capability);
    return style_of_method(jrpc_slice_of(method, (size_t)len), harmless[index].params, ret_style);
}

static bool record(const opening *now, jck_direction direction, jck_role_of_message role,
                   const jck_heard *heard, jrpc_slice bytes)
{
    if (bytes.len == 0) {
        return true;
    }
    const jrpc_received none = {.true_len = bytes.len};
    const jrpc_received *received = heard == NULL ? &none : &heard->received;
    jck_message message = {.direction = direction,
                           .role = role,
                           .connection = now->connection,
                           .at_us = received->at_us,
                           .bytes = bytes,
                           .true_len = received->true_len,
                           .broken = heard != NULL && heard->broken,
                           .fence = heard == NULL ? JCK_FENCE_NONE : heard->fence,
                           .why = received->why,
                           .http_status = received->http_status,
                           .http_headers = received->http_headers,
                           .http_reused = received->http_reused};
    return jck_evidence_add(&now->link->opening.record, &message);
}

static jck_link_status send_first_fence(const opening *now)
{
    jrpc_buffer sent;
    jrpc_buffer_init(&sent, jrpc_allocator_heap(), FENCE_BYTES);
    jrpc_peer_event event = jck_link_send_fence(now->link, now->connection, &sent, now->error);
    bool kept = record(now, JCK_SENT, JCK_MESSAGE_OF_FENCE, NULL, jrpc_buffer_slice(&sent));
    jrpc_buffer_done(&sent);
    return event == JRPC_PEER_INTERRUPTED      ? JCK_LINK_INTERRUPTED
           : event == JRPC_PEER_FAULT || !kept ? JCK_LINK_FAULT
                                               : JCK_LINK_OK;
}

// Whether a message can be the answer to the first fence although it lacks the fence's id.
static bool is_response(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_OBJECT) &&
           !jrpc_json_exists(jrpc_json_get(value, "method"));
}

static bool has_no_id(jrpc_json response)
{
    jrpc_json id = jrpc_json_get(response, "id");
    return !jrpc_json_exists(id) || jrpc_json_is(id, JRPC_JSON_NULL);
}

// Draws the consequence of what was heard while the answer to a first fence is waited for. True
// with *ret_status when that is over.
static bool is_settled_by(const opening *now, const jck_heard *heard, jck_link_status *ret_status)
{
    jck_link *link = now->link;
    link->opening.http_status =
        heard->received.http_status != 0 ? heard->received.http_status : link->opening.http_status;
    switch (heard->kind) {
    case JCK_HEARD_FENCE:
    case JCK_HEARD_LATE_FENCE:
        link->opening.code = 0;
        (void)jrpc_json_int64(jrpc_json_get(jrpc_json_get(heard->value, "error"), "code"),
                              &link->opening.code);
        *ret_status = JCK_LINK_OK;
        return true;
    case JCK_HEARD_ECHO:
        jck_remember_words(link, heard->received.bytes);
        *ret_status = JCK_LINK_ECHOES;
        return true;
    case JCK_HEARD_MESSAGE:
        if (!is_response(heard->value)) {
            jck_remember_words(link, heard->received.bytes);
            return false;
        }
        // With a wrong id it may only be the kind of id that the target cannot keep.
        link->opening.wrong_id = !has_no_id(heard->value);
        if (link->opening.wrong_id && !now->open->fence.number) {
            *ret_status = JCK_LINK_MUTE;
            return true;
        }
        jck_fence_learn(&now->open->fences, &now->open->fence, heard->value);
        *ret_status = JCK_LINK_OK;
        return true;
    case JCK_HEARD_NOISE:
        jck_remember_words(link, heard->received.bytes);
        return false;
    case JCK_HEARD_PUSH:
    case JCK_HEARD_REQUEST:
    case JCK_HEARD_DEFERRED:
        return false;
    case JCK_HEARD_SILENCE:
        *ret_status = JCK_LINK_MUTE;             // over HTTP this is known without waiting …
        return link->target->events_url == NULL; // … unless the answer may come as an event
    case JCK_HEARD_END:
        (void)jrpc_error_set(now->error, JRPC_ERROR_CLOSED, "it ended before it answered anything");
        *ret_status = JCK_LINK_UNOPENED;
        return true;
    case JCK_HEARD_FLOOD:
        *ret_status = JCK_LINK_FLOODS;
        return true;
    case JCK_HEARD_TIMEOUT:
        *ret_status = JCK_LINK_MUTE;
        return true;
    case JCK_HEARD_INTERRUPT:
        *ret_status = JCK_LINK_INTERRUPTED;
        return true;
    case JCK_HEARD_FAULT:
        *ret_status = JCK_LINK_FAULT;
        return true;
    }
    return true;
}

// Waits for the answer to the fence just sent, or a late one to a fence sent before: a target that
// is only just starting answers them all in the end.
static jck_link_status await_fence(const opening *now, int64_t deadline_us)
{
    for (;;) {
        jck_heard heard = jck_link_hear(now->link, now->connection, deadline_us, now->error);
        bool fence = heard.kind == JCK_HEARD_FENCE || heard.kind == JCK_HEARD_LATE_FENCE;
        jck_role_of_message role = fence                           ? JCK_MESSAGE_OF_FENCE
                                   : heard.kind == JCK_HEARD_NOISE ? JCK_MESSAGE_NOISE
                                                                   : JCK_MESSAGE_OF_CASE;
        if (!record(now, JCK_RECEIVED, role, &heard, heard.received.bytes)) {
            return JCK_LINK_FAULT;
        }
        jck_link_status status = JCK_LINK_MUTE;
        if (is_settled_by(now, &heard, &status)) {
            return status;
        }
    }
}

// Which of the fences sent one after the other since `number`, each in the next style, was
// answered: the first one that was, as its style serves best.
static uint32_t first_answered(const jck_fences *fences, uint32_t number)
{
    while (number < fences->count && number < JCK_FENCES_KEPT &&
           fences->sent[number].answers == 0) {
        number++;
    }
    return number;
}

// Finds the style of fence that the target answers; what it answered before is tried first.
static jck_link_status find_fence(const opening *now)
{
    jck_link *link = now->link;
    size_t first = link->habits.fence_style;
    uint32_t begun = now->open->fences.count;
    jck_fence_style next;
    jck_link_status status = JCK_LINK_MUTE;
    for (size_t index = first; style_at(link, index, &next) && status == JCK_LINK_MUTE; index++) {
        now->open->fence = next;
        now->open->fence.number = link->habits.fence_number;
        status = send_first_fence(now);
        if (status != JCK_LINK_OK) {
            return status;
        }
        bool last = !style_at(link, index + 1, &next);
        int64_t soon = jrpc_deadline_in_ms(link->clock, STYLE_MS);
        int64_t until = last || soon > now->deadline_us ? now->deadline_us : soon;
        status = await_fence(now, until);
        if (status == JCK_LINK_MUTE && link->opening.wrong_id && !link->habits.fence_number) {
            link->habits.fence_number = true;
            begun = now->open->fences.count;
            first = index--; // once more in this style, by a number
            continue;
        }
        if (status == JCK_LINK_OK) {
            link->habits.fence_style = first + first_answered(&now->open->fences, begun) - begun;
            const jck_fence_style answered = now->open->fence;
            (void)style_at(link, link->habits.fence_style, &now->open->fence);
            now->open->fence.number = answered.number;
            now->open->fence.by_form = answered.by_form;
            now->open->fence.form_len = answered.form_len;
            memcpy(now->open->fence.form, answered.form, sizeof answered.form);
        }
    }
    return status;
}

// Asks, the first time, whether a target that refuses a call without params with another error than
// the one that is owed knows that the method does not exist once there are params: then it gets
// some in every call.
static jck_link_status learn_params(const opening *now)
{
    jck_link *link = now->link;
    bool refused = link->opening.code != 0 && link->opening.code != JRPC_METHOD_NOT_FOUND;
    if (link->habits.params_known || link->habits.fence_style != 0 || !refused) {
        return JCK_LINK_OK;
    }
    link->habits.params_known = true;
    const jck_fence_style without = now->open->fence;
    (void)style_at(link, 1, &now->open->fence);
    now->open->fence.number = without.number;
    jck_link_status status = send_first_fence(now);
    if (status == JCK_LINK_OK) {
        status = await_fence(now, jrpc_deadline_in_ms(link->clock, STYLE_MS));
    }
    if (status == JCK_LINK_OK && link->opening.code == JRPC_METHOD_NOT_FOUND) {
        link->habits.fence_style = 1;
        return JCK_LINK_OK;
    }
    now->open->fence = without;
    return status == JCK_LINK_MUTE ? JCK_LINK_OK : status;
}

// Asks once more on the same connection, the first time: a target that closes it instead, and whose
// process lives, takes one message a connection.
static jck_link_status learn_use(const opening *now)
{
    jck_link *link = now->link;
    const jrpc_traits *traits = jck_target_traits(link->target);
    if (link->habits.use != JCK_USE_UNKNOWN || traits->exchanges || !traits->can_reconnect ||
        link->target->prelude_count > 0) {
        return JCK_LINK_OK;
    }
    link->habits.use = JCK_USE_MANY;
    jck_link_status status = send_first_fence(now);
    int64_t soon = jrpc_deadline_in_ms(link->clock, link->timing.patience_ms);
    jck_heard_kind kind = JCK_HEARD_NOISE;
    while (status == JCK_LINK_OK && kind != JCK_HEARD_FENCE && kind != JCK_HEARD_TIMEOUT &&
           !jck_heard_is_end(kind)) {
        kind = jck_link_hear(link, now->connection, soon, now->error).kind;
    }
    jck_host_end end;
    int64_t follow = jrpc_deadline_in_ms(link->clock, FOLLOW_MS);
    if (kind == JCK_HEARD_END && !jck_host_is_gone(link->host, link->generation, follow, &end)) {
        link->habits.use = JCK_USE_ONE;
        jck_link_close(link, now->connection);
        return connect_peer(now);
    }
    return kind == JCK_HEARD_INTERRUPT ? JCK_LINK_INTERRUPTED : status;
}

// The line itself. Where a target is known to take one message a connection, that is for a case,
// and no fence goes first, unless it is the answer to one that is asked for.
static jck_link_status open_in_line(const opening *now)
{
    jck_link_status status = start_host(now);
    if (status == JCK_LINK_OK) {
        status = connect_peer(now);
    }
    if (status == JCK_LINK_OK) {
        status = run_prelude(now);
    }
    if (status == JCK_LINK_OK) {
        status = listen_for_events(now);
    }
    if (status == JCK_LINK_OK &&
        (now->link->habits.use != JCK_USE_ONE || now->connection == ELSEWHERE)) {
        status = find_fence(now);
    }
    if (status == JCK_LINK_OK) {
        status = learn_use(now);
    }
    if (status == JCK_LINK_OK && now->link->habits.use != JCK_USE_ONE) {
        status = learn_params(now);
    }
    return status;
}

// An answer that was never ended, by a line feed say, is no message; at the end of the stream it
// comes out and can be shown.
static void hear_the_rest(const opening *now)
{
    if (now->link->opening.words[0] != '\0' || !jck_target_traits(now->link->target)->byte_stream) {
        return;
    }
    jrpc_peer_close_write(now->open->peer);
    int64_t deadline = jrpc_deadline_in_ms(now->link->clock, REST_MS);
    jck_heard_kind kind = JCK_HEARD_NOISE;
    for (int i = 0; i < 8 && kind != JCK_HEARD_TIMEOUT && !jck_heard_is_end(kind); i++) {
        jrpc_error ignored = {0};
        jck_heard heard = jck_link_hear(now->link, now->connection, deadline, &ignored);
        jck_remember_words(now->link, heard.received.bytes);
        (void)record(now, JCK_RECEIVED, JCK_MESSAGE_NOISE, &heard, heard.received.bytes);
        kind = heard.kind;
    }
}

static void conclude(const opening *now, jck_link_status status, int64_t began_us)
{
    jck_link *link = now->link;
    link->opening.status = status;
    link->opening.took_us = jrpc_clock_now_us(link->clock) - began_us;
    if (status == JCK_LINK_OK) {
        jck_connection_greeted(now->open);
        link->opened++;
        jck_host_answers(link->host, link->generation);
        return;
    }
    if (status == JCK_LINK_UNOPENED) {
        jck_explain_end(link, now->connection, now->error);
    } else if (status == JCK_LINK_MUTE || status == JCK_LINK_FLOODS || status == JCK_LINK_ECHOES) {
        hear_the_rest(now);
        jck_explain_silence(link, now->error);
    }
    jck_link_close(link, now->connection);
}

static jck_link_status open_once(jck_link *link, char connection, jrpc_error *error)
{
    int64_t began = jrpc_clock_now_us(link->clock);
    const opening now = {.link = link,
                         .connection = connection,
                         .open = jck_link_connection(link, connection),
                         .deadline_us = began + link->timing.start_ms * 1000,
                         .error = error};
    jrpc_arena_clear(&link->record);
    link->opening = (jck_opening){.status = JCK_LINK_FAULT};
    jrpc_error_clear(error);
    if (!jck_evidence_init(&link->opening.record, &link->record, 1)) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for a connection");
        return JCK_LINK_FAULT;
    }
    jck_link_status status = open_in_line(&now);
    conclude(&now, status, began);
    return status;
}

jck_link_status jck_link_open(jck_link *link, char connection, jrpc_error *error)
{
    jck_host_end end;
    jrpc_error ignored = {0};
    error = error == NULL ? &ignored : error;
    // An end that nobody has seen yet, between two cases, is left for the next one to run into.
    if (jck_host_is_gone(link->host, link->generation, 0, &end) &&
        (end.by_us || end.seen ||
         !jck_connection_is_in_order(jck_link_connection(link, connection)))) {
        jck_link_drop(link);
    }
    if (jck_link_connection(link, connection)->state != JCK_CONNECTION_CLOSED) {
        return JCK_LINK_OK;
    }
    for (int left = OPENINGS_MAX;; left--) {
        bool answered = jck_host_has_answered(link->host);
        jck_link_status status = open_once(link, connection, error);
        bool failed = status == JCK_LINK_UNOPENED || status == JCK_LINK_MUTE;
        // The end of a connection may be seen before that of the process.
        int64_t soon = jrpc_deadline_in_ms(link->clock, FOLLOW_MS);
        if (!failed || !answered || left == 1 ||
            !jck_host_is_gone(link->host, link->generation, soon, &end)) {
            return status;
        }
    }
}

bool jck_link_answers(jck_link *link, char connection)
{
    jrpc_error ignored = {0};
    jrpc_buffer sent;
    jrpc_buffer_init(&sent, jrpc_allocator_heap(), FENCE_BYTES);
    int64_t deadline = jrpc_deadline_in_ms(link->clock, link->timing.reply_ms);
    bool asked = jck_link_send_fence(link, connection, &sent, &ignored) == JRPC_PEER_MESSAGE;
    jrpc_buffer_done(&sent);
    jck_heard_kind kind = asked ? JCK_HEARD_NOISE : JCK_HEARD_END;
    while (kind != JCK_HEARD_FENCE && kind != JCK_HEARD_TIMEOUT && kind != JCK_HEARD_SILENCE &&
           !jck_heard_is_end(kind)) {
        kind = jck_link_hear(link, connection, deadline, &ignored).kind;
    }
    return kind == JCK_HEARD_FENCE;
}

bool jck_link_answers_elsewhere(jck_link *link)
{
    if (!jck_target_traits(link->target)->can_reconnect) {
        return false; // the process is the connection
    }
    jck_link_close(link, ELSEWHERE);
    bool answers = jck_link_open(link, ELSEWHERE, NULL) == JCK_LINK_OK;
    jck_link_close(link, ELSEWHERE);
    return answers;
}
