#include "reference/calls/calls.h"

#include "reference/base/limits.h"
#include "reference/base/utf8.h"
#include "reference/calls/calls_private.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

enum { ID_BYTES = 24 };

jrpc_calls *jrpc_calls_new(const jrpc_allocator *allocator, const jrpc_calls_ear *ear,
                           const jrpc_calls_hooks *hooks, size_t most)
{
    jrpc_calls *calls = jrpc_allocate(allocator, sizeof *calls);
    if (calls == NULL) {
        return NULL;
    }
    *calls = (jrpc_calls){.allocator = allocator,
                          .most = most == 0 ? JRPC_LIMIT_BATCH_ELEMENTS : most,
                          .default_deadline_us = JRPC_DEADLINE_NEVER};
    if (ear != NULL) {
        calls->ear = *ear;
    }
    if (hooks != NULL) {
        calls->hooks = *hooks;
    }
    jrpc_table_init(&calls->table, allocator);
    jrpc_json_document_init(&calls->received, allocator);
    jrpc_json_document_init(&calls->params, allocator);
    jrpc_buffer_init(&calls->own, allocator, JRPC_LIMIT_DOCUMENT_BYTES);
    return calls;
}

void jrpc_calls_free(jrpc_calls *calls)
{
    if (calls != NULL) {
        jrpc_table_done(&calls->table);
        jrpc_json_document_done(&calls->received);
        jrpc_json_document_done(&calls->params);
        jrpc_buffer_done(&calls->own);
        jrpc_deallocate(calls->allocator, calls);
    }
}

void jrpc_calls_set_default_deadline(jrpc_calls *calls, int64_t deadline_us)
{
    calls->default_deadline_us = deadline_us;
}

static bool check_method(jrpc_slice method, jrpc_error *error)
{
    if (method.len == 0) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "a call needs a method");
    }
    return jrpc_utf8_is_valid(method.ptr, method.len) ||
           jrpc_error_set(error, JRPC_ERROR_INVALID, "the method is not valid UTF-8");
}

// Reads params into calls->params. Section 4.2: an Array or an Object.
static bool check_params(jrpc_calls *calls, jrpc_slice params, jrpc_error *error)
{
    jrpc_error unread = {.code = JRPC_OK};
    if (!jrpc_json_read(&calls->params, params, UINT32_MAX, &unread)) {
        bool memory = unread.code == JRPC_ERROR_MEMORY;
        return jrpc_error_set(error, memory ? JRPC_ERROR_MEMORY : JRPC_ERROR_INVALID,
                              "the params are not JSON: %s", unread.message);
    }
    jrpc_json_kind kind = jrpc_json_kind_of(jrpc_json_root(&calls->params));
    return kind == JRPC_JSON_ARRAY || kind == JRPC_JSON_OBJECT ||
           jrpc_error_set(error, JRPC_ERROR_INVALID, "the params are neither Array nor Object");
}

// Appends one Request without its hooks having had a chance to fail.
static void write_plain(jrpc_calls *calls, const jrpc_call_parts *parts, jrpc_slice id,
                        jrpc_buffer *out)
{
    jrpc_buffer quoted;
    jrpc_buffer compact;
    jrpc_buffer_init(&quoted, calls->allocator, out->maximum);
    jrpc_buffer_init(&compact, calls->allocator, out->maximum);
    bool ok =
        jrpc_json_quote(&quoted, parts->method) &&
        (parts->params.len == 0 || jrpc_json_compact(&compact, jrpc_json_root(&calls->params)));
    jrpc_request request = {.version = JRPC_SLICE("\"2.0\""),
                            .method = jrpc_buffer_slice(&quoted),
                            .params = jrpc_buffer_slice(&compact),
                            .id = id};
    if (calls->hooks.request != NULL) {
        calls->hooks.request(calls->hooks.context, parts, &request);
    }
    if (!jrpc_request_write(out, &request) || !ok) {
        out->failed = true;
    }
    jrpc_buffer_done(&quoted);
    jrpc_buffer_done(&compact);
}

