// What the summary shows of a broken rule, where it takes more than a message each way to see it.
#include "tests/unit/report/report_test.h"

#define FINDING(rule, kind, text)                                                                  \
    "{\"rule\":\"" rule "\",\"level\":\"MUST\",\"step\":0,\"text\":\"" text                        \
    "\",\"sentence\":\"S.\",\"expected\":[{\"kind\":\"" kind                                       \
    "\",\"text\":\"{\\\"status\\\":400}\"}],\"came\":\"nothing\"}"
#define FINISH                                                                                     \
    "{\"event\":\"finish\",\"counts\":{},\"judged\":1,\"conformant\":false,\"duration_us\":1}\n"

static void assert_shown(const char *stream, const char *const *wanted, const char *absent)
{
    char *text = rendered("console", jrpc_slice_str(stream), (jck_report_options){.examples = 0});
    for (; *wanted != NULL; wanted++) {
        if (strstr(text, *wanted) == NULL) {
            fail_msg("missing: %s\nin: %s", *wanted, text);
        }
    }
    if (absent != NULL && strstr(text, absent) != NULL) {
        fail_msg("not expected: %s\nin: %s", absent, text);
    }
    free(text);
}

static void where_http_is_wrong_its_answer_is_shown(void **state)
{
    (void)state;
    static const char stream[] =
        "{\"event\":\"case\",\"id\":\"h/delete\",\"title\":\"DELETE is refused\","
        "\"rules\":[\"HT-k\"],\"outcome\":\"fail\",\"findings\":[" FINDING(
            "HT-k", "http",
            "the HTTP answer is {\\\"status\\\":204}") "],\"exchange\":{"
                                                       "\"messages\":[{\"dir\":\"sent\","
                                                       "\"connection\":\"d\",\"step\":0,\"at_us\":"
                                                       "1,\"text\":"
                                                       "\"\"}],\"end\":{\"kind\":\"open\"},"
                                                       "\"isolated\":false},\"duration_us\":1}"
                                                       "\n" FINISH;
    static const char *const wanted[] = {"sent      (no bytes); the case: DELETE is refused\n",
                                         "came      an HTTP response with {\"status\":204}\n",
                                         "expected  an HTTP response with {\"status\":400}\n",
                                         NULL};
    assert_shown(stream, wanted, "no answer");
}

static void an_end_names_the_rules_that_it_breaks_once(void **state)
{
    (void)state;
#define CRASH(id, rule)                                                                            \
    "{\"event\":\"case\",\"id\":\"" id                                                             \
    "\",\"rules\":[],\"outcome\":\"crash\",\"findings\":[" FINDING(                                \
        rule, "alive", "it ended") "],\"duration_us\":1}\n"
    static const char stream[] =
        CRASH("a/1", "SEC-b") CRASH("a/2", "SEC-l") CRASH("a/3", "SEC-b") FINISH;
    static const char *const wanted[] = {
        "CRASH, 3 cases: the server's process ended (breaks SEC-b, SEC-l)\n", NULL};
    assert_shown(stream, wanted, NULL);
}

static void calls_that_only_prove_silence_are_no_part_of_a_sequence(void **state)
{
    (void)state;
#define SENT(role, text) "{\"connection\":\"a\"," role "\"text\":\"" text "\"}"
    static const char stream[] =
        "{\"event\":\"case\",\"id\":\"a/"
        "1\",\"rules\":[\"R\"],\"outcome\":\"fail\",\"findings\":"
        "[" FINDING("R", "nothing", "it fails") "],\"sequence\":[" SENT("", "one") "," SENT(
            "\"role\":\"fence\",", "proof") "," SENT("", "two") "],\"duration_us\":1}"
                                                                "\n" FINISH;
    static const char *const wanted[] = {"sent      one, then two\n", NULL};
    assert_shown(stream, wanted, "proof");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_http_is_wrong_its_answer_is_shown),
        cmocka_unit_test(an_end_names_the_rules_that_it_breaks_once),
        cmocka_unit_test(calls_that_only_prove_silence_are_no_part_of_a_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
