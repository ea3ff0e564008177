#include "harness/run/question.h"

#include "harness/evidence/evidence.h"
#include "harness/link/hear.h"
#include "harness/link/open.h"
#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#include <stdio.h>

static jck_reply classify(jck_asking *asking, jrpc_json response, const jck_question *asked)
{
    jrpc_json result = jrpc_json_get(response, "result");
    jrpc_json error = jrpc_json_get(response, "error");
    if (asking->result != NULL) {
        (void)jrpc_buffer_append(asking->result, jrpc_json_spelling(result));
    }
    asking->coded = jrpc_json_int64(jrpc_json_get(error, "code"), &asking->code);
    // An `error` next to the right result, or one that is not an Object, is judged by the cases.
    if (jrpc_json_exists(error) && !jrpc_json_exists(result)) {
        return JCK_REPLY_ERROR;
    }
    bool refused = jrpc_json_is(error, JRPC_JSON_OBJECT);
    if (refused && (asked->result == NULL || jrpc_json_is(result, JRPC_JSON_NULL))) {
        return JCK_REPLY_ERROR;
    }
    if (asked->result == NULL) {
        bool null = !jrpc_json_exists(result) || jrpc_json_is(result, JRPC_JSON_NULL);
        return null ? JCK_REPLY_RIGHT : JCK_REPLY_OTHER;
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool same = jrpc_json_read(&document, jrpc_slice_str(asked->result), JRPC_LIMIT_DEPTH, NULL) &&
                jrpc_json_equal(jrpc_json_root(&document), result);
    jrpc_json_document_done(&document);
    if (!same) {
        jrpc_arena arena;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
        (void)snprintf(asking->seen, sizeof asking->seen, "%s",
                       jrpc_json_exists(result)
                           ? jck_excerpt(&arena, jrpc_json_spelling(result), JCK_QUESTION_SHOWN)
                           : "no result");
        jrpc_arena_done(&arena);
    }
    return same ? JCK_REPLY_RIGHT : refused ? JCK_REPLY_ERROR : JCK_REPLY_OTHER;
}

// How long to wait for an answer: as long as one may take, until one wait was in vain; after that,
// as long as seems likely from the slowest answer so far.
static int64_t patience_us(const jck_asking *asking)
{
    const jck_timing *timing = &asking->link->timing;
    int64_t most_us = timing->reply_ms * 1000;
    int64_t likely_us = 4 * asking->slowest_us;
    likely_us = likely_us < timing->quiet_ms * 1000 ? timing->quiet_ms * 1000 : likely_us;
    return !asking->waited || likely_us > most_us ? most_us : likely_us;
}

// Some targets drop calls that they do not accept. If no answer comes for a moment, a fence is
// sent. Once that is answered, the answer to the question gets only a little longer:
// OVERTAKEN_FIRST_MS the first time; after a wait in vain OVERTAKEN_LEAST_MS, or several times as
// long as the slowest answer so far. A process of ours that has nothing to do gets less.
#define OVERTAKEN_FIRST_MS 1000
#define OVERTAKEN_LEAST_MS 100
#define FENCE_LEAST_MS 20
#define IDLE_FIRST_MS 200
#define IDLE_LEAST_MS 30
#define IDLE_FENCE_MS 50
#define SLOWEST_TIMES 4
#define FENCE_BYTES 1024

static int64_t at_least_ms(const jck_asking *asking, int64_t least_ms)
{
    int64_t ms = SLOWEST_TIMES * asking->slowest_us / 1000;
    return ms > least_ms ? ms : least_ms;
}

// When to send a fence.
static int64_t fence_at(const jck_asking *asking)
{
    const jck_timing *timing = &asking->link->timing;
    int64_t ms = asking->waited ? at_least_ms(asking, FENCE_LEAST_MS) : timing->patience_ms;
    return jrpc_deadline_in_ms(asking->link->clock,
                               ms < timing->patience_ms ? ms : timing->patience_ms);
}

static void send_fence(jck_link *link)
{
    jrpc_error ignored = {0};
    jrpc_buffer sent;
    jrpc_buffer_init(&sent, jrpc_allocator_heap(), FENCE_BYTES);
    (void)jck_link_send_fence(link, 'a', &sent, &ignored);
    jrpc_buffer_done(&sent);
}

static int64_t sooner(int64_t one_us, int64_t other_us)
{
    return one_us < other_us ? one_us : other_us;
}

// When to look whether the target has nothing to do, so that it is not waited for any longer.
static int64_t look_at(const jck_asking *asking, int64_t first_ms, int64_t least_ms)
{
    return jrpc_deadline_in_ms(asking->link->clock,
                               asking->waited ? at_least_ms(asking, least_ms) : first_ms);
}

// Whether a target that refuses some calls without their id said so: only one call waits for an
// answer.
static bool refuses_without_id(jrpc_json message)
{
    jrpc_json id = jrpc_json_get(message, "id");
    return jrpc_json_is(jrpc_json_get(message, "error"), JRPC_JSON_OBJECT) &&
           (!jrpc_json_exists(id) || jrpc_json_is(id, JRPC_JSON_NULL));
}

// Hears the answer with this id.
static jck_reply hear(jck_asking *asking, const jck_question *asked, jrpc_slice id, int64_t last_us)
{
    jck_link *link = asking->link;
    bool fences = !jck_link_exchanges(link);
    int64_t deadline_us = fences ? sooner(fence_at(asking), last_us) : last_us;
    int64_t look_us = fences ? look_at(asking, IDLE_FENCE_MS, FENCE_LEAST_MS) : INT64_MAX;
    for (;;) {
        jrpc_error error = {0};
        jck_heard heard = jck_link_hear(link, 'a', sooner(look_us, deadline_us), &error);
        if (heard.kind == JCK_HEARD_TIMEOUT && look_us < deadline_us) {
            deadline_us = jck_link_has_nothing_to_do(link) ? look_us : deadline_us;
            look_us = INT64_MAX;
            if (jrpc_clock_now_us(link->clock) < deadline_us) {
                continue;
            }
        }
        if (heard.kind == JCK_HEARD_MESSAGE &&
            jrpc_json_string_is(jrpc_json_get(heard.value, "id"), id)) {
            return classify(asking, heard.value, asked);
        }
        // Once a fence was sent, the refusal may be the answer to it.
        if (heard.kind == JCK_HEARD_MESSAGE && fences && refuses_without_id(heard.value)) {
            return classify(asking, heard.value, asked);
        }
        if (heard.kind == JCK_HEARD_FENCE) {
            int64_t ms =
                asking->waited ? at_least_ms(asking, OVERTAKEN_LEAST_MS) : OVERTAKEN_FIRST_MS;
            last_us = sooner(jrpc_deadline_in_ms(link->clock, ms), last_us);
            deadline_us = last_us;
            look_us = look_at(asking, IDLE_FIRST_MS, IDLE_LEAST_MS);
        } else if (heard.kind == JCK_HEARD_TIMEOUT && fences && deadline_us < last_us) {
            fences = false;
            deadline_us = last_us;
            look_us = INT64_MAX;
            send_fence(link);
        } else if (jck_heard_ends_wait(heard.kind)) {
            asking->waited = asking->waited || heard.kind == JCK_HEARD_TIMEOUT;
            return JCK_REPLY_NONE;
        }
    }
}

// The params of a question, with the names that the candidate has for them.
static void write_params(const jck_asking *asking, const char *params, jrpc_buffer *out)
{
    jrpc_json_document document;
    jrpc_json names = asking->candidate == NULL || asking->candidate->call == NULL
                          ? JRPC_JSON_ABSENT
                          : asking->candidate->call->names;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (!jrpc_json_exists(names) ||
        !jrpc_json_read(&document, jrpc_slice_str(params), JRPC_LIMIT_DEPTH, NULL) ||
        !jrpc_json_is(jrpc_json_root(&document), JRPC_JSON_OBJECT)) {
        (void)jrpc_buffer_append_str(out, params);
    } else {
        const char *between = "{";
        for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_root(&document));
             jrpc_json_step(&it);) {
            jrpc_slice key = jrpc_json_spelling(it.key);
            jrpc_json name = jrpc_json_member(names, jrpc_slice_of(key.ptr + 1, key.len - 2));
            (void)jrpc_buffer_append_str(out, between);
            (void)jrpc_buffer_append(out, jrpc_json_exists(name) ? jrpc_json_spelling(name) : key);
            (void)jrpc_buffer_append_char(out, ':');
            (void)jrpc_buffer_append(out, jrpc_json_spelling(it.value));
            between = ",";
        }
        (void)jrpc_buffer_append_char(out, '}');
    }
    jrpc_json_document_done(&document);
}

