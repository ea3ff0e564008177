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

// A case whose finding expects what `expected` lists, with an HTTP status and what came.
#define EXPECTING(expected, text, more)                                                            \
    "{\"event\":\"case\",\"id\":\"a/1\",\"title\":\"T\",\"rules\":[\"R\"],\"outcome\":\"fail\","   \
    "\"findings\":[{\"rule\":\"R\",\"level\":\"MUST\",\"step\":0,\"text\":\"" text                 \
    "\",\"sentence\":\"S.\",\"expected\":[" expected "]}],\"exchange\":{\"messages\":["            \
    "{\"dir\":\"sent\",\"connection\":\"a\",\"step\":0,\"at_us\":1,\"text\":\"1\"},"               \
    "{\"dir\":\"received\",\"connection\":\"a\",\"step\":0,\"at_us\":2,\"text\":\"2\"}],"          \
    "\"end\":{\"kind\":\"open\"}" more "},\"duration_us\":1}\n" FINISH
#define ONE(kind, text) "{\"kind\":\"" kind "\",\"text\":\"" text "\"}"

static void what_was_expected_is_shown_with_the_number_of_others(void **state)
{
    (void)state;
    static const struct {
        const char *stream;
        const char *wanted[3];
        const char *absent;
    } table[] = {
        {EXPECTING(ONE("response", "x"), "it differs", ""), {"expected  x\n", NULL}, NULL},
        {EXPECTING(ONE("message", "x"), "it differs", ""), {"expected  x\n", NULL}, "more"},
        {EXPECTING(ONE("message", "x") "," ONE("message", "y"), "it differs", ""),
         {"expected  x, and 1 more message\n", NULL},
         NULL},
        {EXPECTING(ONE("message", "x") "," ONE("message", "y") "," ONE("message", "z"), "it", ""),
         {"expected  x, and 2 more messages\n", NULL},
         NULL},
        {EXPECTING(ONE("response", "x") "," ONE("nothing", ""), "it differs", ""),
         {"expected  x, or no answer\n", NULL},
         NULL},
        {EXPECTING(ONE("response", "x") "," ONE("response", "y"), "it differs", ""),
         {"expected  x, or one other answer (see jrpcheck explain)\n", NULL},
         NULL},
        {EXPECTING(ONE("response", "x") "," ONE("response", "y") "," ONE("nothing", ""), "it", ""),
         {"expected  x, or one of 2 other answers (see jrpcheck explain)\n", NULL},
         NULL},
        // If HTTP is wrong, the HTTP answer is shown if the finding quotes it; otherwise the
        // message.
        {EXPECTING(ONE("http", "x"), "the HTTP answer is y", ""),
         {"came      an HTTP response with y\n", NULL},
         NULL},
        {EXPECTING(ONE("http", "x"), "the request got no HTTP answer", ""),
         {"came      2\n", NULL},
         "an HTTP response with the request"},
        // A status other than 200 is shown beside the message.
        {EXPECTING(ONE("response", "x"), "it differs", ",\"http\":{\"status\":500}"),
         {"came      2 (HTTP status 500)\n", NULL},
         NULL},
        {EXPECTING(ONE("response", "x"), "it differs", ",\"http\":{\"status\":200}"),
         {"came      2\n", NULL},
         "HTTP status"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        assert_shown(table[i].stream, table[i].wanted, table[i].absent);
    }
}

static void of_several_messages_the_one_of_the_step_is_shown(void **state)
{
    (void)state;
#define MESSAGE(dir, step, text)                                                                   \
    "{\"dir\":\"" dir "\",\"connection\":\"a\",\"step\":" step ",\"at_us\":1,\"text\":\"" text "\"}"
#define AT_STEP(step, messages)                                                                    \
    "{\"event\":\"case\",\"id\":\"a/1\",\"rules\":[\"R\"],\"outcome\":\"fail\",\"findings\":[{"    \
    "\"rule\":\"R\",\"level\":\"MUST\",\"step\":" step                                             \
    ",\"text\":\"it differs\",\"sentence\":\"S.\"}"                                                \
    "],\"exchange\":{\"messages\":[" messages                                                      \
    "],\"end\":{\"kind\":\"open\"}},\"duration_us\":1}\n" FINISH
    static const char stream[] = AT_STEP(
        "1", MESSAGE("sent", "0", "one") "," MESSAGE("received", "0", "ONE") "," MESSAGE(
                 "sent", "1", "two") "," MESSAGE("received", "1",
                                                 "TWO") "," MESSAGE("received", "1",
                                                                    "MORE") "," MESSAGE("sent", "2",
                                                                                        "three"));
    static const char *const wanted[] = {"sent      two (one of 3 messages)\n",
                                         "came      TWO (first of 3 messages)\n", NULL};
    assert_shown(stream, wanted, NULL);
    // If the step sent nothing, what was sent next is shown.
    static const char late[] =
        AT_STEP("0", MESSAGE("sent", "1", "one") "," MESSAGE("sent", "2", "two"));
    static const char *const first[] = {"sent      one (one of 2 messages)\n", NULL};
    assert_shown(late, first, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_http_is_wrong_its_answer_is_shown),
        cmocka_unit_test(an_end_names_the_rules_that_it_breaks_once),
        cmocka_unit_test(calls_that_only_prove_silence_are_no_part_of_a_sequence),
        cmocka_unit_test(what_was_expected_is_shown_with_the_number_of_others),
        cmocka_unit_test(of_several_messages_the_one_of_the_step_is_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
