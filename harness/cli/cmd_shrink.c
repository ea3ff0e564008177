#include "harness/cli/commands.h"
#include "harness/cli/company.h"
#include "harness/cli/file_uses.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/lines.h"
#include "harness/cli/save_case.h"
#include "harness/cli/setup.h"
#include "harness/cli/words.h"
#include "harness/report/reading.h"
#include "harness/report/safe.h"
#include "harness/run/shrink.h"
#include "harness/suite/file.h"
#include "harness/suite/write_case.h"
#include "reference/base/limits.h"
#include "reference/base/plural.h"
#include "reference/json/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The most failed cases of one stream.
#define FAILED_MAX 512
#define EVENT_BYTES ((size_t)64 << 20)
// How the file of a run is usually called.
#define STREAM_ENDING ".ndjson"
#define SHRINK_BYTES ((size_t)256 << 20)

typedef struct shrinking {
    const jck_assignment *assignment;
    jck_case cases[FAILED_MAX]; // the cases to shrink, each joined with those run before it
    size_t count;
    jck_case smallest[FAILED_MAX];
    size_t found;
    jrpc_arena arena; // of the shrunk cases
} shrinking;

// Adds a case that failed in the stream to those to shrink.
static bool take_event(void *context, jrpc_slice line, jrpc_error *error)
{
    shrinking *self = context;
    jck_options *options = self->assignment->options;
    jrpc_json_document document;
    jrpc_arena arena;
    jck_reading_case read;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_arena_init(&arena, jrpc_allocator_heap(), EVENT_BYTES);
    bool done = jrpc_json_read(&document, line, JRPC_LIMIT_DEPTH, error);
    jrpc_json event = jrpc_json_root(&document);
    if (done && jck_reading_kind(event) == JCK_EVENT_CASE &&
        jck_reading_of_verdict(event, &arena, &read) &&
        jck_reading_is_breach(&read, options->strict) && self->count < FAILED_MAX) {
        const jck_case *test_case = jck_suite_find_case(self->assignment->suite, read.id);
        jrpc_json company = jrpc_json_get(event, "company");
        bool again = jrpc_json_string_is(jrpc_json_get(company, "way"), JRPC_SLICE("again"));
        jrpc_json ids = again ? jrpc_json_get(company, "cases") : JRPC_JSON_ABSENT;
        done = test_case == NULL || jck_company_of_event(options, self->assignment->suite, ids,
                                                         test_case, &self->cases[self->count]);
        self->count += done && test_case != NULL ? 1 : 0;
    }
    jrpc_arena_done(&arena);
    jrpc_json_document_done(&document);
    return done;
}

// What the first operand names: a case, or a stream with the cases that failed in it.
static bool gather(shrinking *self)
{
    jck_options *options = self->assignment->options;
    const char *word = options->operands.items[0];
    jrpc_error error = {0};
    if (jck_file_kind_of(word) == JCK_FILE_PLAIN) {
        if (options->after.count > 0) {
            return jck_complain_of(
                "--after is for a single case; a stream already says what to send first");
        }
        if (!jck_lines_each(word, 0, take_event, self, &error)) {
            return error.code == JRPC_OK ? false : jck_complain(&error);
        }
        return self->count > 0 || jck_complain_of("no case of this suite failed in '%.200s'", word);
    }
    size_t len = strlen(word);
    if (len > strlen(STREAM_ENDING) &&
        strcmp(word + len - strlen(STREAM_ENDING), STREAM_ENDING) == 0) {
        return jck_complain_of("there is no file %.200s", word);
    }
    const jck_case *test_case = jck_find_case(self->assignment->suite, word);
    self->count = 1;
    return test_case != NULL &&
           jck_company_of_options(options, self->assignment->suite, test_case, &self->cases[0]);
}

static void print_lines(jrpc_slice text)
{
    while (text.len > 0) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end == NULL ? text.len : (size_t)(end - text.ptr);
        (void)jck_print_safe(stdout, jrpc_slice_of(text.ptr, len));
        (void)putchar('\n');
        text = jrpc_slice_from(text, end == NULL ? len : len + 1);
    }
}

static void show(const jck_shrunk *shrunk, const jck_case *test_case, size_t steps)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), SHRINK_BYTES);
    (void)printf("%.*s: ", (int)test_case->id.len, test_case->id.ptr);
    if (!shrunk->failed) {
        (void)puts("it does not fail alone on a fresh target");
    } else {
        (void)printf("%s%s%.*s; %zu step%s, %zu bytes (of %zu, %zu), %zu tries\n",
                     jck_outcome_name(shrunk->outcome), shrunk->rule.len > 0 ? " " : "",
                     (int)shrunk->rule.len, shrunk->rule.len > 0 ? shrunk->rule.ptr : "",
                     shrunk->smallest.step_count, jrpc_plural(shrunk->smallest.step_count),
                     shrunk->bytes, steps, shrunk->before, shrunk->probes);
        (void)jck_case_write(&text, test_case, 0);
        print_lines(jrpc_buffer_slice(&text));
    }
    (void)fflush(stdout);
    jrpc_buffer_done(&text);
}

