#include "harness/cli/execute.h"

#include "harness/cli/execute_baseline.h"
#include "harness/cli/file_uses.h"
#include "harness/cli/interrupt.h"
#include "harness/cli/outputs.h"
#include "harness/cli/repro_words.h"
#include "harness/cli/slowest.h"
#include "harness/cli/transcript.h"
#include "harness/cli/words.h"
#include "harness/drive/client.h"
#include "harness/report/reading.h"
#include "harness/report/report.h"
#include "harness/run/runner.h"
#include "reference/base/file.h"
#include "reference/base/limits.h"
#include "reference/base/plural.h"
#include "reference/base/random.h"
#include "reference/json/read.h"

#include <errno.h>
#include <stdio.h>

#define START_MS 15000
#define REPLY_MS 5000
#define REPLY_LEAST_MS 1000
#define PATIENCE_MS 200
#define QUIET_MS 300
#define GRACE_MS 1000
// The timeout of a client's calls; and for cases in which it is to expire.
#define CALL_MS 1500
#define BRIEF_MS 300
// How long exploring may go on after its time, to confirm what it has just found.
#define EXPLORE_OVER_US INT64_C(5000000)
// The memory that one event may take while it is examined.
#define EVENT_BYTES ((size_t)64 << 20)

// Everything that listens to the event stream.
typedef struct stream {
    const jck_assignment *assignment;
    jck_reports *reports;
    jrpc_file_writer transcript; // if there is a stream
    jck_baseline *baseline;      // NULL: none
    jck_slowest slowest;
    jrpc_arena arena; // for one event
    jrpc_error error; // the first failure on our side
} stream;

void jck_execute_seed(jck_assignment *assignment)
{
    const jck_options *options = assignment->options;
    jrpc_random random;
    assignment->seed = options->shuffle || options->seeded ? options->seed : jrpc_random_seed();
    jrpc_random_init(&random, assignment->seed);
    assignment->nonce = (uint32_t)(jrpc_random_next(&random) >> 32);
}

static bool record(stream *self, const jck_reading_case *read)
{
    const jck_options *options = self->assignment->options;
    jrpc_slice *rules = jrpc_arena_array(&self->arena, read->finding_count + 1, sizeof *rules);
    if (rules == NULL) {
        return false;
    }
    jck_recorded recorded = {.id = read->id,
                             .outcome = read->outcome,
                             .breach = jck_reading_is_breach(read, options->strict),
                             .rules = rules};
    for (size_t i = 0; i < read->finding_count; i++) {
        if (!read->findings[i].known && read->findings[i].level == JCK_LEVEL_MUST) {
            rules[recorded.rule_count++] = read->findings[i].rule;
        }
    }
    jck_baseline_record(self->baseline, &recorded, options->update_baseline);
    return true;
}

// Handles the events of the stream that we examine ourselves.
static bool follow(stream *self, jrpc_json event)
{
    jck_reading_case read;
    jck_event_kind kind = jck_reading_kind(event);
    if (kind != JCK_EVENT_CASE && kind != JCK_EVENT_GROUND) {
        return true;
    }
    if (!jck_reading_of_case(event, &self->arena, &read)) {
        return jrpc_error_set(&self->error, JRPC_ERROR_MEMORY, "out of memory for an event");
    }
    if (self->transcript.stream != NULL && !jck_transcript_write(self->transcript.stream, &read)) {
        return jrpc_error_set_errno(&self->error, errno, "cannot write the transcript");
    }
    bool judged = kind == JCK_EVENT_CASE && read.duration_us >= 0;
    if (judged) {
        jck_slowest_record(&self->slowest, &read);
    }
    return self->baseline == NULL || !judged || record(self, &read) ||
           jrpc_error_set(&self->error, JRPC_ERROR_MEMORY, "out of memory for the baseline");
}

