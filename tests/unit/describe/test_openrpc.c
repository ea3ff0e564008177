// Descriptions in OpenRPC: what is wrong with one, and the cases that its examples become.
#include "harness/describe/openrpc.h"

#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ARENA_BYTES ((size_t)1 << 20)
#define DEPTH 200
// A description around the members of one method.
#define METHOD(members)                                                                            \
    "{\"openrpc\":\"1.3.2\",\"info\":{\"title\":\"t\",\"version\":\"1\"},\"methods\":"             \
    "[{\"name\":\"m\"," members "}],\"components\":{\"P\":{\"name\":\"p\",\"schema\":{}}}}"
#define RESULT "\"result\":{\"name\":\"r\",\"schema\":{\"type\":\"integer\"}}"

static jrpc_json parse(jrpc_json_document *document, const char *text)
{
    jrpc_json_document_init(document, jrpc_allocator_heap());
    if (!jrpc_json_read(document, jrpc_slice_str(text), DEPTH, NULL)) {
        fail_msg("not JSON: %s", text);
    }
    return jrpc_json_root(document);
}

static void every_flaw_is_found_in_its_part_alone(void **state)
{
    static const struct {
        const char *text, *part, *flaw; // NULL: none
    } rows[] = {
        {METHOD("\"params\":[{\"$ref\":\"#/components/P\"}]," RESULT), NULL, NULL},
        {"{\"openrpc\":\"1.3.2\",\"methods\":[]}", "form", "# has no info, an Object"},
        {METHOD("\"result\":{\"name\":\"r\",\"schema\":{}}"), "form",
         "#/methods/0 has no params, an Array"},
        {METHOD("\"params\":[{\"name\":\"a\"}]"), "form", "#/methods/0/params/0 has no schema"},
        {METHOD("\"params\":[{\"$ref\":\"#/components/P\"},{\"$ref\":\"#/components/P\"}]"),
         "names", "#/components/P and #/components/P have the same name, \"p\""},
        {METHOD("\"params\":[],\"errors\":[{\"code\":1},{\"code\":1.0}]"), "names",
         "#/methods/0/errors/0 and #/methods/0/errors/1 have the same code, 1.0"},
        {METHOD("\"params\":[{\"$ref\":\"#/components/Q\"}]"), "references",
         "the reference #/components/Q leads nowhere"},
        {METHOD("\"params\":[{\"name\":\"a\",\"schema\":{\"type\":\"text\"}}]"), "schemas",
         "#/methods/0/params/0/schema is not a JSON Schema"},
        {METHOD("\"params\":[{\"name\":\"a\",\"schema\":{}},"
                "{\"name\":\"b\",\"schema\":{},\"required\":true}]"),
         "order",
         "#/methods/0/params/1 is required and comes after #/methods/0/params/0, which is not"},
        {METHOD("\"params\":[]," RESULT
                ",\"examples\":[{\"params\":[],\"result\":{\"value\":\"7\"}}]"),
         "examples",
         "#/methods/0/examples/0/result/value does not fit #/methods/0/result/schema: type "
         "\"integer\""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_arena arena;
        jrpc_json_document document;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
        jrpc_json root = parse(&document, rows[i].text);
        assert_true(jck_openrpc_is(root, NULL));
        for (const char *const *part = jck_openrpc_parts(); *part != NULL; part++) {
            const char *flaw = jck_openrpc_flaw(root, jrpc_slice_str(*part), &arena);
            bool owed = rows[i].part != NULL && strcmp(rows[i].part, *part) == 0;
            if (owed ? flaw == NULL || strcmp(flaw, rows[i].flaw) != 0 : flaw != NULL) {
                fail_msg("%s: %s: %s", rows[i].text, *part, flaw == NULL ? "no flaw" : flaw);
            }
        }
        jrpc_json_document_done(&document);
        jrpc_arena_done(&arena);
    }
}

static void what_is_no_description_is_a_flaw_of_every_part(void **state)
{
    jrpc_arena arena;
    (void)state;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    for (const char *const *part = jck_openrpc_parts(); *part != NULL; part++) {
        assert_string_equal(jck_openrpc_flaw(JRPC_JSON_ABSENT, jrpc_slice_str(*part), &arena),
                            "there is no description");
    }
    jrpc_arena_done(&arena);
}

// What the cases of a description hold, one line for each.
typedef struct noting {
    char text[4096];
} noting;

static bool note(void *context, jrpc_slice text)
{
    noting *self = context;
    jrpc_arena arena;
    jrpc_json_document document;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    assert_true(jrpc_json_read(&document, text, DEPTH, NULL));
    jrpc_json root = jrpc_json_root(&document);
    jrpc_slice send = jrpc_json_spelling(jrpc_json_get(root, "send"));
    jrpc_slice rule = jrpc_json_spelling(jrpc_json_element(jrpc_json_get(root, "rules"), 0));
    char line[1024];
    (void)snprintf(line, sizeof line, "%.*s %.*s\n", (int)rule.len, rule.ptr, (int)send.len,
                   send.ptr);
    assert_true(strlen(self->text) + strlen(line) < sizeof self->text);
    (void)strncat(self->text, line, sizeof self->text - strlen(self->text) - 1);
    jrpc_json_document_done(&document);
    jrpc_arena_done(&arena);
    return true;
}

#define SEND(params) "{\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":" params ",\"id\":\"${id}\"}"
#define ONE_PARAM "\"params\":[{\"name\":\"a\",\"schema\":{}},{\"name\":\"b\",\"schema\":{}}],"
#define EXAMPLE(params, more) "\"examples\":[{\"params\":[" params "]" more "}]"

static void examples_become_cases_in_each_structure_of_params(void **state)
{
    static const struct {
        const char *text, *cases;
    } rows[] = {
        {METHOD(ONE_PARAM RESULT), ""},
        {METHOD(ONE_PARAM RESULT
                "," EXAMPLE("{\"name\":\"a\",\"value\":1}", ",\"result\":{\"value\":2}")),
         "\"OR-2a\" " SEND("[1]") "\n\"OR-2a\" " SEND("{\"a\":1}") "\n"},
        {METHOD("\"paramStructure\":\"by-position\"," ONE_PARAM RESULT
                "," EXAMPLE("{\"name\":\"x\",\"value\":1}", ",\"result\":{\"value\":2}")),
         "\"OR-2a\" " SEND("[1]") "\n"},
        {METHOD("\"paramStructure\":\"by-name\"," ONE_PARAM RESULT
                "," EXAMPLE("{\"name\":\"x\",\"value\":1}", ",\"result\":{\"value\":2}")),
         "\"OR-2d\" " SEND("{\"a\":1}") "\n"},
        // The first param is left out: that has no place in an Array.
        {METHOD("\"paramStructure\":\"either\"," ONE_PARAM RESULT
                "," EXAMPLE("{\"name\":\"b\",\"value\":1}", ",\"result\":{\"value\":2}")),
         "\"OR-2d\" " SEND("{\"b\":1}") "\n"},
        {METHOD("\"paramStructure\":\"by-position\"," ONE_PARAM RESULT
                "," EXAMPLE("", ",\"error\":{\"value\":{\"code\":7}}")),
         "\"OR-2b\" " SEND("[]") "\n"},
        {METHOD("\"paramStructure\":\"by-position\"," ONE_PARAM EXAMPLE("", "")),
         "\"OR-2c\" {\"jsonrpc\":\"2.0\",\"method\":\"m\",\"params\":[]}\n"},
        // What would be a variable of a case is sent as it is.
        {METHOD("\"paramStructure\":\"by-position\"," ONE_PARAM RESULT
                "," EXAMPLE("{\"name\":\"a\",\"value\":\"${id}\"}", ",\"result\":{\"value\":2}")),
         "\"OR-2a\" " SEND("[\"$${id}\"]") "\n"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_arena arena;
        jrpc_json_document document;
        noting noted = {.text = ""};
        jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
        assert_true(jck_openrpc_each_case(parse(&document, rows[i].text), &arena, note, &noted));
        assert_string_equal(noted.text, rows[i].cases);
        jrpc_json_document_done(&document);
        jrpc_arena_done(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_flaw_is_found_in_its_part_alone),
        cmocka_unit_test(what_is_no_description_is_a_flaw_of_every_part),
        cmocka_unit_test(examples_become_cases_in_each_structure_of_params),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
