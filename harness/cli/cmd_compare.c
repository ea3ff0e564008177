// jrpcheck compare: the same cases on several targets, printing only where they differ.
#include "harness/cli/commands.h"
#include "harness/cli/data.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/selected.h"
#include "harness/cli/words.h"
#include "harness/report/reading.h"
#include "harness/report/safe.h"
#include "harness/run/runner.h"
#include "reference/base/limits.h"
#include "reference/base/plural.h"
#include "reference/json/read.h"

#include <stdio.h>

enum { TARGETS_MAX = 16 };
#define KEPT_BYTES ((size_t)256 << 20)
#define TOLD_BYTES ((size_t)64 << 10)

// The result of every case on one target, in a few words; NULL if it was not run.
typedef struct column {
    jrpc_slice name;
    const char **outcomes; // one per case of the suite
} column;

typedef struct comparison {
    jck_options *options;
    jck_suite *suite;
    const jck_profile *profile; // one for all targets
    bool *selected;
    jrpc_arena arena;
    jck_target targets[TARGETS_MAX];
    size_t target_count;
    column columns[TARGETS_MAX];
    size_t count; // targets that were run
    bool failed;
} comparison;

// "fail: J2-5a, J2-6a", "observe: J2-4k=refused", or "pass but for J2-5b" if another case already
// reports that breach.
static const char *report(comparison *self, const jck_reading_case *read)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), TOLD_BYTES);
    jrpc_buffer_append_str(&text, jck_outcome_name(read->outcome));
    const char *between =
        read->outcome == JCK_OUTCOME_PASS && read->finding_count > 0 ? " but for " : ": ";
    for (size_t i = 0; i < read->finding_count; i++) {
        bool again = false;
        for (size_t j = 0; j < i; j++) {
            again = again || jrpc_slice_equal(read->findings[j].rule, read->findings[i].rule);
        }
        if (!again) {
            jrpc_buffer_append_str(&text, between);
            jrpc_buffer_append(&text, read->findings[i].rule);
            between = ", ";
        }
    }
    for (size_t i = 0; i < read->observation_count; i++) {
        jrpc_buffer_append_str(&text, between);
        jrpc_buffer_append(&text, read->observations[i].name);
        jrpc_buffer_append_str(&text, "=");
        jrpc_buffer_append(&text, read->observations[i].value);
        between = ", ";
    }
    const char *kept =
        text.failed ? NULL : jrpc_arena_printf(&self->arena, "%.*s", (int)text.len, text.ptr);
    jrpc_buffer_done(&text);
    return kept;
}

static bool keep(comparison *self, const jck_reading_case *read)
{
    column *present = &self->columns[self->count];
    for (size_t i = 0; i < jck_suite_case_count(self->suite); i++) {
        if (jrpc_slice_equal(jck_suite_case(self->suite, i)->id, read->id)) {
            present->outcomes[i] = report(self, read);
            return present->outcomes[i] != NULL;
        }
    }
    return true;
}

static void emit(void *context, jrpc_slice line)
{
    comparison *self = context;
    jrpc_json_document document;
    jrpc_arena arena;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_arena_init(&arena, jrpc_allocator_heap(), KEPT_BYTES);
    jck_reading_case read;
    bool taken = jrpc_json_read(&document, line, JRPC_LIMIT_DEPTH, NULL);
    if (taken && jck_reading_kind(jrpc_json_root(&document)) == JCK_EVENT_CASE) {
        taken = jck_reading_of_case(jrpc_json_root(&document), &arena, &read) && keep(self, &read);
    }
    self->failed = self->failed || !taken;
    jrpc_arena_done(&arena);
    jrpc_json_document_done(&document);
}

// Takes all targets: the operands, then the command after "--". Nothing is started yet.
static bool take_targets(comparison *self)
{
    jck_options *options = self->options;
    const size_t operands = options->operands.count;
    char *const *behind = options->behind;
    const size_t total = operands + (behind != NULL ? 1 : 0);
    bool taken = true;
    while (self->target_count < total && taken) {
        size_t at = self->target_count++;
        // Name one target at a time.
        options->operands.count = at < operands ? at + 1 : operands;
        options->behind = at < operands ? NULL : behind;
        taken = jck_execute_target(options, at, &self->targets[at]);
    }
    options->operands.count = operands;
    options->behind = behind;
    return taken;
}