static void emit(void *context, jrpc_slice line)
{
    stream *self = context;
    if (self->error.code != JRPC_OK) {
        return;
    }
    // The event writer puts the kind first.
    bool ground = jrpc_slice_starts_with(line, JRPC_SLICE("{\"event\":\"ground\""));
    if (!ground || !self->assignment->without_grounds) {
        (void)jck_reports_feed(self->reports, line, &self->error);
    }
    if (self->transcript.stream == NULL && self->baseline == NULL && self->slowest.most == 0) {
        return;
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (jrpc_json_read(&document, line, JRPC_LIMIT_DEPTH, &self->error)) {
        (void)follow(self, jrpc_json_root(&document));
    }
    jrpc_json_document_done(&document);
    jrpc_arena_clear(&self->arena);
}

jck_timing jck_execute_timing(const jck_target *target)
{
    int64_t reply_ms = target->reply_ms > 0 ? target->reply_ms : REPLY_MS;
    // Whether other targets are idle, or wait for a processor, is not known.
    bool ours = jck_target_traits(target)->is_child || target->start != NULL;
    return (jck_timing){
        .start_ms = target->start_ms > 0      ? target->start_ms
                    : 2 * reply_ms > START_MS ? 2 * reply_ms
                                              : START_MS,
        .reply_ms = reply_ms,
        .reply_least_ms = ours && target->reply_ms == 0 ? REPLY_LEAST_MS : 0,
        .patience_ms = PATIENCE_MS,
        .quiet_ms = QUIET_MS,
        .grace_ms = GRACE_MS,
        .interval_us = target->interval_us,
        .elastic = target->reply_ms == 0,
    };
}

// How to talk to a client's driver.
static jck_client_options client_options(const jck_assignment *assignment, int interrupt_fd)
{
    const jck_target *target = assignment->target;
    int64_t call_ms = target->reply_ms > 0 ? target->reply_ms : CALL_MS;
    return (jck_client_options){
        .target = target,
        .clock = jrpc_clock_monotonic(),
        .interrupt_fd = interrupt_fd,
        .self = assignment->self,
        .start_ms = target->start_ms > 0 ? target->start_ms : START_MS,
        .call_ms = call_ms,
        .brief_ms = call_ms < BRIEF_MS ? call_ms : BRIEF_MS,
        .grace_ms = GRACE_MS,
        .undriven = assignment->options->undriven,
        .answers = assignment->options->answers.items,
    };
}

static jck_timing timing_of(const jck_assignment *assignment)
{
    jck_timing timing = jck_execute_timing(assignment->target);
    timing.brisk = assignment->explore != NULL; // its rounds and replays are long
    return timing;
}

// The time limit of the run; 0: none.
static int64_t limit_us(const jck_assignment *assignment)
{
    const jck_options *options = assignment->options;
    int64_t seconds = options->fuzz_parser ? options->fuzz_seconds : options->max_seconds;
    return assignment->explore_us > 0 ? assignment->explore_us : seconds * 1000000;
}

static void run(stream *self, int interrupt_fd, jck_run_result *ret_result)
{
    const jck_assignment *assignment = self->assignment;
    jck_options *options = assignment->options;
    const jck_run_options run_options = {
        .suite = assignment->suite,
        .target = assignment->target,
        .plan = {.selected = assignment->selected,
                 .shuffle = options->shuffle,
                 .seed = assignment->seed,
                 .shard_index = options->shard_index,
                 .shard_count = options->shard_count,
                 .repeat = options->repeat},
        .timing = timing_of(assignment),
        .jobs = options->jobs,
        .max_us = limit_us(assignment),
        .strict = options->strict,
        .discover = !options->no_discover,
        .fail_fast = options->fail_fast,
        .nonce = assignment->nonce,
        .interrupt_fd = interrupt_fd,
        .clock = jrpc_clock_monotonic(),
        .emit = emit,
        .context = self,
        .words = assignment->repro,
        .command = jck_command_words(options, assignment->seed),
        .explore = assignment->explore,
        .explorer = assignment->explorer,
        .expects = self->baseline == NULL ? NULL : jck_baseline_expects,
        .baseline = self->baseline,
        .side = assignment->side,
        .against = assignment->against,
        .against_count = assignment->against_count,
        .generates = options->fuzz_parser,
        .each = options->each,
        .texts = options->texts,
        .client = client_options(assignment, interrupt_fd),
    };
    (assignment->run == NULL ? jck_run : assignment->run)(&run_options, ret_result);
}

// The exit code of the run alone, and the sentence for it.
static jck_exit exit_of(const jck_assignment *assignment, const jck_run_result *result)
{
    if (result->end == JCK_RUN_FAULT || result->counts[JCK_OUTCOME_ERROR] > 0) {
        (void)jck_complain_of("the harness itself failed%s%s",
                              result->error.message[0] != '\0' ? ": " : "", result->error.message);
        return JCK_EXIT_FAULT;
    }
    switch (result->end) {
    case JCK_RUN_INTERRUPTED:
        (void)jck_complain_of("interrupted; the reports hold what was found until then");
        return JCK_EXIT_INTERRUPTED;
    case JCK_RUN_UNOPENED:
        (void)jck_complain_of("%s", result->error.message[0] != '\0'
                                        ? result->error.message
                                        : "the target could not be opened");
        return JCK_EXIT_UNOPENED;
    case JCK_RUN_MUTE:
        (void)jck_complain_of("%s", result->error.message[0] != '\0'
                                        ? result->error.message
                                        : "the target answers nothing; it may need --framing or a "
                                          "prelude");
        return JCK_EXIT_BROKEN;
    case JCK_RUN_TIME_UP:
        (void)jck_complain_of("%s", assignment->explore != NULL
                                        ? "the ground cases, which come first, took all the time "
                                          "for the run (--time)"
                                        : "the time for the run is up (--max-time); the reports "
                                          "hold what was found until then");
        return JCK_EXIT_BROKEN;
    case JCK_RUN_FINISHED:
    case JCK_RUN_FAULT:
        break;
    }
    if (result->driver_mistakes > 0) {
        (void)jck_complain_of("the driver broke its protocol in %zu case%s, which say%s nothing "
                              "about the client: mend the driver (docs/testing-a-client.md)",
                              result->driver_mistakes, jrpc_plural(result->driver_mistakes),
                              result->driver_mistakes == 1 ? "s" : "");
        return JCK_EXIT_UNOPENED;
    }
    // A rule without a ground case is judged by what is generated alone.
    if (result->judged == 0 && assignment->explore == NULL) {
        (void)jck_complain_of("nothing was judged: %s",
                              result->skipped > 0
                                  ? "every selected case was skipped or blocked; -v shows why"
                                  : "no case is left to run");
        return JCK_EXIT_USAGE;
    }
    return result->conformant ? JCK_EXIT_CONFORMANT : JCK_EXIT_BROKEN;
}

// Closes all listeners; a failure of ours takes precedence over what the run found.
static jck_exit close_stream(stream *self, jck_exit status)
{
    (void)jck_reports_close(self->reports, &self->error);
    jck_slowest_show(&self->slowest);
    if (self->transcript.stream != NULL) {
        (void)jrpc_file_writer_done(&self->transcript, true, &self->error);
    }
    if (self->error.code != JRPC_OK) {
        (void)jck_complain(&self->error);
        return jck_exit_of(&self->error);
    }
    return status;
}

// Whether the files that this run reads and writes are all different.
static bool check_files(const jck_assignment *assignment)
{
    jck_options *options = assignment->options;
    jrpc_error error = {0};
    jck_file_uses uses;
    jck_file_uses_init(&uses, &options->arena);
    jck_file_uses_of_options(&uses, options);
    jck_file_uses_of_run(&uses, assignment->suite, assignment->target);
    jck_execute_baseline_use(options, assignment->target, &uses);
    return jck_file_uses_check(&uses, &error) || jck_complain(&error);
}

static bool open_stream(stream *self, jck_baseline *baseline)
{
    const jck_assignment *assignment = self->assignment;
    const jck_options *options = assignment->options;
    if (!check_files(assignment)) {
        return false;
    }
    if (!jck_execute_baseline_open(options, assignment->target, baseline, &self->baseline)) {
        return false;
    }
    self->reports = jck_outputs_open(options, assignment->verbose, &self->error);
    if (self->reports == NULL) {
        return jck_complain(&self->error);
    }
    if (options->transcript == NULL ||
        jrpc_file_writer_open(&self->transcript, options->transcript, true, &self->error)) {
        return true;
    }
    (void)jrpc_error_prefix(&self->error, "the transcript");
    (void)jck_reports_close(self->reports, NULL);
    return jck_complain(&self->error);
}

// Runs with all listeners open. Returns the final exit code.
static jck_exit run_and_close(stream *self, int interrupt_fd)
{
    const jck_assignment *assignment = self->assignment;
    jck_run_result result;
    run(self, interrupt_fd, &result);
    jck_exit status = close_stream(self, exit_of(assignment, &result));
    return self->baseline == NULL
               ? status
               : jck_execute_baseline_close(assignment->options, assignment->target, self->baseline,
                                            status, result.end == JCK_RUN_FINISHED);
}

jck_exit jck_execute(const jck_assignment *assignment)
{
    stream self = {.assignment = assignment};
    jck_interrupt interrupt;
    jck_baseline baseline;
    jrpc_error error = {0};
    // From here on a signal lets the reports be finished; a second one leaves no partial files.
    int64_t within_us = assignment->explore_us > 0 ? assignment->explore_us + EXPLORE_OVER_US : 0;
    if (!jck_interrupt_init_within(&interrupt, within_us, &error)) {
        (void)jck_complain(&error);
        return JCK_EXIT_FAULT;
    }
    jck_exit status = JCK_EXIT_USAGE;
    jrpc_arena_init(&self.arena, jrpc_allocator_heap(), EVENT_BYTES);
    jck_baseline_init(&baseline, assignment->suite);
    if (jck_slowest_init(&self.slowest, assignment->options->slowest) &&
        open_stream(&self, &baseline)) {
        status = run_and_close(&self, jck_interrupt_fd(&interrupt));
    }
    jck_baseline_done(&baseline);
    jck_slowest_done(&self.slowest);
    jrpc_arena_done(&self.arena);
    jck_interrupt_done(&interrupt);
    return status;
}
