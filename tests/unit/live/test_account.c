// Answers find their messages, in whatever order they come, and what is wrong with them shows.
#include "harness/live/account.h"

#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define CALL(id) "{\"jsonrpc\":\"2.0\",\"method\":\"nobody\",\"id\":" id "}"
#define NOTE "{\"jsonrpc\":\"2.0\",\"method\":\"nobody\"}"
#define INVALID(id) "{\"jsonrpc\":\"2.0\",\"method\":1,\"id\":" id "}"
#define SUM "{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"params\":[1,2],\"id\":5}"
#define ERROR(code, id)                                                                            \
    "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":" code ",\"message\":\"m\"},\"id\":" id "}"
#define RESULT(value, id) "{\"jsonrpc\":\"2.0\",\"result\":" value ",\"id\":" id "}"

#define TEN "iiiiiiiiii"
#define LONG TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN
#define MOST 6

typedef struct row {
    const char *name;
    const char *sent[MOST];
    const char *came[MOST];
    const char *symptoms; // a letter a message: - none, w wrong, m missing, x extra
    size_t extras;
} row;

static const row rows[] = {
    {"a call is answered", {CALL("1")}, {ERROR("-32601", "1")}, "-", 0},
    {"calls are answered in any order",
     {CALL("1"), CALL("\"b\"")},
     {ERROR("-32601", "\"b\""), ERROR("-32601", "1.0")},
     "--",
     0},
    {"an answer is missing", {CALL("1"), CALL("2")}, {ERROR("-32601", "2")}, "m-", 0},
    {"another code is wrong", {CALL("1")}, {ERROR("-32600", "1")}, "w", 0},
    {"a result is wrong where there is no method", {CALL("1")}, {RESULT("1", "1")}, "w", 0},
    {"an id of another type belongs to nobody", {CALL("1")}, {ERROR("-32601", "\"1\"")}, "m", 1},
    {"an id that a double does not keep may come back as the double",
     {CALL("1.10027167694050220501"), CALL("1e400"), CALL("7")},
     {ERROR("-32601", "7"), ERROR("-32601", "1.100271676940502"), ERROR("-32601", "1e308")},
     "---",
     0},
    {"… but not as another number",
     {CALL("1.10027167694050220501")},
     {ERROR("-32601", "1.2")},
     "m",
     1},
    {"an id that is cut off is wrong",
     {CALL("\"abcdefghij\"")},
     {ERROR("-32601", "\"abcdefgh\"")},
     "w",
     0},
    {"… also if another answer could be that of the message, since it is long",
     {CALL("\"" LONG "\""), "{}"},
     {ERROR("-32601", "\"iiiiiiii\""), ERROR("-32600", "null")},
     "w-",
     0},
    {"another id is not a beginning",
     {CALL("\"abcdefghij\"")},
     {ERROR("-32601", "\"abcdefgj\"")},
     "m",
     1},
    {"one that a double keeps comes back as it is",
     {CALL("1.5")},
     {ERROR("-32601", "1.50000000001")},
     "m",
     1},
    {"a lone surrogate may come back as something else",
     {CALL("\"a\\ud800\"")},
     {ERROR("-32601", "\"a?\"")},
     "-",
     0},
    {"a member that the specification does not name may be refused",
     {"{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"params\":[1],\"extra\":1,\"id\":1}"},
     {ERROR("-32600", "1")},
     "-",
     0},
    {"… but not taken for an unknown method",
     {"{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"params\":[1],\"extra\":1,\"id\":1}"},
     {ERROR("-32601", "1")},
     "w",
     0},
    {"an empty Array is for the batch of notifications, not for a batch of calls",
     {"[" CALL("1") "]", "[" NOTE "]", "[" CALL("2") "]"},
     {"[" ERROR("-32601", "1") "]", "[]", "[" ERROR("-32601", "2") "]"},
     "-x-",
     0},
    {"… whichever is answered first",
     {"[" NOTE "]", "[" CALL("1") "]"},
     {"[]", "[" ERROR("-32601", "1") "]"},
     "x-",
     0},
    {"a notification is not answered", {NOTE}, {ERROR("-32601", "null")}, "-", 1},
    {"silence is right for a notification", {NOTE}, {NULL}, "-", 0},
    {"a member too many is looked at",
     {CALL("1")},
     {"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601,\"message\":\"m\"},\"id\":1,\"x\":1}"},
     "w",
     0},
    {"an error without a message is looked at",
     {CALL("1")},
     {"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32601},\"id\":1}"},
     "w",
     0},
    {"two answers to one call", {CALL("1")}, {ERROR("-32601", "1"), ERROR("-32601", "1")}, "-", 1},
    {"an invalid message is refused with its id or with null",
     {INVALID("1"), INVALID("2")},
     {ERROR("-32600", "null"), ERROR("-32600", "2")},
     "--",
     0},
    {"answers with null go where they are needed",
     {INVALID("1"), "1", "[]"},
     {ERROR("-32600", "null"), ERROR("-32700", "null"), ERROR("-32600", "null")},
     "---",
     0},
    {"one with null that fits nobody is wrong for the one that waits",
     {"[]"},
     {ERROR("-32603", "null")},
     "w",
     0},
    {"an invalid message without an id may be passed over",
     {"{}", "[]"},
     {ERROR("-32600", "null")},
     "--",
     0},
    {"a message that allows any answer does not tell how far the target has come",
     {"{\"jsonrpc\":\"2.0\",\"method\":1,\"method\":2,\"id\":\"q\"}", "[]",
      "{\"jsonrpc\":\"2.0\",\"error\":1,\"id\":1e400}", "{}", RESULT("1", "7")},
     {ERROR("-32600", "\"q\""), ERROR("-32600", "null"), ERROR("-32600", "null")},
     "-----",
     0},
    {"nor does a batch whose answer may be that of such a message",
     {"[" RESULT("1", "7") "]", CALL("null"), "[1]", RESULT("1", "8")},
     {"[" ERROR("-32600", "null") "]", ERROR("-32601", "null"), "[" ERROR("-32600", "null") "]"},
     "----",
     0},
    {"an answer with the id of an unclear message is not taken for one whose id was changed",
     {"{\"jsonrpc\":\"2.0\",\"method\":1,\"method\":2,\"id\":\"q\"}", "[]", CALL("\"a\\ud800\""),
      "{}", RESULT("1", "7")},
     {ERROR("-32600", "\"q\""), ERROR("-32600", "null"), ERROR("-32601", "\"a\\ud800\""),
      ERROR("-32600", "null")},
     "-----",
     0},
    {"the result of a known method is looked at", {SUM}, {RESULT("3", "5")}, "-", 0},
    {"… and another one is wrong", {SUM}, {RESULT("4", "5")}, "w", 0},
    {"its params may be refused", {SUM}, {ERROR("-32602", "5")}, "-", 0},
    {"… but nothing goes wrong inside where the result is known",
     {SUM},
     {ERROR("-32603", "5")},
     "w",
     0},
    {"… nor is the call taken for an invalid Request", {SUM}, {ERROR("-32600", "5")}, "w", 0},
    {"… unless its params may not fit",
     {"{\"jsonrpc\":\"2.0\",\"method\":\"sum\",\"params\":{\"a\":1},\"id\":5}"},
     {ERROR("-32600", "5")},
     "-",
     0},
    {"a Request that is also a Response may be taken for either",
     {"{\"jsonrpc\":\"2.0\",\"method\":\"nobody\",\"result\":1,\"id\":5}"},
     {NULL},
     "-",
     0},
    {"a known method is not run under a name that is near its own",
     {"{\"jsonrpc\":\"2.0\",\"method\":\"sum\\u0000x\",\"params\":[1,2],\"id\":5}"},
     {RESULT("3", "5")},
     "w",
     0},
    {"… but another one may have it",
     {"{\"jsonrpc\":\"2.0\",\"method\":\" sum\",\"params\":[1,2],\"id\":5}"},
     {RESULT("\"space\"", "5")},
     "-",
     0},
    {"a member whose name differs in case may be taken for the real one",
     {"{\"jsonrpc\":\"2.0\",\"method\":\"nobody\",\"ID\":5}"},
     {ERROR("-32601", "5")},
     "-",
     0},
    {"of two calls with one id in a batch both are answered",
     {"[" CALL("1") "," CALL("1") "]"},
     {"[" ERROR("-32601", "1") "," ERROR("-32601", "1") "]"},
     "-",
     0},
    {"… and one answer is too few",
     {"[" CALL("1") "," CALL("1") "]"},
     {"[" ERROR("-32601", "1") "]"},
     "w",
     0},
    {"a batch is answered in any order",
     {"[" CALL("1") "," NOTE ",7," CALL("2") "]"},
     {"[" ERROR("-32601", "2") "," ERROR("-32600", "null") "," ERROR("-32601", "1") "]"},
     "-",
     0},
    {"… also where an invalid element may be answered with null",
     {"[" INVALID("1") ",7]"},
     {"[" ERROR("-32600", "null") "," ERROR("-32600", "1") "]"},
     "-",
     0},
    {"a target that answers in any order does so without ids too",
     {CALL("1"), "{}", CALL("2"), "[]", CALL("3")},
     {ERROR("-32601", "3"), ERROR("-32600", "null"), ERROR("-32601", "2"), ERROR("-32601", "1")},
     "-----",
     0},
    {"an element is missing",
     {"[" CALL("1") "," CALL("2") "]"},
     {"[" ERROR("-32601", "1") "]"},
     "w",
     0},
    {"an element is there twice",
     {"[" CALL("1") "," CALL("2") "]"},
     {"[" ERROR("-32601", "1") "," ERROR("-32601", "1") "]"},
     "w",
     0},
    {"what is not JSON is an answer to nobody", {CALL("1")}, {"{"}, "w", 0},
    {"a batch with two calls of one id may be refused as a whole",
     {"[" CALL("1") "," CALL("1") "]", "[" CALL("2") "]"},
     {ERROR("-32600", "null"), "[" ERROR("-32601", "2") "]"},
     "--",
     0},
    {"… but not another one", {"[" CALL("1") "," CALL("2") "]"}, {ERROR("-32600", "null")}, "w", 0},
    {"one without its answer does not borrow that of another one",
     {"[" CALL("1") "," CALL("1") "]", "[]", CALL("2")},
     {ERROR("-32600", "null"), ERROR("-32601", "2")},
     "m--",
     0},
    {"… nor one that came before its turn",
     {"{}", CALL("7"), "[" CALL("1") "," CALL("1") "]", CALL("2")},
     {ERROR("-32600", "null"), ERROR("-32601", "7"), ERROR("-32601", "2")},
     "--m-",
     0},
    {"in its turn, a refusal is for the one that waits",
     {"{}", CALL("7"), "[" CALL("1") "," CALL("1") "]", CALL("2")},
     {ERROR("-32601", "7"), ERROR("-32600", "null"), ERROR("-32601", "2")},
     "----",
     0},
    {"beside what anything may answer, an answer that is wrong is one all the same",
     {"[1,]", CALL("1"), "[" CALL("2") "," CALL("3") "]"},
     {ERROR("-32603", "1"), "[" ERROR("-32601", "2") "]"},
     "---",
     0},
    {"beside what anything may answer, nothing wrong is believed",
     {"[1,]", CALL("1")},
     {ERROR("-32603", "1"), ERROR("-32601", "1")},
     "--",
     0},
    {"… but what is not JSON answers nothing", {"[1,]", NOTE}, {"[NaN]"}, "w-", 0},
    {"… and is one answer too many where all have theirs",
     {"[1,]", CALL("1")},
     {ERROR("-32700", "null"), ERROR("-32601", "1"), "{"},
     "--",
     1},
};