static bool write_one(jrpc_calls *calls, const jrpc_call_parts *parts, uint64_t id,
                      jrpc_buffer *out, jrpc_error *error)
{
    char digits[ID_BYTES];
    int len = snprintf(digits, sizeof digits, "%" PRIu64, id);
    jrpc_slice spelling =
        parts->notification ? (jrpc_slice){NULL, 0} : jrpc_slice_of(digits, (size_t)len);
    if (parts->structured != NULL) {
        jrpc_request_parts structured = *parts->structured;
        structured.params = parts->params;
        structured.id = spelling;
        return jrpc_build_request(out, &structured, error);
    }
    if (!check_method(parts->method, error) ||
        (parts->params.len > 0 && !check_params(calls, parts->params, error))) {
        return false;
    }
    write_plain(calls, parts, spelling, out);
    return !out->failed ||
           jrpc_error_set(error, JRPC_ERROR_LIMIT,
                          "memory is out, or the message is longer than %zu bytes", out->maximum);
}

static size_t count_calls(const jrpc_call_parts *parts, size_t count)
{
    size_t calls = 0;
    for (size_t i = 0; i < count; i++) {
        calls += !parts[i].notification;
    }
    return calls;
}

static bool write_all(jrpc_calls *calls, const jrpc_call_parts *parts, size_t count, bool batch,
                      jrpc_sent *sent, jrpc_buffer *out, jrpc_error *error)
{
    size_t begun = 0;
    bool ok = true;
    for (size_t i = 0; i < count && ok; i++) {
        if (batch) {
            jrpc_buffer_append_char(out, i == 0 ? '[' : ',');
        }
        ok = write_one(calls, &parts[i], calls->table.next_id + begun, out, error);
        if (ok && !parts[i].notification) {
            assert(sent != NULL && begun < sent->count);
            sent->calls[begun++] =
                (jrpc_pending){.answered = parts[i].answered,
                               .context = parts[i].context,
                               .deadline_us = parts[i].deadline_us == 0 ? calls->default_deadline_us
                                                                        : parts[i].deadline_us};
        }
    }
    if (ok && batch && !jrpc_buffer_append_char(out, ']')) {
        ok = jrpc_error_set(error, JRPC_ERROR_LIMIT, "the message is longer than %zu bytes",
                            out->maximum);
    }
    return ok;
}

static bool begin(jrpc_calls *calls, const jrpc_call_parts *parts, size_t count, bool batch,
                  jrpc_buffer *out, uint64_t *ret_ids, jrpc_error *error)
{
    size_t made = count_calls(parts, count);
    if (made > calls->most - calls->table.under_way) {
        return jrpc_error_set(error, JRPC_ERROR_LIMIT, "more than %zu calls would be under way",
                              calls->most);
    }
    jrpc_sent *sent = NULL;
    if (made > 0 && (sent = jrpc_table_prepare(&calls->table, made)) == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a call");
    }
    size_t before = out->len;
    bool failed = out->failed;
    if (!write_all(calls, parts, count, batch, sent, out, error)) {
        jrpc_buffer_truncate(out, before);
        out->failed = failed;
        jrpc_table_drop(&calls->table, sent);
        return false;
    }
    uint64_t id = calls->table.next_id;
    for (size_t i = 0; ret_ids != NULL && i < count; i++) {
        ret_ids[i] = parts[i].notification ? 0 : id++;
    }
    if (sent != NULL) {
        jrpc_table_add(&calls->table, sent);
    }
    return true;
}

bool jrpc_calls_begin(jrpc_calls *calls, const jrpc_call_parts *parts, jrpc_buffer *out,
                      uint64_t *ret_id, jrpc_error *error)
{
    return begin(calls, parts, 1, false, out, ret_id, error);
}

bool jrpc_calls_begin_batch(jrpc_calls *calls, const jrpc_call_parts *parts, size_t count,
                            jrpc_buffer *out, uint64_t *ret_ids, jrpc_error *error)
{
    if (count == 0) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID, "a batch needs at least one Request");
    }
    return begin(calls, parts, count, true, out, ret_ids, error);
}

bool jrpc_calls_end(jrpc_calls *calls, uint64_t id, const jrpc_message *message, jrpc_answer answer)
{
    jrpc_sent *sent = NULL;
    jrpc_pending *call = jrpc_table_find(&calls->table, id, &sent);
    answer.id = id;
    answer.context = call->context;
    if (calls->hooks.answer != NULL &&
        !calls->hooks.answer(calls->hooks.context, message, &answer)) {
        return false;
    }
    // The callback may begin calls, which moves messages about.
    jrpc_answered *answered = call->answered;
    jrpc_table_finish(&calls->table, sent, call);
    if (answered != NULL) {
        answered(answer.context, &answer);
    }
    return true;
}

