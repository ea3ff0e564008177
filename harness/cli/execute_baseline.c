#include "harness/cli/execute_baseline.h"

#include "harness/cli/words.h"
#include "harness/suite/file.h"
#include "reference/base/file.h"

#define BASELINE_FILE_BYTES ((size_t)16 << 20)

static const char *path_of(const jck_options *options, const jck_target *target)
{
    return options->baseline != NULL ? options->baseline : target->baseline;
}

void jck_execute_baseline_use(const jck_options *options, const jck_target *target,
                              jck_file_uses *uses)
{
    const char *path = path_of(options, target);
    (options->update_baseline ? jck_file_uses_write : jck_file_uses_read)(uses, "the baseline",
                                                                          path);
}

static void report(void *context, const jrpc_error *error)
{
    (void)context;
    (void)jck_complain(error);
}

static bool refuse_partial(const jck_options *options)
{
    const struct {
        bool given;
        const char *name;
    } partial[] = {
        {options->only.count > 0, "--only"},
        {options->skip.count > 0, "--skip"},
        {options->only_failed != NULL, "--only-failed"},
        {options->shard_count > 1, "--shard"},
        {options->fail_fast, "--fail-fast"},
    };
    for (size_t i = 0; i < sizeof partial / sizeof *partial; i++) {
        if (partial[i].given) {
            return jck_complain_of("--update-baseline needs a whole run: leave out %s",
                                   partial[i].name);
        }
    }
    return true;
}

bool jck_execute_baseline_open(const jck_options *options, const jck_target *target,
                               jck_baseline *baseline, jck_baseline **ret)
{
    const char *path = path_of(options, target);
    *ret = NULL;
    if (path == NULL) {
        return !options->update_baseline ||
               jck_complain_of("--update-baseline needs a file: --baseline FILE");
    }
    if (options->update_baseline && !refuse_partial(options)) {
        return false;
    }
    *ret = baseline;
    baseline->reason = options->reason;
    if (jck_file_kind_of(path) == JCK_FILE_MISSING) {
        return options->update_baseline ||
               jck_complain_of("the baseline %.200s does not exist; to write the failures of this "
                               "run into it, add --update-baseline --reason TEXT",
                               path);
    }
    jrpc_buffer text;
    jrpc_error error = {0};
    jrpc_buffer_init(&text, jrpc_allocator_heap(), BASELINE_FILE_BYTES);
    bool read = jrpc_file_read(path, &text, &error) || jck_complain(&error);
    read = read && jck_baseline_read(baseline, jrpc_buffer_slice(&text), path,
                                     options->update_baseline, report, NULL);
    jrpc_buffer_done(&text);
    return read;
}

// Reports every entry that no longer applies. Returns their number.
static size_t report_stale(const char *path, const jck_baseline *baseline)
{
    size_t stale = 0;
    for (size_t i = 0; i < baseline->count; i++) {
        const jck_entry *entry = &baseline->entries[i];
        if (entry->state != JCK_ENTRY_STALE && entry->state != JCK_ENTRY_CHANGED) {
            continue;
        }
        stale++;
        (void)jck_complain_of(
            "%.200s:%zu:%zu: %.*s was expected to %s and now gives %s; %s", path, entry->line,
            entry->column, (int)entry->test_case->id.len, entry->test_case->id.ptr,
            jck_outcome_name(entry->outcome), jck_outcome_name(entry->found),
            entry->state == JCK_ENTRY_STALE ? "remove the entry" : "look at it again");
    }
    return stale;
}

static size_t count_new(const jck_baseline *baseline)
{
    size_t count = 0;
    for (size_t i = 0; i < baseline->count; i++) {
        count += jrpc_json_exists(baseline->entries[i].json) ? 0 : 1;
    }
    return count;
}

static jck_exit rewrite(const char *path, const jck_target *target, const jck_baseline *baseline)
{
    jrpc_buffer text;
    jrpc_error error = {0};
    jrpc_buffer_init(&text, jrpc_allocator_heap(), BASELINE_FILE_BYTES);
    bool written = jck_baseline_write(baseline, target->name, &text, &error) &&
                   jrpc_file_replace(path, jrpc_buffer_slice(&text), &error);
    jrpc_buffer_done(&text);
    if (!written) {
        (void)jck_complain(&error);
        return jck_exit_of(&error);
    }
    size_t added = count_new(baseline);
    if (added > 0 && baseline->reason == NULL) {
        (void)jck_complain_of(
            "%.200s has %zu new entr%s without a reason; fill in \"reason\" before you use it",
            path, added, added == 1 ? "y" : "ies");
    }
    return JCK_EXIT_CONFORMANT;
}

jck_exit jck_execute_baseline_close(const jck_options *options, const jck_target *target,
                                    const jck_baseline *baseline, jck_exit status, bool finished)
{
    const char *path = path_of(options, target);
    bool usable = finished && (status == JCK_EXIT_CONFORMANT || status == JCK_EXIT_BROKEN);
    if (options->update_baseline) {
        if (usable) {
            return rewrite(path, target, baseline);
        }
        (void)jck_complain_of("the baseline was not changed: the run was incomplete");
        return status;
    }
    size_t stale = report_stale(path, baseline);
    return stale > 0 && status == JCK_EXIT_CONFORMANT ? JCK_EXIT_STALE : status;
}