static char letter_of(jck_symptom symptom)
{
    return symptom == JCK_SYMPTOM_NONE    ? '-'
           : symptom == JCK_SYMPTOM_WRONG ? 'w'
           : symptom == JCK_SYMPTOM_EXTRA ? 'x'
                                          : 'm';
}

static void test_answers_find_their_messages(void **state)
{
    (void)state;
    static const jck_mapping sum = {
        .capability = {"sum", 3}, .method = {"\"sum\"", 5}, .by_position = true};
    static const jck_target target = {.mappings = &sum, .mapping_count = 1};
    static const jck_calibration calibration = {.absent_answers = true};
    static const jck_due_context context = {&target, &calibration, {"\"nobody\"", 8}, NULL};
    static jck_account account;
    static jck_sent sent[MOST];
    jrpc_json_document answer;
    jrpc_json_document_init(&answer, jrpc_allocator_heap());
    jck_account_init(&account, &context);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t count = 0;
        for (; count < MOST && rows[i].sent[count] != NULL; count++) {
            jrpc_json_document_done(&sent[count].document);
            jrpc_json_document_init(&sent[count].document, jrpc_allocator_heap());
            sent[count].connection = 'a';
            sent[count].bytes = jrpc_slice_str(rows[i].sent[count]);
            sent[count].due = jck_due_for(&context, sent[count].bytes, &sent[count].document);
        }
        jck_account_begin(&account, sent, count);
        for (size_t k = 0; k < MOST && rows[i].came[k] != NULL; k++) {
            bool read = jrpc_json_read(&answer, jrpc_slice_str(rows[i].came[k]), 100, NULL);
            jck_account_hear(&account, 'a', read ? jrpc_json_root(&answer) : JRPC_JSON_ABSENT,
                             !read);
        }
        (void)jck_account_close(&account);
        for (size_t k = 0; k < count; k++) {
            if (letter_of(sent[k].symptom) != rows[i].symptoms[k]) {
                fail_msg("%s: message %zu is %s", rows[i].name, k,
                         jck_symptom_name(sent[k].symptom));
            }
        }
        if (account.extras != rows[i].extras) {
            fail_msg("%s: %zu extra", rows[i].name, account.extras);
        }
    }
    for (size_t i = 0; i < MOST; i++) {
        jrpc_json_document_done(&sent[i].document);
    }
    jck_account_done(&account);
    jrpc_json_document_done(&answer);
}

