// A badge shows the worst of several runs.
#include "tests/unit/report/report_test.h"

#define START "{\"event\":\"start\",\"schema\":2}\n"
#define CASE(id, outcome, more)                                                                    \
    "{\"event\":\"case\",\"id\":\"" id "\",\"outcome\":\"" outcome "\"" more "}\n"
#define BROKEN(rule, level, more)                                                                  \
    CASE("a/" rule, "fail", ",\"findings\":[{\"rule\":\"" rule "\",\"level\":\"" level "\"}]" more)
#define IN_BASELINE ",\"expected\":true"
#define FINISH(conformant) "{\"event\":\"finish\",\"conformant\":" conformant "}\n"
#define PASS CASE("a/pass", "pass", "")
#define SKIP(id) CASE(id, "skip", "")

#define GOOD START PASS FINISH("true")
#define MUST_1 START BROKEN("M-1", "MUST", "") FINISH("false")
#define MUST_2 START BROKEN("M-1", "MUST", "") BROKEN("M-2", "MUST", "") FINISH("false")
#define KNOWN START BROKEN("M-1", "MUST", IN_BASELINE) FINISH("true")
#define SHOULD START BROKEN("S-1", "SHOULD", "") FINISH("false")
#define CRASH START CASE("a/crash", "crash", "") FINISH("false")
#define UNJUDGED START PASS SKIP("a/1") SKIP("a/2") FINISH("true")
#define HALF_JUDGED START PASS SKIP("a/1") FINISH("true")
#define NOTHING START SKIP("a/1") FINISH("false")
#define CUT_SHORT START PASS

static void the_worst_run_is_shown(void **state)
{
    (void)state;
    static const struct {
        const char *stream;
        const char *message; // NULL: no badge
    } table[] = {
        {"", NULL},
        {GOOD, "conformant"},
        {MUST_1, "1 MUST broken"},
        {KNOWN, "1 MUST broken"},
        {SHOULD, "1 SHOULD broken"},
        {CRASH, "not conformant"},
        {UNJUDGED, "mostly not judged"},
        {HALF_JUDGED, "conformant"},
        {NOTHING, "nothing judged"},
        {CUT_SHORT, "run incomplete"},
        // Of two runs.
        {GOOD MUST_1, "1 MUST broken"},
        {MUST_1 GOOD, "1 MUST broken"},
        {MUST_1 MUST_2, "2 MUST broken"},
        {MUST_2 MUST_1, "2 MUST broken"},
        {MUST_2 KNOWN, "2 MUST broken"},
        {KNOWN UNJUDGED, "mostly not judged"},
        {MUST_1 CUT_SHORT, "run incomplete"},
        {CUT_SHORT MUST_2, "run incomplete"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char *svg = rendered("badge", jrpc_slice_str(table[i].stream), (jck_report_options){0});
        char *json =
            rendered("badge-json", jrpc_slice_str(table[i].stream), (jck_report_options){0});
        char member[64];
        char title[64];
        (void)snprintf(member, sizeof member, "\"message\":\"%s\"",
                       table[i].message == NULL ? "" : table[i].message);
        (void)snprintf(title, sizeof title, "<title>JSON-RPC 2.0: %s</title>",
                       table[i].message == NULL ? "" : table[i].message);
        bool right = table[i].message == NULL
                         ? *svg == '\0' && *json == '\0'
                         : strstr(svg, title) != NULL && strstr(json, member) != NULL;
        if (!right) {
            fail_msg("row %zu: expected %s, got %s%s", i, member, json, svg);
        }
        free(svg);
        free(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_worst_run_is_shown)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
