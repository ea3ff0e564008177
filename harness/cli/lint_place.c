#include "harness/cli/lint_place.h"

#include "harness/suite/file.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#define INDEX_BYTES ((size_t)64 << 20)
#define FILE_BYTES ((size_t)16 << 20)

void jck_place_init(jck_place *place)
{
    *place = (jck_place){0};
    jrpc_buffer_init(&place->text, jrpc_allocator_heap(), FILE_BYTES);
    jrpc_json_document_init(&place->document, jrpc_allocator_heap());
    jrpc_arena_init(&place->arena, jrpc_allocator_heap(), INDEX_BYTES);
}

void jck_place_done(jck_place *place)
{
    jrpc_arena_done(&place->arena);
    jrpc_json_document_done(&place->document);
    jrpc_buffer_done(&place->text);
}

static jrpc_json open_file(jck_place *place, const char *file)
{
    if (place->file == NULL || strcmp(place->file, file) != 0) {
        place->file = file;
        jrpc_buffer_clear(&place->text);
        if (!jck_file_read(file, &place->text, NULL)) {
            jrpc_buffer_clear(&place->text);
        }
        // Text that is not JSON leaves the document empty: its root is ABSENT.
        (void)jrpc_json_read(&place->document, jrpc_buffer_slice(&place->text), JRPC_LIMIT_DEPTH,
                             NULL);
    }
    return jrpc_json_root(&place->document);
}

static void index_ids(jck_place *place, jrpc_json list)
{
    jrpc_arena_clear(&place->arena);
    place->index = (jck_index){0};
    for (jrpc_json_iterator it = jrpc_json_iterate(list); jrpc_json_step(&it);) {
        jrpc_slice id;
        if (jrpc_json_string(jrpc_json_get(it.value, "id"), &place->arena, &id)) {
            (void)jck_index_add(&place->index, &place->arena, id, it.value.index);
        }
    }
}

static jrpc_json find(jck_place *place, const char *file, const char *member, jrpc_slice id)
{
    bool opened = place->file != NULL && strcmp(place->file, file) == 0;
    jrpc_json list = jrpc_json_get(open_file(place, file), member);
    size_t node;
    if (!opened) {
        index_ids(place, list);
    }
    return jck_index_find(&place->index, id, &node) ? (jrpc_json){&place->document, (uint32_t)node}
                                                    : JRPC_JSON_ABSENT;
}

jrpc_json jck_place_of_case(jck_place *place, const jck_case *test_case)
{
    return find(place, test_case->file, "cases", test_case->id);
}

jrpc_json jck_place_of_rule(jck_place *place, const jck_rule *rule)
{
    return find(place, rule->file, "rules", rule->id);
}

jrpc_json jck_place_of_step(jrpc_json of_case, size_t index)
{
    jrpc_json steps = jrpc_json_get(of_case, "steps");
    return jrpc_json_exists(steps) ? jrpc_json_element(steps, (uint32_t)index) : of_case;
}

void jck_place_locate(const jck_place *place, jrpc_json value, const char *file, size_t line,
                      jrpc_error *error)
{
    if (jrpc_json_exists(value)) {
        (void)jrpc_error_locate(error, file, jrpc_buffer_slice(&place->text),
                                jrpc_json_offset(value));
    } else {
        (void)jrpc_error_locate(error, file, (jrpc_slice){NULL, 0}, 0);
        error->line = line;
        error->column = line == 0 ? 0 : 1;
    }
}
