// Headers that repeat parts of each message: which part, and what no header can carry.
#include "harness/link/mirror.h"

#include "harness/suite/target.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct headers {
    char lines[4][96];
    size_t count;
    bool full;
} headers;

static bool take(void *list, const char *line)
{
    headers *all = list;
    if (!all->full) {
        (void)snprintf(all->lines[all->count++], sizeof all->lines[0], "%s", line);
    }
    return !all->full;
}

// The headers for a message of a target that repeats its method, and a name or else a URI in it.
static headers of(const char *message, bool full)
{
    static const jrpc_slice method[] = {JRPC_SLICE_INIT("/method")};
    static const jrpc_slice name[] = {JRPC_SLICE_INIT("/params/name"),
                                      JRPC_SLICE_INIT("/params/uri")};
    static const jck_mirror mirrors[] = {{"Mcp-Method", method, 1}, {"Mcp-Name", name, 2}};
    const jck_target target = {.mirrors = mirrors, .mirror_count = 2};
    headers all = {.full = full};
    assert_int_equal(jck_mirror_headers(&target, jrpc_slice_str(message), take, &all), !full);
    return all;
}

static void the_first_pointer_that_leads_to_a_string_is_repeated(void **state)
{
    (void)state;
    headers all = of("{\"method\":\"m\\u0061\",\"params\":{\"uri\":\"u\",\"name\":\"n\"}}", false);
    assert_int_equal(all.count, 2);
    assert_string_equal(all.lines[0], "Mcp-Method: ma");
    assert_string_equal(all.lines[1], "Mcp-Name: n");
    all = of("{\"method\":\"m\",\"params\":{\"uri\":\"u\",\"name\":1}}", false);
    assert_string_equal(all.lines[1], "Mcp-Name: u");
    assert_int_equal(of("{\"method\":\"m\"}", false).count, 1);
}

static void what_no_header_can_carry_is_left_out(void **state)
{
    (void)state;
    static const char *const messages[] = {
        "{\"method\":\"\"}",      "{\"method\":\" m\"}",      "{\"method\":\"m \"}",
        "{\"method\":\"a\\nb\"}", "{\"method\":\"\\u00e9\"}", "{\"method\":[\"m\"]}",
        "{\"method\":\"m\"",
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        assert_int_equal(of(messages[i], false).count, 0);
    }
    char long_one[JCK_MIRROR_MAX + 32] = "{\"method\":\"";
    size_t begin = strlen(long_one);
    memset(long_one + begin, 'm', JCK_MIRROR_MAX + 1);
    memcpy(long_one + begin + JCK_MIRROR_MAX + 1, "\"}", 3);
    assert_int_equal(of(long_one, false).count, 0);
}

static void the_taker_can_refuse(void **state)
{
    (void)state;
    assert_int_equal(of("{\"method\":\"m\"}", true).count, 0);
    const jck_target plain = {.mirror_count = 0};
    headers all = {.full = true};
    assert_true(jck_mirror_headers(&plain, JRPC_SLICE("{\"method\":\"m\"}"), take, &all));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_pointer_that_leads_to_a_string_is_repeated),
        cmocka_unit_test(what_no_header_can_carry_is_left_out),
        cmocka_unit_test(the_taker_can_refuse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
