#include "harness/cli/published.h"

#include "harness/cli/data.h"
#include "harness/report/safe.h"
#include "harness/suite/file.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <inttypes.h>
#include <stdio.h>

#define INDEX_BYTES ((size_t)16 << 20)

typedef struct breach {
    jrpc_slice target, version, language, level, example;
    int64_t cases;
} breach;

// A String member; anything else reads as empty.
static jrpc_slice text_of(jck_options *options, jrpc_json value)
{
    jrpc_slice text = {"", 0};
    if (jrpc_json_is(value, JRPC_JSON_STRING)) {
        (void)jrpc_json_string(value, &options->arena, &text);
    }
    return text;
}

static int rank(const breach *of)
{
    return jrpc_slice_is(of->level, "MUST") ? 1 : 0;
}

// Keeps the list sorted: MUST before SHOULD, then by the number of cases.
static void insert(breach *list, size_t count, const breach *found)
{
    size_t at = count;
    for (; at > 0; at--) {
        const breach *before = &list[at - 1];
        if (rank(before) > rank(found) ||
            (rank(before) == rank(found) && before->cases >= found->cases)) {
            break;
        }
        list[at] = *before;
    }
    list[at] = *found;
}

static void show(const breach *found)
{
    (void)printf("    ");
    (void)jck_print_safe(stdout, found->target);
    if (found->version.len > 0) {
        (void)putchar(' ');
        (void)jck_print_safe(stdout, found->version);
    }
    if (found->language.len > 0) {
        (void)printf(" (");
        (void)jck_print_safe(stdout, found->language);
        (void)putchar(')');
    }
    (void)printf(": ");
    (void)jck_print_safe(stdout, found->level);
    (void)printf(", %" PRId64 " case%s ", found->cases, found->cases == 1 ? "," : "s, e.g.");
    (void)jck_print_safe(stdout, found->example);
    (void)putchar('\n');
}

static bool show_all(jck_options *options, jrpc_json runs, jrpc_slice rule)
{
    size_t room = jrpc_json_is(runs, JRPC_JSON_ARRAY) ? jrpc_json_count(runs) : 0;
    breach *list = jrpc_arena_array(&options->arena, room + 1, sizeof *list);
    size_t count = 0;
    if (list == NULL || room == 0) {
        return list != NULL;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(runs); jrpc_json_step(&it);) {
        jrpc_json broken = jrpc_json_member(jrpc_json_get(it.value, "broken"), rule);
        if (!jrpc_json_is(broken, JRPC_JSON_ARRAY)) {
            continue;
        }
        breach found = {.target = text_of(options, jrpc_json_get(it.value, "target")),
                        .version = text_of(options, jrpc_json_get(it.value, "version")),
                        .language = text_of(options, jrpc_json_get(it.value, "language")),
                        .level = text_of(options, jrpc_json_element(broken, 0)),
                        .example = text_of(options, jrpc_json_element(broken, 2))};
        (void)jrpc_json_int64(jrpc_json_element(broken, 1), &found.cases);
        insert(list, count++, &found);
    }
    if (count > 0) {
        (void)printf("\n  Published targets that break it: %zu of %zu\n", count, room);
    }
    for (size_t i = 0; i < count; i++) {
        show(&list[i]);
    }
    return true;
}

bool jck_published_show(jck_options *options, jrpc_slice rule, jrpc_error *error)
{
    const char *path = jck_data_index(options);
    if (path == NULL || jck_file_kind_of(path) != JCK_FILE_PLAIN) {
        return true;
    }
    jrpc_buffer text;
    jrpc_json_document document;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), INDEX_BYTES);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read = jck_file_read(path, &text, error);
    if (read && !jrpc_json_read(&document, jrpc_buffer_slice(&text), JRPC_LIMIT_DEPTH, error)) {
        read = jrpc_error_prefix(error, "%.200s is not an index of reports", path);
    } else if (read) {
        read = show_all(options, jrpc_json_get(jrpc_json_root(&document), "runs"), rule) ||
               jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for the index of reports");
    }
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&text);
    return read;
}