void jrpc_calls_end_message(jrpc_calls *calls, uint64_t first, const jrpc_message *message,
                            const jrpc_answer *answer)
{
    const jrpc_sent *sent = jrpc_table_message(&calls->table, first);
    size_t count = sent == NULL ? 0 : sent->count;
    for (size_t i = 0; i < count; i++) {
        jrpc_sent *now = NULL;
        if (jrpc_table_find(&calls->table, first + i, &now) != NULL) {
            (void)jrpc_calls_end(calls, first + i, message, *answer);
        }
    }
}

void jrpc_calls_conclude(jrpc_calls *calls, uint64_t scope, jrpc_answer_kind kind, const char *why)
{
    const jrpc_answer answer = {.kind = kind, .value = JRPC_JSON_ABSENT, .why = why};
    if (scope != 0) {
        jrpc_calls_end_message(calls, scope, NULL, &answer);
        return;
    }
    // Calls that are begun meanwhile are not meant.
    uint64_t end = calls->table.next_id;
    const jrpc_sent *sent = NULL;
    for (uint64_t id = 0;
         (sent = jrpc_table_from(&calls->table, id)) != NULL && sent->first < end;) {
        uint64_t first = sent->first;
        id = first + sent->count;
        jrpc_calls_end_message(calls, first, NULL, &answer);
    }
}

static void expire_message(jrpc_calls *calls, uint64_t first, size_t count, int64_t now_us)
{
    const jrpc_answer answer = {.kind = JRPC_ANSWER_TIMED_OUT,
                                .value = JRPC_JSON_ABSENT,
                                .why = "no answer came before the deadline"};
    for (uint64_t id = first; id < first + count; id++) {
        jrpc_sent *sent = NULL;
        const jrpc_pending *call = jrpc_table_find(&calls->table, id, &sent);
        if (call != NULL && call->deadline_us <= now_us) {
            (void)jrpc_calls_end(calls, id, NULL, answer);
        } else if (call != NULL && call->deadline_us < calls->table.soonest_us) {
            calls->table.soonest_us = call->deadline_us;
        }
    }
}

void jrpc_calls_expire(jrpc_calls *calls, int64_t now_us)
{
    if (now_us < calls->table.soonest_us) {
        return;
    }
    calls->table.soonest_us = JRPC_DEADLINE_NEVER; // found anew on the way
    uint64_t end = calls->table.next_id;
    const jrpc_sent *sent = NULL;
    for (uint64_t id = 0;
         (sent = jrpc_table_from(&calls->table, id)) != NULL && sent->first < end;) {
        id = sent->first + sent->count;
        expire_message(calls, sent->first, sent->count, now_us);
    }
}

int64_t jrpc_calls_next_deadline(const jrpc_calls *calls)
{
    return calls->table.soonest_us;
}

bool jrpc_calls_cancel(jrpc_calls *calls, uint64_t id)
{
    jrpc_sent *sent = NULL;
    if (jrpc_table_find(&calls->table, id, &sent) == NULL) {
        return false;
    }
    return jrpc_calls_end(calls, id, NULL,
                          (jrpc_answer){.kind = JRPC_ANSWER_CANCELLED,
                                        .value = JRPC_JSON_ABSENT,
                                        .why = "the call was cancelled"});
}

uint64_t jrpc_calls_next_id(const jrpc_calls *calls)
{
    return calls->table.next_id;
}

size_t jrpc_calls_count(const jrpc_calls *calls)
{
    return calls->table.under_way;
}

size_t jrpc_calls_count_of(const jrpc_calls *calls, uint64_t scope)
{
    const jrpc_sent *sent = jrpc_table_message(&calls->table, scope);
    return sent == NULL ? 0 : sent->left;
}

const char *jrpc_answer_kind_name(jrpc_answer_kind kind)
{
    static const char *const names[] = {
        [JRPC_ANSWER_RESULT] = "result",       [JRPC_ANSWER_ERROR] = "error",
        [JRPC_ANSWER_REFUSED] = "refused",     [JRPC_ANSWER_BROKEN] = "broken",
        [JRPC_ANSWER_MISSING] = "missing",     [JRPC_ANSWER_TIMED_OUT] = "timed out",
        [JRPC_ANSWER_CANCELLED] = "cancelled", [JRPC_ANSWER_CLOSED] = "closed",
    };
    return names[kind];
}
