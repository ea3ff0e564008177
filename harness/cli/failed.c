#include "harness/cli/failed.h"

#include "harness/cli/lines.h"
#include "harness/cli/words.h"
#include "harness/report/reading.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

// The memory that one event may take while it is examined.
#define EVENT_BYTES ((size_t)64 << 20)

typedef struct gathering {
    const jck_suite *suite;
    bool strict;
    bool *failed;
    size_t count, gone; // failed cases; those of them that the suite no longer has
    bool any;           // the file has an event of a case
    jrpc_arena arena;
} gathering;

static void take_case(gathering *self, const jck_reading_case *read)
{
    const jck_case *test_case = jck_suite_find_case(self->suite, read->id);
    if (!jck_reading_is_breach(read, self->strict)) {
        return;
    }
    self->count++;
    if (test_case == NULL) {
        self->gone++;
    } else {
        self->failed[test_case - jck_suite_case(self->suite, 0)] = true;
    }
}

static bool take_line(void *context, jrpc_slice line, jrpc_error *error)
{
    gathering *self = context;
    jrpc_json_document document;
    jck_reading_case read;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool done = jrpc_json_read(&document, line, JRPC_LIMIT_DEPTH, error);
    jrpc_json event = jrpc_json_root(&document);
    if (done && jck_reading_kind(event) == JCK_EVENT_CASE) {
        self->any = true;
        done = jck_reading_of_verdict(event, &self->arena, &read) ||
               jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for an event");
        if (done) {
            take_case(self, &read);
        }
    }
    jrpc_json_document_done(&document);
    jrpc_arena_clear(&self->arena);
    return done;
}

bool jck_failed_read(const jck_options *options, const jck_suite *suite, bool *ret_failed)
{
    gathering self = {.suite = suite, .strict = options->strict, .failed = ret_failed};
    jrpc_error error = {0};
    jrpc_arena_init(&self.arena, jrpc_allocator_heap(), EVENT_BYTES);
    for (size_t i = 0; i < jck_suite_case_count(suite); i++) {
        ret_failed[i] = false;
    }
    bool done = jck_lines_each(options->only_failed, 0, take_line, &self, &error);
    jrpc_arena_done(&self.arena);
    if (!done) {
        return jck_complain(&error);
    }
    if (!self.any) {
        return jck_complain_of("%.200s has no event of a case: it is not the stream of a run (made "
                               "with --report ndjson=FILE)",
                               options->only_failed);
    }
    if (self.count == self.gone) {
        return jck_complain_of(self.count == 0 ? "no case failed in %.200s"
                                               : "the cases that failed in %.200s no longer exist",
                               options->only_failed);
    }
    return true;
}
