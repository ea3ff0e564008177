#include "harness/cli/list_json.h"

#include "reference/json/write.h"

#include <stdio.h>

static void member(jrpc_json_writer *writer, const char *name, jrpc_slice text)
{
    jrpc_json_write_key(writer, name);
    jrpc_json_write_string(writer, text);
}

static void words(jrpc_json_writer *writer, const char *name, const jrpc_slice *items, size_t count)
{
    jrpc_json_write_key(writer, name);
    jrpc_json_write_begin_array(writer);
    for (size_t i = 0; i < count; i++) {
        jrpc_json_write_string(writer, items[i]);
    }
    jrpc_json_write_end_array(writer);
}

static void write_case(jrpc_json_writer *writer, const jck_case *test_case)
{
    member(writer, "id", test_case->id);
    member(writer, "suite", test_case->suite);
    member(writer, "section", test_case->section);
    member(writer, "title", test_case->title);
    words(writer, "rules", test_case->rules, test_case->rule_count);
    words(writer, "needs", test_case->needs, test_case->need_count);
    words(writer, "catches", test_case->catches, test_case->catch_count);
    if (test_case->file != NULL) {
        member(writer, "file", jrpc_slice_str(test_case->file));
        jrpc_json_write_key(writer, "line");
        jrpc_json_write_int(writer, (int64_t)test_case->line);
    }
}

static void write_rule(jrpc_json_writer *writer, const jck_rule *rule)
{
    member(writer, "id", rule->id);
    member(writer, "level", jrpc_slice_str(rule->off ? "off" : jck_level_name(rule->level)));
    member(writer, "specification", rule->specification);
    member(writer, "section", rule->section);
    member(writer, "title", rule->title);
    member(writer, "sentence", rule->sentence);
    member(writer, "source", rule->source);
}

// Prints the content of `object` as a line, and clears it.
static bool print_line(jrpc_buffer *object)
{
    bool whole = !object->failed;
    (void)fwrite(object->ptr, 1, object->len, stdout);
    (void)putchar('\n');
    jrpc_buffer_clear(object);
    return whole;
}

#define LINE_BYTES ((size_t)1 << 20)

bool jck_list_cases_json(const jck_suite *suite, const bool *selected)
{
    jrpc_buffer line;
    bool whole = true;
    jrpc_buffer_init(&line, jrpc_allocator_heap(), LINE_BYTES);
    for (size_t i = 0; whole && i < jck_suite_case_count(suite); i++) {
        if (selected[i]) {
            jrpc_json_writer writer;
            jrpc_json_writer_init(&writer, &line);
            jrpc_json_write_begin_object(&writer);
            write_case(&writer, jck_suite_case(suite, i));
            jrpc_json_write_end_object(&writer);
            whole = print_line(&line);
        }
    }
    jrpc_buffer_done(&line);
    return whole;
}

bool jck_list_rules_json(const jck_suite *suite)
{
    jrpc_buffer line;
    bool whole = true;
    jrpc_buffer_init(&line, jrpc_allocator_heap(), LINE_BYTES);
    for (size_t i = 0; whole && i < jck_suite_rule_count(suite); i++) {
        jrpc_json_writer writer;
        jrpc_json_writer_init(&writer, &line);
        jrpc_json_write_begin_object(&writer);
        write_rule(&writer, jck_suite_rule(suite, i));
        jrpc_json_write_end_object(&writer);
        whole = print_line(&line);
    }
    jrpc_buffer_done(&line);
    return whole;
}