// Selects the cases that a run would select for every target: the others cannot be compared.
static jck_exit select_cases(comparison *self)
{
    size_t count = jck_suite_case_count(self->suite);
    size_t left = 0;
    self->selected = jrpc_arena_array(&self->arena, count + 1, sizeof *self->selected);
    bool *selected = jrpc_arena_array(&self->arena, count + 1, sizeof *selected);
    if (self->selected == NULL || selected == NULL) {
        (void)jck_complain_of("out of memory for the selection");
        return JCK_EXIT_FAULT;
    }
    for (size_t t = 0; t < self->target_count; t++) {
        const jck_assignment assignment = {.options = self->options,
                                           .suite = self->suite,
                                           .target = &self->targets[t],
                                           .side = JCK_SIDE_SERVER};
        jck_exit marked = jck_selected_mark(&assignment, self->profile, selected);
        if (marked != JCK_EXIT_CONFORMANT) {
            return marked;
        }
        left = 0;
        for (size_t i = 0; i < count; i++) {
            self->selected[i] = selected[i] && (t == 0 || self->selected[i]);
            left += self->selected[i] ? 1 : 0;
        }
    }
    if (left == 0) {
        (void)jck_complain_of("no selected case is for all of these targets; they are reached over "
                              "different transports");
        return JCK_EXIT_USAGE;
    }
    return JCK_EXIT_CONFORMANT;
}

// Runs the cases on one target. CONFORMANT if the run finished, whatever it found.
static jck_exit run_on(comparison *self, jck_target *target, int interrupt_fd)
{
    column *present = &self->columns[self->count];
    jck_assignment assignment = {.options = self->options};
    jck_execute_seed(&assignment);
    size_t cases = jck_suite_case_count(self->suite);
    present->outcomes = jrpc_arena_array(&self->arena, cases + 1, sizeof *present->outcomes);
    if (present->outcomes == NULL || !jrpc_arena_copy(&self->arena, target->name, &present->name)) {
        (void)jck_complain_of("out of memory for the comparison");
        return JCK_EXIT_FAULT;
    }
    for (size_t i = 0; i < cases; i++) {
        present->outcomes[i] = NULL;
    }
    const jck_run_options run_options = {
        .suite = self->suite,
        .target = target,
        .plan = {.selected = self->selected, .shard_index = 1, .shard_count = 1, .repeat = 1},
        .timing = jck_execute_timing(target),
        .jobs = self->options->jobs,
        .discover = !self->options->no_discover,
        .nonce = assignment.nonce,
        .interrupt_fd = interrupt_fd,
        .clock = jrpc_clock_monotonic(),
        .emit = emit,
        .context = self,
    };
    jck_run_result result;
    jck_run(&run_options, &result);
    self->count++;
    if (result.end == JCK_RUN_INTERRUPTED) {
        (void)jck_complain_of("interrupted; nothing was compared");
        return JCK_EXIT_INTERRUPTED;
    }
    if (result.end == JCK_RUN_UNOPENED || result.end == JCK_RUN_MUTE) {
        (void)jck_complain_of("%.*s: %s", (int)target->name.len, target->name.ptr,
                              result.error.message);
        return JCK_EXIT_UNOPENED;
    }
    return result.end == JCK_RUN_FAULT || self->failed ? JCK_EXIT_FAULT : JCK_EXIT_CONFORMANT;
}

static void print_case(const comparison *self, size_t index)
{
    const jck_case *test_case = jck_suite_case(self->suite, index);
    (void)printf("%.*s  %.*s\n", (int)test_case->id.len, test_case->id.ptr,
                 (int)test_case->title.len, test_case->title.ptr);
    for (size_t t = 0; t < self->count; t++) {
        jrpc_buffer shown;
        jrpc_buffer_init(&shown, jrpc_allocator_heap(), TOLD_BYTES * 4);
        (void)jck_safe_append(&shown, JCK_SAFE_PLAIN, self->columns[t].name);
        jrpc_buffer_append_str(&shown, ": ");
        (void)jck_safe_append(&shown, JCK_SAFE_PLAIN,
                              jrpc_slice_str(self->columns[t].outcomes[index]));
        (void)printf("    %.*s\n", (int)shown.len, shown.ptr);
        jrpc_buffer_done(&shown);
    }
}