static jck_exit exit_of(jck_run_end end, const jrpc_error *error)
{
    if (end == JCK_RUN_INTERRUPTED) {
        (void)jck_complain_of("interrupted; what was found until then is shown");
        return JCK_EXIT_INTERRUPTED;
    }
    (void)jck_complain_of("%s", error->message[0] != '\0' ? error->message
                                                          : "the target could not be opened");
    return end == JCK_RUN_UNOPENED ? JCK_EXIT_UNOPENED
           : end == JCK_RUN_MUTE   ? JCK_EXIT_BROKEN
                                   : JCK_EXIT_FAULT;
}

static jck_exit shrink_all(shrinking *self, int interrupt_fd)
{
    const jck_assignment *assignment = self->assignment;
    jck_options *options = assignment->options;
    size_t count = jck_suite_case_count(assignment->suite);
    const jck_run_options run_options = {
        .suite = assignment->suite,
        .target = assignment->target,
        .plan = {.selected = jrpc_arena_array(&self->arena, count + 1, sizeof(bool)),
                 .shard_index = 1,
                 .shard_count = 1,
                 .repeat = 1},
        .timing = jck_execute_timing(assignment->target),
        .max_us = (int64_t)options->max_seconds * 1000000,
        .discover = !options->no_discover,
        .nonce = assignment->nonce,
        .interrupt_fd = interrupt_fd,
        .clock = jrpc_clock_monotonic(),
    };
    jck_exit status = JCK_EXIT_CONFORMANT;
    for (size_t i = 0; i < self->count && status == JCK_EXIT_CONFORMANT; i++) {
        jck_shrunk shrunk;
        jck_run_end end;
        jrpc_error error = {0};
        bool done = jck_shrink(&run_options, &self->cases[i], &self->arena, &shrunk, &end, &error);
        if (!done || end == JCK_RUN_INTERRUPTED) {
            status = exit_of(end, &error);
        }
        if (!done) {
            break;
        }
        jck_case found = shrunk.smallest;
        if (shrunk.failed && !jck_mark_found(options, assignment->repro, &found)) {
            return JCK_EXIT_FAULT;
        }
        show(&shrunk, &found, self->cases[i].step_count);
        if (shrunk.failed) {
            self->smallest[self->found++] = found;
        }
    }
    if (self->found > 0 && !jck_save_cases(options, self->smallest, self->found)) {
        return JCK_EXIT_OUTPUT;
    }
    return status == JCK_EXIT_CONFORMANT && self->found > 0 ? JCK_EXIT_BROKEN : status;
}

static bool check_files(const jck_assignment *assignment)
{
    jck_file_uses uses;
    jrpc_error error = {0};
    jck_file_uses_init(&uses, &assignment->options->arena);
    jck_file_uses_of_options(&uses, assignment->options);
    jck_file_uses_of_run(&uses, assignment->suite, assignment->target);
    jck_file_uses_read(&uses, "the stream", assignment->options->operands.items[0]);
    return jck_file_uses_check(&uses, &error) || jck_complain(&error);
}

static jck_exit shrink_interruptibly(shrinking *self)
{
    jck_interrupt interrupt;
    jrpc_error error = {0};
    if (!jck_interrupt_init(&interrupt, &error)) {
        (void)jck_complain(&error);
        return JCK_EXIT_FAULT;
    }
    jck_exit status = shrink_all(self, jck_interrupt_fd(&interrupt));
    jck_interrupt_done(&interrupt);
    return status;
}

jck_exit jck_cmd_shrink(jck_options *options)
{
    jck_setup setup = {.suite = NULL};
    jck_exit status = JCK_EXIT_USAGE;
    shrinking *self = calloc(1, sizeof *self);
    if (options->operands.count == 0 || self == NULL) {
        free(self);
        (void)jck_complain_of("name a case, or the stream of a run, and a target: jrpcheck shrink "
                              "batch/empty -- ./my-server");
        return JCK_EXIT_USAGE;
    }
    jrpc_arena_init(&self->arena, jrpc_allocator_heap(), SHRINK_BYTES);
    self->assignment = &setup.assignment;
    if (jck_setup_open(&setup, options, JCK_SIDE_SERVER, 1)) {
        jck_execute_seed(&setup.assignment);
        if (gather(self) && check_files(self->assignment)) {
            status = shrink_interruptibly(self);
        }
    }
    jck_setup_done(&setup);
    jrpc_arena_done(&self->arena);
    free(self);
    return status;
}
