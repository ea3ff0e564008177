#include "harness/baseline/baseline.h"

#include "harness/baseline/baseline_private.h"
#include "reference/json/write.h"

// Text, tree and entries of one baseline.
#define BASELINE_BYTES ((size_t)64 << 20)

void jck_baseline_init(jck_baseline *baseline, const jck_suite *suite)
{
    *baseline = (jck_baseline){.suite = suite};
    jrpc_arena_init(&baseline->arena, jrpc_allocator_heap(), BASELINE_BYTES);
    jrpc_json_document_init(&baseline->document, jrpc_allocator_heap());
}

void jck_baseline_done(jck_baseline *baseline)
{
    jrpc_json_document_done(&baseline->document);
    jrpc_arena_done(&baseline->arena);
    *baseline = (jck_baseline){0};
}

static jck_entry *entry_of(const jck_baseline *baseline, const jck_case *test_case)
{
    for (size_t i = 0; i < baseline->count; i++) {
        if (baseline->entries[i].test_case == test_case) {
            return &baseline->entries[i];
        }
    }
    return NULL;
}

static bool is_loss(jck_outcome outcome)
{
    return outcome == JCK_OUTCOME_CRASH || outcome == JCK_OUTCOME_HANG ||
           outcome == JCK_OUTCOME_STUCK;
}

// Whether the entry expects the outcome. A target that takes long to die may look like one that
// hangs, so a flaky entry of either kind expects both.
static bool is_expected(const jck_entry *entry, jck_outcome outcome)
{
    return entry->outcome == outcome ||
           (entry->flaky && is_loss(entry->outcome) && is_loss(outcome));
}

bool jck_baseline_expects(void *context, const jck_case *test_case, jck_outcome outcome)
{
    const jck_baseline *baseline = context;
    const jck_entry *entry = entry_of(baseline, test_case);
    return entry != NULL && jrpc_json_exists(entry->json) && is_expected(entry, outcome);
}

static jck_entry_state state_after(const jck_entry *entry, const jck_recorded *recorded)
{
    if (is_expected(entry, recorded->outcome)) {
        return JCK_ENTRY_HOLDS;
    }
    if (recorded->breach) {
        return JCK_ENTRY_CHANGED;
    }
    return entry->flaky ? JCK_ENTRY_HOLDS : JCK_ENTRY_STALE;
}

static bool copy_rules(jck_baseline *baseline, const jck_recorded *recorded, jck_entry *entry)
{
    jrpc_slice *rules = jrpc_arena_array(&baseline->arena, recorded->rule_count + 1, sizeof *rules);
    for (size_t i = 0; rules != NULL && i < recorded->rule_count; i++) {
        if (!jrpc_arena_copy(&baseline->arena, recorded->rules[i], &rules[i])) {
            return false;
        }
    }
    entry->rules = rules;
    entry->rule_count = recorded->rule_count;
    return rules != NULL;
}

jck_entry *jck_baseline_add(jck_baseline *baseline)
{
    if (baseline->count == baseline->capacity) {
        size_t capacity = baseline->capacity == 0 ? 32 : baseline->capacity * 2;
        jck_entry *entries = jrpc_arena_array(&baseline->arena, capacity, sizeof *entries);
        if (entries == NULL) {
            return NULL;
        }
        for (size_t i = 0; i < baseline->count; i++) {
            entries[i] = baseline->entries[i];
        }
        baseline->entries = entries;
        baseline->capacity = capacity;
    }
    jck_entry *entry = &baseline->entries[baseline->count++];
    *entry = (jck_entry){0};
    return entry;
}

static void add_new(jck_baseline *baseline, const jck_case *test_case, const jck_recorded *recorded)
{
    jck_entry *entry = jck_baseline_add(baseline);
    if (entry == NULL || !copy_rules(baseline, recorded, entry)) {
        baseline->failed = true;
        return;
    }
    entry->test_case = test_case;
    entry->outcome = recorded->outcome;
    entry->found = recorded->outcome;
    entry->state = JCK_ENTRY_HOLDS;
}

void jck_baseline_record(jck_baseline *baseline, const jck_recorded *recorded, bool adding)
{
    const jck_case *test_case = jck_suite_find_case(baseline->suite, recorded->id);
    jck_entry *entry = test_case == NULL ? NULL : entry_of(baseline, test_case);
    if (entry == NULL) {
        if (adding && recorded->breach && test_case != NULL) {
            add_new(baseline, test_case, recorded);
        }
        return;
    }
    if (!jrpc_json_exists(entry->json)) {
        // A new entry of a case that is repeated: the worst breach stands for it.
        if (recorded->breach && recorded->outcome > entry->outcome) {
            entry->outcome = recorded->outcome;
        }
        return;
    }
    jck_entry_state state = state_after(entry, recorded);
    // States get worse in their order, and of repeated executions the worst one counts.
    if (state > entry->state) {
        entry->state = state;
        entry->found = recorded->outcome;
    }
}

