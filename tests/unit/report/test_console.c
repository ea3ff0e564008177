// What the console shows and leaves out, by its options.
#include "tests/unit/report/report_test.h"

#define START "{\"event\":\"start\",\"schema\":2,\"target\":{\"name\":\"t\"}}\n"
#define AGAINST                                                                                    \
    "{\"event\":\"start\",\"schema\":2,\"target\":{\"name\":\"t\"},\"against\":{\"name\":"         \
    "\"other\"}}\n"
#define FINISH                                                                                     \
    "{\"event\":\"finish\",\"counts\":{},\"judged\":1,\"conformant\":false,\"duration_us\":1}\n"
#define FINDING(rule, level, more)                                                                 \
    "{\"rule\":\"" rule "\",\"level\":\"" level "\",\"step\":0,\"text\":\"it says " rule "\"" more \
    "}"
#define CASE(id, outcome, more)                                                                    \
    "{\"event\":\"case\",\"id\":\"" id "\",\"rules\":[\"A-1\"],\"outcome\":\"" outcome             \
    "\",\"duration_us\":1" more "}\n"
#define FINDINGS(findings) ",\"findings\":[" findings "]"

// The parts of a report that must be there, and those that must not.
typedef struct shown {
    const char *stream;
    jck_report_options options;
    const char *wanted[4];
    const char *absent[4];
} shown;

static void assert_shown(const shown *of, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *text = rendered("console", jrpc_slice_str(of[i].stream), of[i].options);
        for (size_t k = 0; of[i].wanted[k] != NULL; k++) {
            if (strstr(text, of[i].wanted[k]) == NULL) {
                fail_msg("row %zu lacks %s\nin: %s", i, of[i].wanted[k], text);
            }
        }
        for (size_t k = 0; of[i].absent[k] != NULL; k++) {
            if (strstr(text, of[i].absent[k]) != NULL) {
                fail_msg("row %zu has %s\nin: %s", i, of[i].absent[k], text);
            }
        }
        free(text);
    }
}

#define ASSERT_SHOWN(table) assert_shown(table, sizeof(table) / sizeof *(table))

static void a_comparison_shows_every_case_unless_it_is_quiet(void **state)
{
    (void)state;
#define PASSED CASE("a/pass", "pass", ",\"observed\":{\"digits\":\"kept\"}")
    static const shown table[] = {
        {AGAINST PASSED FINISH, {0}, {"PASS", "Compared with other\n", "digits = kept"}, {NULL}},
        {AGAINST PASSED FINISH, {.quiet = true}, {NULL}, {"PASS"}},
        {START PASSED FINISH, {0}, {"Recorded: 1 choice"}, {"PASS", "Compared", "digits = kept"}},
        {START PASSED FINISH, {.verbose = 1}, {"digits = kept (1)"}, {"PASS", "Compared"}},
        {START PASSED FINISH, {.verbose = 2}, {"PASS", "digits = kept (1)"}, {"Compared"}},
    };
    ASSERT_SHOWN(table);
}

static void what_only_repeats_is_named_in_a_line_unless_the_target_broke(void **state)
{
    (void)state;
#define REPEATED FINDING("A-1", "MUST", ",\"known\":true,\"repeats\":true")
#define KNOWN FINDING("A-2", "MUST", ",\"known\":true")
#define OPEN FINDING("A-3", "OBSERVE", "")
#define NEW FINDING("A-4", "MUST", "")
    static const shown table[] = {
        {START CASE("a/again", "fail", FINDINGS(REPEATED "," KNOWN "," OPEN)) FINISH,
         {.verbose = 1},
         {"FAIL    a/again  A-1 again\n"},
         {NULL}},
        {START CASE("a/new", "fail", FINDINGS(REPEATED "," NEW)) FINISH,
         {.verbose = 1},
         {"it says A-4"},
         {" again\n"}},
        {START CASE("a/known", "fail", FINDINGS(KNOWN)) FINISH,
         {.verbose = 1},
         {"FAIL    a/known"},
         {" again\n"}},
        {START CASE("a/crash", "crash", FINDINGS(REPEATED)) FINISH,
         {.verbose = 1},
         {"CRASH   a/crash"},
         {" again\n"}},
        {START CASE("a/all", "fail", FINDINGS(REPEATED)) FINISH,
         {.verbose = 2},
         {"FAIL    a/all", "it says A-1"},
         {" again\n"}},
    };
    ASSERT_SHOWN(table);
}

static void a_warning_has_a_line_for_each_finding_that_counts(void **state)
{
    (void)state;
#define SHOULD FINDING("A-5", "SHOULD", "")
    static const shown table[] = {
        {START CASE("a/warn", "warn", FINDINGS(KNOWN "," OPEN "," SHOULD)) FINISH,
         {.verbose = 1},
         {"WARN    a/warn  A-5: it says A-5\n"},
         {"it says A-2", "it says A-3"}},
        {START CASE("a/ended", "ended",
                    ",\"exchange\":{\"messages\":[],\"end\":{\"kind\":\"exited\","
                    "\"status\":0}}") FINISH,
         {.verbose = 1},
         {"ENDED   a/ended  the target exited with status 0\n"},
         {NULL}},
        {START CASE("a/warn", "warn", FINDINGS(SHOULD) ",\"expected\":true") FINISH,
         {.verbose = 1},
         {NULL},
         {"WARN  "}},
    };
    ASSERT_SHOWN(table);
}