void jck_question_id(const jck_asking *asking, size_t number, char *out)
{
    (void)snprintf(out, JCK_QUESTION_ID_BYTES, "jck-%08x-0-%s%zu", asking->link->nonce,
                   asking->candidate == NULL ? "ask" : "try", number);
}

void jck_question_write(const jck_asking *asking, const jck_question *asked, const char *id,
                        jrpc_buffer *text)
{
    const jck_connection *open = jck_link_connection(asking->link, 'a');
    const char *params = asked->params == NULL && open->fence.with_params ? "[]" : asked->params;
    (void)jrpc_buffer_append_str(text, "{\"jsonrpc\":\"2.0\",\"method\":");
    if (asking->candidate == NULL) {
        (void)jrpc_json_quote(text, jrpc_slice_str(asked->capability));
    } else {
        (void)jrpc_buffer_append(text, asking->candidate->method);
    }
    if (params != NULL) {
        (void)jrpc_buffer_append_str(text, ",\"params\":");
        write_params(asking, params, text);
    }
    (void)jrpc_buffer_printf(text, ",\"id\":\"%s\"}", id);
}

// The reply from the answer to the batch; UNASKED if there is none. It is taken only if a call
// alone would get the same.
static jck_reply reply_ahead(jck_asking *asking, const jck_question *asked, jrpc_slice id)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(asking->ahead); jrpc_json_step(&it);) {
        if (jrpc_json_string_is(jrpc_json_get(it.value, "id"), id)) {
            jck_reply reply = classify(asking, it.value, asked);
            bool absent =
                reply == JCK_REPLY_ERROR && asking->coded && asking->code == JRPC_METHOD_NOT_FOUND;
            return reply == JCK_REPLY_RIGHT || absent ? reply : JCK_REPLY_UNASKED;
        }
    }
    return JCK_REPLY_UNASKED;
}