// The behaviour of the second of two calls whose answers come after so much time.
static uint64_t behaviour_after(unsigned magnitude)
{
    static const jck_target target = {.mapping_count = 0};
    static const jck_calibration calibration = {.absent_answers = true};
    static const jck_due_context context = {&target, &calibration, {"\"nobody\"", 8}, NULL};
    static const char *const answers[] = {ERROR("-32601", "1"), ERROR("-32601", "2")};
    static jck_account account;
    jck_sent sent[2] = {{.connection = 'a', .bytes = JRPC_SLICE(CALL("1"))},
                        {.connection = 'a', .bytes = JRPC_SLICE(CALL("2"))}};
    jrpc_json_document answer;
    jrpc_json_document_init(&answer, jrpc_allocator_heap());
    jck_account_init(&account, &context);
    for (size_t i = 0; i < 2; i++) {
        jrpc_json_document_init(&sent[i].document, jrpc_allocator_heap());
        sent[i].due = jck_due_for(&context, sent[i].bytes, &sent[i].document);
    }
    jck_account_begin(&account, sent, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(jrpc_json_read(&answer, jrpc_slice_str(answers[i]), 100, NULL));
        jck_account_hear(&account, 'a', jrpc_json_root(&answer), false);
        jck_account_note_last(&account, i == 0 ? 0 : magnitude);
    }
    assert_int_equal(jck_account_close(&account), 0);
    jck_account_done(&account);
    jrpc_json_document_done(&answer);
    for (size_t i = 0; i < 2; i++) {
        jrpc_json_document_done(&sent[i].document);
    }
    return sent[1].behaviour;
}

static void test_an_answer_that_takes_seconds_is_another_behaviour(void **state)
{
    (void)state;
    assert_true(behaviour_after(0) == behaviour_after(0));
    assert_true(behaviour_after(0) != behaviour_after(1));
    assert_true(behaviour_after(1) != behaviour_after(2));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers_find_their_messages),
        cmocka_unit_test(test_an_answer_that_takes_seconds_is_another_behaviour),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
