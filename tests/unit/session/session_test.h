// One case run over a scripted peer: what the tests of the session share.
#ifndef JCK_TEST_SESSION_TEST_H
#define JCK_TEST_SESSION_TEST_H

#include "harness/session/session.h"

#include "reference/json/read.h"
#include "tests/unit/link/scripted_link.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { STEPS_MAX = 40, NONCE = 0xabcdu };

typedef struct fixture {
    scripted_link s;
    jck_session session;
    jrpc_arena arena;
    jck_variables variables;
    jck_evidence evidence;
    jck_step steps[STEPS_MAX];
    jck_case test_case;
    uint32_t serial;
} fixture;

static inline void begin_over(fixture *f, jrpc_transport transport)
{
    memset(f, 0, sizeof *f);
    scripted_link_begin(&f->s, transport);
    jck_session_init(&f->session, &f->s.link);
    f->test_case = (jck_case){.id = JRPC_SLICE("a/case"), .steps = f->steps};
}

static inline void begin(fixture *f)
{
    begin_over(f, JRPC_TRANSPORT_TCP);
}

// Over a connection that is open already, to a side that then behaves so.
static inline void begin_opened(fixture *f, void (*behaviour)(scripted *, const char *, bool),
                                void *context)
{
    begin(f);
    assert_int_equal(scripted_link_open(&f->s), JCK_LINK_OK);
    f->s.side.on_message = behaviour;
    f->s.side.context = context;
}

static inline scripted *first_peer(fixture *f)
{
    return scripted_link_peer(&f->s);
}

// Answers fences at once, and calls after *context milliseconds; 0: never.
static inline void answer_after(scripted *c, const char *text, bool is_fence)
{
    const int *after_ms = c->of->context;
    if (is_fence || *after_ms > 0) {
        script_answer(c, is_fence ? 1 : *after_ms, text);
    }
}

static inline void end(fixture *f)
{
    jrpc_arena_done(&f->arena);
    jck_session_done(&f->session);
    scripted_link_end(&f->s);
}

#define CALL_OF_ID "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"id\":\"${id}\"}"
#define NOTIFICATION "{\"jsonrpc\":\"2.0\",\"method\":\"m\"}"

static inline jck_step *add_step(fixture *f, jck_step_kind kind)
{
    jck_step *step = &f->steps[f->test_case.step_count++];
    *step = (jck_step){.kind = kind, .connection = 'a'};
    return step;
}

static inline jck_step *add_send(fixture *f, const char *text, jck_expect_kind expect)
{
    jck_step *step = add_step(f, JCK_STEP_SEND);
    step->payload = (jck_payload){.kind = JCK_PAYLOAD_TEXT, .text = jrpc_slice_str(text)};
    step->expect.kind = expect;
    return step;
}

static inline jck_session_status run(fixture *f, jck_watch watch)
{
    jrpc_arena_done(&f->arena);
    jrpc_arena_init(&f->arena, jrpc_allocator_heap(), (size_t)64 << 20);
    jck_variables_init(&f->variables, &f->arena, &f->s.target, NONCE, ++f->serial);
    assert_true(jck_evidence_init(&f->evidence, &f->arena, f->test_case.step_count));
    jrpc_error_clear(&f->s.error);
    return jck_session_run(&f->session, &f->test_case, &f->variables, watch, &f->evidence,
                           &f->s.error);
}

static inline size_t count(const fixture *f, jck_direction direction, jck_role_of_message role,
                           int step)
{
    size_t n = 0;
    for (size_t i = 0; i < f->evidence.count; i++) {
        const jck_message *message = &f->evidence.messages[i];
        n += message->direction == direction && message->role == role && message->step == step;
    }
    return n;
}

static inline const jck_message *last_of_case(const fixture *f)
{
    const jck_message *found = NULL;
    for (size_t i = 0; i < f->evidence.count; i++) {
        const jck_message *message = &f->evidence.messages[i];
        bool is = message->direction == JCK_RECEIVED && message->role == JCK_MESSAGE_OF_CASE;
        found = is ? message : found;
    }
    assert_non_null(found);
    return found;
}

#endif