// Asks. The id distinguishes a late answer from the answers to cases.
static jck_reply ask(jck_asking *asking, const jck_question *asked, size_t number)
{
    jck_link *link = asking->link;
    char id[JCK_QUESTION_ID_BYTES];
    jck_question_id(asking, number, id);
    jck_reply ahead = reply_ahead(asking, asked, jrpc_slice_str(id));
    if (ahead != JCK_REPLY_UNASKED) {
        return ahead;
    }
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), JCK_QUESTION_BYTES);
    jck_question_write(asking, asked, id, &text);
    jrpc_error error = {0};
    int64_t began_us = jrpc_clock_now_us(link->clock);
    int64_t deadline_us = began_us + patience_us(asking);
    static const jrpc_manner as_usual = {.chunked = false};
    jrpc_peer_event sent = jck_link_send(link, 'a', jrpc_buffer_slice(&text), &as_usual, &error);
    jrpc_buffer_done(&text);
    if (sent == JRPC_PEER_ENDED) {
        jck_connection_fail(jck_link_connection(link, 'a'), JCK_CONNECTION_ENDED);
    }
    if (sent != JRPC_PEER_MESSAGE) {
        return JCK_REPLY_NONE;
    }
    jck_reply reply = hear(asking, asked, jrpc_slice_str(id), deadline_us);
    int64_t took_us = jrpc_clock_now_us(link->clock) - began_us;
    if (reply != JCK_REPLY_NONE && took_us > asking->slowest_us) {
        asking->slowest_us = took_us;
    }
    return reply;
}

// Whether the target closed the connection and its process still runs.
static bool was_left(jck_link *link)
{
    jck_host_end end;
    return jck_link_connection(link, 'a')->state == JCK_CONNECTION_ENDED &&
           !jck_host_is_gone(link->host, link->generation,
                             jrpc_deadline_in_ms(link->clock, JCK_FOLLOW_MS), &end);
}

bool jck_ask(jck_asking *asking, const jck_question *asked, size_t number, jck_reply *ret_reply)
{
    jck_link *link = asking->link;
    bool again = true;
    for (int left = 2; left > 0 && again; left--) {
        jck_link_leave_used(link);
        if (jck_link_open(link, 'a', NULL) != JCK_LINK_OK) {
            return false;
        }
        *ret_reply = ask(asking, asked, number);
        // A target may close a connection at any time. The question is asked again on another one.
        again = *ret_reply == JCK_REPLY_NONE && jck_target_traits(link->target)->can_reconnect &&
                was_left(link);
        if (again) {
            jck_link_close(link, 'a');
        }
    }
    return true;
}
