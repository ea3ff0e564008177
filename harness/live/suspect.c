// Unconfirmed suspicions. They are not findings; what was seen is reported as an observation.
#include "harness/live/live_private.h"

#include <stdio.h>

#define ARENA_BYTES ((size_t)64 << 10)
// Any more are only counted.
#define REPORTED_MOST 32u
#define EXCERPT_BYTES 160
#define WORDS_BYTES 200

void jck_fuzzer_suspect(jck_fuzzer *fuzzer, const jck_shot *shots, size_t count, const char *what)
{
    const jck_ledger *ledger = fuzzer->worker->ledger;
    size_t number = jck_live_count_flaky(fuzzer->live);
    fuzzer->suspicions++;
    if (number > REPORTED_MOST || count == 0) {
        return;
    }
    jrpc_arena arena;
    jrpc_json_document document;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    const jck_shot *last = &shots[count - 1];
    const jck_due due = jck_due_for(&fuzzer->context, last->bytes, &document);
    jrpc_slice rule = jck_live_rule_for(&fuzzer->replay.rules, &due);
    const char *id = jrpc_arena_printf(&arena, JCK_SAVE_SUITE "/suspicion-%zu", number);
    const char *excerpt = jck_excerpt(&arena, last->bytes, EXCERPT_BYTES);
    const char *title = jrpc_arena_printf(&arena, "seen once while fuzzing: %s", excerpt);
    const char *value = count == 1
                            ? jrpc_arena_printf(&arena, "%s; sent: %s", what, excerpt)
                            : jrpc_arena_printf(&arena, "%s; sent: %s, and %zu messages before it",
                                                what, excerpt, count - 1);
    if (id != NULL && title != NULL && value != NULL) {
        const jck_case test_case = {
            .id = jrpc_slice_str(id),
            .suite = JRPC_SLICE(JCK_SAVE_SUITE),
            .section = JRPC_SLICE(JCK_SAVE_SUITE),
            .title = jrpc_slice_str(title),
            .rules = &rule,
            .rule_count = 1,
        };
        jck_verdict verdict = {.outcome = JCK_OUTCOME_OBSERVE, .conformant = true};
        jck_findings_init(&verdict.findings, &arena, ledger->options->suite, &test_case);
        jck_observe(&verdict.findings, JRPC_SLICE("suspicion"), jrpc_slice_str(value));
        jck_ledger_report_verdict(fuzzer->worker->ledger, &test_case, &verdict, NULL);
    }
    jrpc_json_document_done(&document);
    jrpc_arena_done(&arena);
}

void jck_fuzzer_suspect_round(jck_fuzzer *fuzzer, const jck_shot *shots, size_t count,
                              jck_symptom symptom, const char *why)
{
    static const char *const words[] = {
        "an answer came that is due for no message",
        "a wrong answer came",
        "an answer is missing",
        "an answer came although none was due",
        "the connection ended",
        "the server stopped answering",
        "the server wrote without end",
    };
    char what[WORDS_BYTES];
    (void)snprintf(what, sizeof what, "%s when many messages were sent at once; %s", words[symptom],
                   why);
    jck_fuzzer_suspect(fuzzer, shots, count, what);
}
