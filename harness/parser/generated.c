#include "harness/parser/generated.h"

#define DEFAULT_US ((int64_t)60 * 1000000)

static void add_seeds(jck_text_generator *generator, const jck_plan *plan)
{
    for (size_t i = 0; i < plan->case_count; i++) {
        const jck_case *test_case = plan->cases[i];
        const jck_payload *payload = &test_case->steps[0].payload;
        if (test_case->step_count == 1 && payload->kind != JCK_PAYLOAD_REPEAT) {
            // Texts and bytes are used as the suite has them.
            jck_text_generator_add(generator, payload->text);
        }
    }
    if (generator->seed_count == 0) {
        jck_text_generator_add(generator, JRPC_SLICE("[]"));
    }
}

void jck_generated_init(jck_generated *generated, jck_parser_run_state *run)
{
    const jck_run_options *options = run->options;
    generated->options = options;
    generated->count = 0;
    generated->deadline_us =
        jrpc_clock_now_us(options->clock) + (options->max_us > 0 ? options->max_us : DEFAULT_US);
    // The time is what was asked for, so its end does not stop the run.
    run->ledger.deadline_us = INT64_MAX;
    jck_text_generator_init(&generated->generator, options->plan.seed);
    add_seeds(&generated->generator, &run->plan);
}

void jck_generated_done(jck_generated *generated)
{
    jck_text_generator_done(&generated->generator);
}

size_t jck_generated_next(jck_generated *generated, jrpc_slice *ret_texts)
{
    const jck_run_options *options = generated->options;
    size_t count = JCK_GENERATED_BATCH;
    if (jrpc_clock_now_us(options->clock) >= generated->deadline_us) {
        return 0;
    }
    if (options->texts > 0 && options->texts - generated->count < count) {
        count = options->texts - generated->count;
    }
    for (size_t i = 0; i < count; i++) {
        size_t len = jck_text_generate(&generated->generator, generated->texts[i]);
        ret_texts[i] = jrpc_slice_of(generated->texts[i], len);
    }
    generated->count += count;
    return count;
}
