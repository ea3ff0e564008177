#include "tests/bench/plan.h"

#include "harness/judge/owed.h"
#include "harness/suite/variables.h"
#include "reference/base/clock.h"
#include "reference/base/limits.h"
#include "reference/net/process.h"
#include "reference/wire/framing.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define NONCE 0xbe7cu

void bench_fail(const char *what, const jrpc_error *error)
{
    (void)fprintf(stderr, "bench: %s%s%s\n", what, error == NULL ? "" : ": ",
                  error == NULL ? "" : error->message);
    exit(1);
}

void bench_plan_make(const jck_suite *suite, const bool *selected, jck_target *target, bool lines,
                     bench_plan *ret_plan)
{
    jrpc_arena_init(&ret_plan->arena, jrpc_allocator_heap(), (size_t)1 << 30);
    size_t total = jck_suite_case_count(suite);
    ret_plan->payloads = jrpc_arena_array(&ret_plan->arena, total * 64, sizeof *ret_plan->payloads);
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), JRPC_LIMIT_DOCUMENT_BYTES);
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (size_t i = 0; i < total; i++) {
        const jck_case *test_case = jck_suite_case(suite, i);
        jck_reason reason;
        bool offered = selected[i];
        for (size_t n = 0; n < test_case->need_count; n++) {
            offered = offered &&
                      jck_target_offers(target, test_case->needs[n], &ret_plan->arena, &reason);
        }
        jck_variables variables;
        jck_variables_init(&variables, &ret_plan->arena, target, NONCE, (uint32_t)i + 1);
        for (size_t s = 0; offered && s < test_case->step_count; s++) {
            const jck_step *step = &test_case->steps[s];
            jck_variables_set_step(&variables, (int)s);
            jrpc_buffer_clear(&text);
            if (step->kind != JCK_STEP_SEND ||
                !jck_payload_expand(&step->payload, jck_variables_resolve, &variables, &text,
                                    NULL) ||
                (lines &&
                 !jrpc_framing_carries(JRPC_FRAMING_LINE, jrpc_buffer_slice(&text), NULL))) {
                continue;
            }
            bench_payload *sent = &ret_plan->payloads[ret_plan->count++];
            jck_owed owed =
                jck_owed_for(jrpc_buffer_slice(&text), jck_variables_absent(&variables), &document);
            sent->answered = owed.kind != JCK_OWED_NOTHING;
            if (lines) {
                jrpc_buffer_append_char(&text, '\n');
            }
            if (!jrpc_arena_copy(&ret_plan->arena, jrpc_buffer_slice(&text), &sent->bytes)) {
                bench_fail("out of memory", NULL);
            }
        }
    }
    jrpc_buffer_done(&text);
    jrpc_json_document_done(&document);
}

double bench_suite_ms(char *const *argv)
{
    const jrpc_clock *clock = jrpc_clock_monotonic();
    int64_t began = jrpc_clock_now_us(clock);
    jrpc_error error = {0};
    jrpc_process *process = jrpc_process_start(&(jrpc_process_options){.argv = argv}, &error);
    if (process == NULL) {
        bench_fail("cannot start jrpcheck", &error);
    }
    assert(process != NULL);
    int status = 0;
    jrpc_process_state state =
        jrpc_process_wait(process, clock, jrpc_deadline_in_ms(clock, 120000), &status);
    double ms = (double)(jrpc_clock_now_us(clock) - began) / 1000;
    jrpc_process_free(process, 1000);
    if (state != JRPC_PROCESS_EXITED || status != 0) {
        bench_fail("jrpcheck did not find the server conformant", NULL);
    }
    return ms;
}