static void messages_of_no_case_are_shown_with_everything_if_they_have_bytes(void **state)
{
    (void)state;
#define SENT(role, text)                                                                           \
    "{\"dir\":\"sent\",\"connection\":\"a\"," role "\"step\":0,\"at_us\":1,\"text\":\"" text "\"}"
#define EXCHANGE                                                                                   \
    ",\"exchange\":{\"messages\":[" SENT("", "of the case") "," SENT(                              \
        "\"role\":\"fence\",", "of a fence") "," SENT("\"role\":\"fence\",",                       \
                                                      "") "],\"end\":{\"kind\":\"open\"}}"
    static const shown table[] = {
        {START CASE("a/fail", "fail", FINDINGS(NEW) EXCHANGE) FINISH,
         {.verbose = 2},
         {"→ of the case\n", "→ of a fence  ("},
         {"→ \n"}},
        {START CASE("a/fail", "fail", FINDINGS(NEW) EXCHANGE) FINISH,
         {.verbose = 1},
         {"→ of the case\n"},
         {"of a fence"}},
    };
    ASSERT_SHOWN(table);
}

// A method of that name was seen: the option that unlocks the case says so.
static void a_method_that_was_seen_is_listed_below_what_lacks_it(void **state)
{
    (void)state;
#define LACKS(id, name, unlock, reason)                                                            \
    CASE(id, "skip",                                                                               \
         ",\"reason\":\"" reason "\",\"reason_code\":\"no-method\",\"capability\":\"" name         \
         "\",\"unlock\":\"" unlock "\"")
    static const shown table[] = {
        {START LACKS("a/1", "subtract", "--method subtract=subtract", "subtract was seen") FINISH,
         {0},
         {"    subtract was seen\n"},
         {NULL}},
        {START LACKS("a/1", "subtract", "--method subtract=NAME", "no such method") FINISH,
         {0},
         {"1 needs a method"},
         {"no such method"}},
        {START LACKS("a/1", "subtract", "--method subtract", "no such method") FINISH,
         {0},
         {"1 needs a method"},
         {"no such method"}},
        {START LACKS("a/1", "subtract", "=subtrace", "no such method") FINISH,
         {0},
         {"1 needs a method"},
         {"no such method"}},
        {START LACKS("a/1", "subtract", "subtract", "no such method") FINISH,
         {0},
         {"1 needs a method"},
         {"no such method"}},
        {START LACKS("a/1", "", "=", "no such method") FINISH, {0}, {NULL}, {"no such method"}},
        // At most four are listed.
        {START LACKS("a/1", "a", "--method a=a", "a is there")
             LACKS("a/2", "b", "--method b=b", "b is there")
                 LACKS("a/3", "c", "--method c=c", "c is there")
                     LACKS("a/4", "d", "--method d=d", "d is there")
                         LACKS("a/5", "e", "--method e=e", "e is there") FINISH,
         {0},
         {"a is there", "d is there"},
         {"e is there"}},
    };
    ASSERT_SHOWN(table);
}

static void eight_rules_that_block_cases_are_named_unless_more_is_asked_for(void **state)
{
    (void)state;
#define BLOCKED(rule) CASE("b/" rule, "blocked", ",\"blocked_by\":\"B-" rule "\"")
#define EIGHT                                                                                      \
    BLOCKED("1")                                                                                   \
    BLOCKED("2") BLOCKED("3") BLOCKED("4") BLOCKED("5") BLOCKED("6") BLOCKED("7") BLOCKED("8")
    static const shown table[] = {
        {START EIGHT FINISH, {0}, {"B-1 1, B-2 1", "B-8 1\n"}, {", …"}},
        {START EIGHT BLOCKED("9") FINISH, {0}, {"B-8 1, …\n"}, {"B-9"}},
        {START EIGHT BLOCKED("9") FINISH, {.verbose = 1}, {"B-8 1, B-9 1\n"}, {", …"}},
    };
    ASSERT_SHOWN(table);
}

static void the_place_of_the_whole_report_is_named_where_there_is_more_to_see(void **state)
{
    (void)state;
    static const shown table[] = {
        {START PASSED FINISH, {0}, {"The whole report: add --report html"}, {NULL}},
        {START PASSED FINISH, {.elsewhere = "all.html"}, {"The whole report: all.html\n"}, {NULL}},
        {START PASSED FINISH, {.elsewhere = ""}, {NULL}, {"The whole report"}},
        {START FINISH, {.elsewhere = "all.html"}, {NULL}, {"The whole report"}},
    };
    ASSERT_SHOWN(table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_comparison_shows_every_case_unless_it_is_quiet),
        cmocka_unit_test(what_only_repeats_is_named_in_a_line_unless_the_target_broke),
        cmocka_unit_test(a_warning_has_a_line_for_each_finding_that_counts),
        cmocka_unit_test(messages_of_no_case_are_shown_with_everything_if_they_have_bytes),
        cmocka_unit_test(a_method_that_was_seen_is_listed_below_what_lacks_it),
        cmocka_unit_test(eight_rules_that_block_cases_are_named_unless_more_is_asked_for),
        cmocka_unit_test(the_place_of_the_whole_report_is_named_where_there_is_more_to_see),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