// Whether every target ran the case, so that it can be compared.
static bool is_compared(const comparison *self, size_t index)
{
    for (size_t t = 0; t < self->count; t++) {
        const char *outcome = self->columns[t].outcomes[index];
        if (outcome == NULL || strcmp(outcome, "skip") == 0) {
            return false;
        }
    }
    return true;
}

// Prints where the targets differ; returns the number of those cases.
static size_t print_differences(const comparison *self)
{
    size_t differing = 0;
    size_t compared = 0;
    size_t selected = 0;
    for (size_t i = 0; i < jck_suite_case_count(self->suite); i++) {
        selected += self->selected[i] ? 1 : 0;
        if (!is_compared(self, i)) {
            continue;
        }
        compared++;
        bool differs = false;
        for (size_t t = 1; t < self->count; t++) {
            differs =
                differs || strcmp(self->columns[0].outcomes[i], self->columns[t].outcomes[i]) != 0;
        }
        if (differs) {
            print_case(self, i);
            differing++;
        }
    }
    (void)printf("%s%zu of %zu case%s differ%s between %zu targets; %zu could not be run on all\n",
                 differing > 0 ? "\n" : "", differing, compared, jrpc_plural(compared),
                 differing == 1 ? "s" : "", self->count, selected - compared);
    return differing;
}

static jck_exit run_all(comparison *self, int interrupt_fd)
{
    jck_exit status = JCK_EXIT_CONFORMANT;
    for (size_t i = 0; i < self->target_count && status == JCK_EXIT_CONFORMANT; i++) {
        status = jck_data_adopt(self->options, self->suite, &self->targets[i])
                     ? run_on(self, &self->targets[i], interrupt_fd)
                     : JCK_EXIT_USAGE;
    }
    return status;
}

static jck_exit compare(comparison *self)
{
    jck_interrupt interrupt;
    jrpc_error error = {0};
    if (!take_targets(self)) {
        return JCK_EXIT_USAGE;
    }
    jck_exit status = select_cases(self);
    if (status != JCK_EXIT_CONFORMANT) {
        return status;
    }
    if (!jck_interrupt_init(&interrupt, &error)) {
        (void)jck_complain(&error);
        return JCK_EXIT_FAULT;
    }
    status = run_all(self, jck_interrupt_fd(&interrupt));
    jck_interrupt_done(&interrupt);
    if (status != JCK_EXIT_CONFORMANT) {
        return status;
    }
    return print_differences(self) == 0 ? JCK_EXIT_CONFORMANT : JCK_EXIT_BROKEN;
}

jck_exit jck_cmd_compare(jck_options *options)
{
    size_t targets = options->operands.count + (options->behind != NULL ? 1 : 0);
    if (targets < 2 || targets > TARGETS_MAX) {
        (void)jck_complain_of("compare needs 2 to %d targets, but %zu %s named; put each command "
                              "with its arguments in quotes: jrpcheck compare './one --fast' "
                              "'./two'",
                              TARGETS_MAX, targets, targets == 1 ? "is" : "are");
        return JCK_EXIT_USAGE;
    }
    jck_exit status = JCK_EXIT_USAGE;
    jck_suite *suite = jck_data_load_suite(options);
    const jck_profile *profile = suite == NULL ? NULL : jck_data_profile(options, suite, NULL);
    if (profile != NULL) {
        comparison self = {.options = options, .suite = suite, .profile = profile};
        jrpc_arena_init(&self.arena, jrpc_allocator_heap(), KEPT_BYTES);
        status = compare(&self);
        for (size_t t = 0; t < self.target_count; t++) {
            jck_target_done(&self.targets[t]);
        }
        jrpc_arena_done(&self.arena);
    }
    jck_suite_free(suite);
    return status;
}