static bool is_empty_text(jrpc_json value)
{
    return jrpc_json_is(value, JRPC_JSON_STRING) && jrpc_json_count(value) == 0;
}

// An entry of the file: every member as it was written, except for an outcome that changed and a
// reason that was missing.
static void write_kept(const jck_entry *entry, const char *reason, jrpc_buffer *out)
{
    bool first = true;
    bool lacks = !jrpc_json_exists(jrpc_json_get(entry->json, "reason"));
    jrpc_json_iterator members = jrpc_json_iterate(entry->json);
    while (jrpc_json_step(&members)) {
        (void)jrpc_buffer_append_str(out, first ? "" : ", ");
        (void)jrpc_buffer_append(out, jrpc_json_spelling(members.key));
        (void)jrpc_buffer_append_str(out, ": ");
        if (jrpc_json_string_is(members.key, JRPC_SLICE("outcome"))) {
            jck_outcome outcome = entry->state == JCK_ENTRY_CHANGED ? entry->found : entry->outcome;
            (void)jrpc_json_quote(out, jrpc_slice_str(jck_outcome_name(outcome)));
        } else if (jrpc_json_string_is(members.key, JRPC_SLICE("reason")) && reason != NULL &&
                   is_empty_text(members.value)) {
            (void)jrpc_json_quote(out, jrpc_slice_str(reason));
        } else {
            (void)jrpc_buffer_append(out, jrpc_json_spelling(members.value));
        }
        first = false;
    }
    if (lacks && reason != NULL) {
        (void)jrpc_buffer_append_str(out, ", \"reason\": ");
        (void)jrpc_json_quote(out, jrpc_slice_str(reason));
    }
}

static void write_new(const jck_entry *entry, const char *reason, jrpc_buffer *out)
{
    (void)jrpc_buffer_append_str(out, "\"case\": ");
    (void)jrpc_json_quote(out, entry->test_case->id);
    (void)jrpc_buffer_append_str(out, ", \"outcome\": ");
    (void)jrpc_json_quote(out, jrpc_slice_str(jck_outcome_name(entry->outcome)));
    (void)jrpc_buffer_append_str(out, ", \"reason\": ");
    (void)jrpc_json_quote(out, jrpc_slice_str(reason == NULL ? "" : reason));
    (void)jrpc_buffer_append_str(out, ", \"rules\": [");
    for (size_t i = 0; i < entry->rule_count; i++) {
        (void)jrpc_buffer_append_str(out, i == 0 ? "" : ", ");
        (void)jrpc_json_quote(out, entry->rules[i]);
    }
    (void)jrpc_buffer_append_char(out, ']');
}

static void write_entries(const jck_baseline *baseline, jrpc_buffer *out)
{
    (void)jrpc_buffer_append_str(out, "  \"entries\": [");
    bool first = true;
    for (size_t i = 0; i < baseline->count; i++) {
        const jck_entry *entry = &baseline->entries[i];
        if (entry->state == JCK_ENTRY_STALE) {
            continue;
        }
        (void)jrpc_buffer_append_str(out, first ? "\n    { " : ",\n    { ");
        if (jrpc_json_exists(entry->json)) {
            write_kept(entry, baseline->reason, out);
        } else {
            write_new(entry, baseline->reason, out);
        }
        (void)jrpc_buffer_append_str(out, " }");
        first = false;
    }
    (void)jrpc_buffer_append_str(out, first ? "]" : "\n  ]");
}

bool jck_baseline_write(const jck_baseline *baseline, jrpc_slice target, jrpc_buffer *out,
                        jrpc_error *error)
{
    if (baseline->failed) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the baseline");
    }
    jrpc_json root = jrpc_json_root(&baseline->document);
    (void)jrpc_buffer_append_str(out, "{\n");
    if (!jrpc_json_exists(root)) {
        (void)jrpc_buffer_append_str(out, "  \"schema\": 1,\n  \"target\": ");
        (void)jrpc_json_quote(out, target);
        (void)jrpc_buffer_append_str(out, ",\n");
        write_entries(baseline, out);
    }
    bool first = true;
    jrpc_json_iterator members = jrpc_json_iterate(root);
    while (jrpc_json_step(&members)) {
        (void)jrpc_buffer_append_str(out, first ? "" : ",\n");
        first = false;
        if (jrpc_json_string_is(members.key, JRPC_SLICE("entries"))) {
            write_entries(baseline, out);
            continue;
        }
        (void)jrpc_buffer_append_str(out, "  ");
        (void)jrpc_buffer_append(out, jrpc_json_spelling(members.key));
        (void)jrpc_buffer_append_str(out, ": ");
        (void)jrpc_buffer_append(out, jrpc_json_spelling(members.value));
    }
    (void)jrpc_buffer_append_str(out, "\n}\n");
    return !out->failed ||
           jrpc_error_set(error, JRPC_ERROR_LIMIT, "the baseline is too long to be written");
}
