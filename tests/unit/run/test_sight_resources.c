// What a result of rpc.describe names, in whatever shape it does.
#include "harness/run/sight_resources.h"

#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static const struct {
    const char *described;
    const char *resource;
    bool named;
} rows[] = {
    {"{\"resources\":{\"user\":{\"verbs\":[\"get\"]}}}", "user", true},
    {"{\"resources\":{\"user\":{}}}", "job", false},
    {"{\"resources\":{\"repo\":{\"subresources\":{\"issue\":{}}}}}", "repo/issue", true},
    {"{\"resources\":{\"repo\":{\"subresources\":[\"issue\"]}}}", "repo/issue", true},
    {"{\"resources\":{\"repo\":{\"issue\":{\"verbs\":[]}}}}", "repo/issue", true},
    {"{\"resources\":{\"repo\":{\"verbs\":[\"issue\"]}}}", "repo/issue", false},
    {"{\"resources\":{\"repo\":{},\"issue\":{}}}", "repo/issue", false},
    {"{\"resources\":{\"repo.issue\":{}}}", "repo/issue", true},
    {"{\"resources\":{\"repo.issue\":{}}}", "repo", false},
    {"{\"resources\":[\"user\",\"repo/issue\"]}", "repo/issue", true},
    {"{\"resources\":[{\"name\":\"user\"},{\"resource\":\"job\"}]}", "job", true},
    {"[{\"name\":\"repo\",\"subresources\":[{\"name\":\"issue\"}]}]", "repo/issue", true},
    {"{\"user\":{\"verbs\":[]}}", "user", true},
    {"{\"resources\":\"user\"}", "user", false},
    {"{\"resources\":null}", "user", false},
    {"\"user\"", "user", false},
    {"null", "repo/issue", false},
    {"[]", "user", false},
    {"{\"resources\":{\"repo\":\"issue\"}}", "repo/issue", false},
};

static void names_are_found_in_every_usual_shape_and_nowhere_else(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        assert_true(jrpc_json_read(&document, jrpc_slice_str(rows[i].described), 16, NULL));
        if (jck_describes_resource(jrpc_json_root(&document), jrpc_slice_str(rows[i].resource)) !=
            rows[i].named) {
            fail_msg("%s in %s", rows[i].resource, rows[i].described);
        }
        jrpc_json_document_done(&document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_in_every_usual_shape_and_nowhere_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
