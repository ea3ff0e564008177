// What the tests of this room share: calls whose every report becomes one line of a log.
#ifndef JRPC_TESTS_CALLS_TEST_H
#define JRPC_TESTS_CALLS_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "reference/base/limits.h"
#include "reference/calls/calls.h"
#include "reference/json/write.h"

#include <inttypes.h>

#define LENGTH(table) (sizeof(table) / sizeof(table)[0])
#define V "{\"jsonrpc\":\"2.0\","

typedef struct rig {
    jrpc_calls *calls;
    jrpc_buffer log; // "1 result 19; stray over; own ping; serve {…}; …"
    jrpc_buffer out;
} rig;

static inline void log_answer(void *context, const jrpc_answer *answer)
{
    rig *self = context;
    jrpc_buffer_printf(&self->log, "%" PRIu64 " %s ", answer->id,
                       jrpc_answer_kind_name(answer->kind));
    (void)jrpc_json_compact(&self->log, answer->value);
    jrpc_buffer_append_str(&self->log, ";");
}

static inline void log_own(void *context, const jrpc_message *message)
{
    rig *self = context;
    jrpc_buffer_append_str(&self->log, "own ");
    jrpc_buffer_append(&self->log, jrpc_json_spelling(message->method));
    jrpc_buffer_append_str(&self->log, ";");
}

static inline void log_serve(void *context, jrpc_slice text)
{
    rig *self = context;
    jrpc_buffer_append_str(&self->log, "serve ");
    jrpc_buffer_append(&self->log, text);
    jrpc_buffer_append_str(&self->log, ";");
}

static inline void log_stray(void *context, jrpc_stray_kind kind, jrpc_slice text, const char *why)
{
    static const char *const names[] = {"not JSON", "invalid", "unknown id", "over", "refusal"};
    rig *self = context;
    (void)text;
    assert_true(why != NULL && why[0] != '\0');
    jrpc_buffer_printf(&self->log, "stray %s;", names[kind]);
}

static inline void rig_open(rig *self, const jrpc_allocator *allocator,
                            const jrpc_calls_hooks *hooks, size_t most)
{
    const jrpc_calls_ear ear = {
        .context = self, .own = log_own, .serve = log_serve, .stray = log_stray};
    self->calls = jrpc_calls_new(allocator, &ear, hooks, most);
    jrpc_buffer_init(&self->log, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_buffer_init(&self->out, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
}

static inline void rig_close(rig *self)
{
    jrpc_calls_free(self->calls);
    jrpc_buffer_done(&self->log);
    jrpc_buffer_done(&self->out);
}

// Begins a call of "m" that reports to the log.
static inline uint64_t rig_call(rig *self, int64_t deadline_us)
{
    const jrpc_call_parts parts = {.method = JRPC_SLICE("m"),
                                   .deadline_us = deadline_us,
                                   .answered = log_answer,
                                   .context = self};
    uint64_t id = 0;
    assert_true(jrpc_calls_begin(self->calls, &parts, &self->out, &id, NULL));
    return id;
}

// Begins a batch of that many calls.
static inline void rig_batch(rig *self, size_t count)
{
    jrpc_call_parts parts[16];
    assert_true(count <= LENGTH(parts));
    for (size_t i = 0; i < count; i++) {
        parts[i] =
            (jrpc_call_parts){.method = JRPC_SLICE("m"), .answered = log_answer, .context = self};
    }
    assert_true(jrpc_calls_begin_batch(self->calls, parts, count, &self->out, NULL, NULL));
}

// Takes a text and compares what was reported since.
static inline void rig_expect(rig *self, const char *text, uint64_t scope, const char *expected)
{
    jrpc_buffer_clear(&self->log);
    assert_true(jrpc_calls_take(self->calls, jrpc_slice_str(text), scope, NULL));
    if (!jrpc_slice_is(jrpc_buffer_slice(&self->log), expected)) {
        fail_msg("%s\n  got      %.*s\n  expected %s", text, (int)self->log.len,
                 self->log.ptr == NULL ? "" : self->log.ptr, expected);
    }
}

static inline void rig_expect_log(rig *self, const char *expected)
{
    if (!jrpc_slice_is(jrpc_buffer_slice(&self->log), expected)) {
        fail_msg("\n  got      %.*s\n  expected %s", (int)self->log.len,
                 self->log.ptr == NULL ? "" : self->log.ptr, expected);
    }
    jrpc_buffer_clear(&self->log);
}

#endif
