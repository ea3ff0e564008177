// Writing cases: what is written is read back as the same case, for every case there is.
#include "harness/suite/write_case.h"

#include "harness/suite/parse.h"
#include "harness/suite/suite.h"
#include "reference/json/equal.h"
#include "reference/json/write.h"

#include "tests/unit/suite/folder.h"

#include <fcntl.h>

#define WRITTEN_BYTES ((size_t)16 << 20)

typedef struct copy {
    folder files;
    jrpc_buffer text; // of the case file
    jck_suite *suite; // loaded from it
} copy;

// Writes cases into a folder that has the project's rules, and loads that.
static void make_copy(copy *c, jrpc_slice suite, const jck_case *cases, size_t count)
{
    char root[256];
    char rules[300];
    char path[256];
    char name[128];
    jrpc_error error = {0};
    folder_make(&c->files);
    assert_non_null(getcwd(root, sizeof root)); // the tests run in the root of the project
    (void)snprintf(rules, sizeof rules, "%s/cases/rules", root);
    assert_int_equal(symlink(rules, folder_path(&c->files, "rules", path)), 0);
    folder_remember(&c->files, "rules");
    (void)snprintf(name, sizeof name, "%.*s", (int)suite.len, suite.ptr);
    folder_add(&c->files, name);
    const jck_case_heading heading = {suite, JRPC_SLICE("0"), JRPC_SLICE("written again")};
    jrpc_buffer_init(&c->text, jrpc_allocator_heap(), WRITTEN_BYTES);
    assert_true(jck_case_write_file(&c->text, &heading, cases, count));
    (void)snprintf(name, sizeof name, "%.*s/01.json", (int)suite.len, suite.ptr);
    folder_write(&c->files, name, jrpc_buffer_slice(&c->text));
    c->suite = jck_suite_load(c->files.path, NULL, NULL, &error);
    assert_string_equal(error.message, "");
    assert_non_null(c->suite);
    assert_int_equal(jck_suite_case_count(c->suite), count);
}

static void drop_copy(copy *c)
{
    jck_suite_free(c->suite);
    jrpc_buffer_done(&c->text);
    folder_remove(&c->files);
}

static void same(jrpc_slice a, jrpc_slice b)
{
    assert_int_equal(a.len, b.len);
    assert_true(a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static void same_words(const jrpc_slice *a, size_t a_count, const jrpc_slice *b, size_t b_count)
{
    assert_int_equal(a_count, b_count);
    for (size_t i = 0; i < a_count; i++) {
        same(a[i], b[i]);
    }
}

static void same_text(const char *a, const char *b)
{
    assert_true((a == NULL) == (b == NULL));
    if (a != NULL) {
        assert_string_equal(a, b);
    }
}

// The same value, token by token as it is spelled.
static void same_json(jrpc_json a, jrpc_json b)
{
    jrpc_buffer one;
    jrpc_buffer other;
    jrpc_buffer_init(&one, jrpc_allocator_heap(), WRITTEN_BYTES);
    jrpc_buffer_init(&other, jrpc_allocator_heap(), WRITTEN_BYTES);
    assert_int_equal(jrpc_json_exists(a), jrpc_json_exists(b));
    assert_true(jrpc_json_compact(&one, a) && jrpc_json_compact(&other, b));
    same(jrpc_buffer_slice(&one), jrpc_buffer_slice(&other));
    jrpc_buffer_done(&one);
    jrpc_buffer_done(&other);
}

static void same_payload(const jck_payload *a, const jck_payload *b)
{
    assert_int_equal(a->kind, b->kind);
    if (a->kind == JCK_PAYLOAD_JSON) {
        same_json(a->json, b->json);
    }
    same(a->text, b->text);
    same(a->prefix, b->prefix);
    same(a->unit, b->unit);
    same(a->middle, b->middle);
    same(a->close, b->close);
    same(a->suffix, b->suffix);
    assert_int_equal(a->times, b->times);
    assert_int_equal(a->digit_count, b->digit_count);
    for (size_t i = 0; i < a->digit_count; i++) {
        same(a->digits[i], b->digits[i]);
    }
    assert_int_equal(a->raw, b->raw);
    assert_int_equal(a->chunk_count, b->chunk_count);
    for (size_t i = 0; i < a->chunk_count; i++) {
        assert_int_equal(a->chunks[i], b->chunks[i]);
    }
}

static void same_expectation(const jck_expect *a, const jck_expect *b)
{
    assert_int_equal(a->kind, b->kind);
    // The pattern of an alternative has a text with more members than its own: compared as values.
    assert_true(jrpc_json_equal(a->pattern, b->pattern));
    same(a->rule, b->rule);
    assert_int_equal(a->taken_as, b->taken_as);
    same(a->observation, b->observation);
    assert_int_equal(a->in_order, b->in_order);
    same(a->otherwise, b->otherwise);
    assert_int_equal(a->alternative_count, b->alternative_count);
    for (size_t i = 0; i < a->alternative_count; i++) {
        // Alternatives have none of their own.
        assert_int_equal(a->alternatives[i].alternative_count, 0);
        assert_int_equal(a->alternatives[i].kind, b->alternatives[i].kind);
        assert_true(jrpc_json_equal(a->alternatives[i].pattern, b->alternatives[i].pattern));
        same(a->alternatives[i].rule, b->alternatives[i].rule);
        assert_int_equal(a->alternatives[i].taken_as, b->alternatives[i].taken_as);
        same(a->alternatives[i].observation, b->alternatives[i].observation);
        assert_int_equal(a->alternatives[i].in_order, b->alternatives[i].in_order);
    }
}

static void same_manner(const jrpc_manner *a, const jrpc_manner *b)
{
    same_text(a->http_method, b->http_method);
    same_text(a->content_type, b->content_type);
    assert_int_equal(a->chunked, b->chunked);
    assert_int_equal(a->binary, b->binary);
    assert_int_equal(a->ping, b->ping);
    assert_int_equal(a->close, b->close);
    assert_int_equal(a->close_code, b->close_code);
    assert_true((a->headers == NULL) == (b->headers == NULL));
    for (size_t i = 0; a->headers != NULL && (i == 0 || a->headers[i - 1] != NULL); i++) {
        same_text(a->headers[i], b->headers[i]);
    }
}

static void same_step(const jck_step *a, const jck_step *b)
{
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->connection, b->connection);
    same_payload(&a->payload, &b->payload);
    same_expectation(&a->expect, &b->expect);
    same_manner(&a->manner, &b->manner);
    same_json(a->patterns, b->patterns);
    same_json(a->http_answers, b->http_answers);
    same_json(a->reply, b->reply);
    same(a->within, b->within);
    assert_int_equal(a->exact_order, b->exact_order);
    assert_int_equal(a->capture_count, b->capture_count);
    for (size_t i = 0; i < a->capture_count; i++) {
        same(a->captures[i].name, b->captures[i].name);
        same(a->captures[i].from, b->captures[i].from);
        same(a->captures[i].take, b->captures[i].take);
        same_json(a->captures[i].where, b->captures[i].where);
    }
}

static void same_case(const jck_case *a, const jck_case *b)
{
    same(a->id, b->id);
    same(a->title, b->title);
    same(a->why, b->why);
    same(a->suite, b->suite);
    same(a->found, b->found);
    same_words(a->rules, a->rule_count, b->rules, b->rule_count);
    same_words(a->catches, a->catch_count, b->catches, b->catch_count);
    same_words(a->needs, a->need_count, b->needs, b->need_count);
    same_words(a->aliases, a->alias_count, b->aliases, b->alias_count);
    assert_memory_equal(&a->roles, &b->roles, sizeof a->roles);
    assert_int_equal(a->hazard, b->hazard);
    same_json(a->level_of, b->level_of);
    assert_int_equal(a->step_count, b->step_count);
    for (size_t i = 0; i < a->step_count; i++) {
        same_step(&a->steps[i], &b->steps[i]);
    }
}

static void every_case_of_the_project_is_read_back_as_it_was(void **state)
{
    (void)state;
    jrpc_error error = {0};
    jck_suite *suite = jck_suite_load("cases", NULL, NULL, &error);
    assert_non_null(suite);
    size_t total = jck_suite_case_count(suite);
    assert_true(total > 1000);
    for (size_t first = 0, next = 0; first < total; first = next) {
        const jck_case *begin = jck_suite_case(suite, first);
        while (next < total && jrpc_slice_equal(jck_suite_case(suite, next)->suite, begin->suite)) {
            next++;
        }
        if (begin->side == JCK_SIDE_CLIENT) {
            continue; // nothing writes cases that test clients
        }
        copy again;
        make_copy(&again, begin->suite, begin, next - first);
        for (size_t i = first; i < next; i++) {
            same_case(jck_suite_case(suite, i), jck_suite_case(again.suite, i - first));
        }
        drop_copy(&again);
    }
    jck_suite_free(suite);
}

// Whether a member of a case file says what is so without it.
static bool says_nothing(jrpc_json key, jrpc_json value)
{
    return (jrpc_json_is(value, JRPC_JSON_ARRAY) && jrpc_json_count(value) == 0 &&
            !jrpc_json_string_is(key, JRPC_SLICE("send"))) ||
           (jrpc_json_is(value, JRPC_JSON_FALSE) &&
            !jrpc_json_string_is(key, JRPC_SLICE("send"))) ||
           (jrpc_json_string_is(key, JRPC_SLICE("on")) &&
            jrpc_json_string_is(value, JRPC_SLICE("a")));
}

// Each member of an Object of a case file stands in the one written for it.
static void has_all_members(jrpc_json source, jrpc_json written)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(source); jrpc_json_step(&it);) {
        jrpc_arena arena;
        jrpc_slice name;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
        assert_true(jrpc_json_string(it.key, &arena, &name));
        jrpc_json member = jrpc_json_member(written, name);
        if (!jrpc_json_exists(member) && !says_nothing(it.key, it.value)) {
            fail_msg("the member \"%.*s\" is lost", (int)name.len, name.ptr);
        }
        if (jrpc_json_is(it.value, JRPC_JSON_STRING) || jrpc_json_is(it.value, JRPC_JSON_NUMBER)) {
            assert_true(jrpc_json_equal(it.value, member) || says_nothing(it.key, it.value));
        }
        jrpc_arena_done(&arena);
    }
}

// A member that the loader learns and the writer does not is noticed here, not by same_case.
static void no_member_of_a_case_file_is_lost(void **state)
{
    (void)state;
    static const char source[] =
        "{\"id\":\"a/b\",\"title\":\"one\",\"rules\":[\"J2-5a\"],\"catches\":[\"x\"],"
        "\"found\":\"here\",\"needs\":[\"connections\"],\"why\":\"w\",\"aliases\":[\"old/b\"],"
        "\"level-of\":{\"J2-5a\":\"S\"},\"hazard\":true,\"steps\":["
        "{\"on\":\"b\",\"send-hex\":\"ff 00\",\"raw\":true,\"chunks\":[1]},"
        "{\"send-text\":\"\\ud800$${x}\\u0000\",\"expect\":\"nothing\"},"
        "{\"send\":{\"a\":1.0,\"a\":\"$${no}\"},\"expect\":{\"any-of\":[{\"as\":\"warn\","
        "\"result\":[1],\"rule\":\"J2-5a\"},{\"closed\":true,\"as\":\"observe:x\"}],\"else\":"
        "\"J2-5a\"},\"capture\":{\"c\":\"/result\",\"d\":{\"in\":\"/a\",\"where\":{\"/b\":[1],"
        "\"\":{\"$absent\":true}},\"take\":\"/c\"}},\"http\":{\"method\":\"GET\",\"content-type\":"
        "\"a/b\",\"headers\":{\"X\":\"y: z\",\"Z\":null},\"chunked\":true,\"answer\":[{\"status\":"
        "200}]},\"websocket\":{\"binary\":true,\"ping\":true,\"close\":true}},"
        "{\"send-repeat\":{\"prefix\":\"p\",\"unit\":\"[#\",\"times\":3,\"middle\":\"m\","
        "\"close\":\"]\",\"suffix\":\"s\",\"digits\":[\"0\",\"1\"]},\"expect\":{\"batch\":[{\"id\":"
        "1}],\"in-order\":true}},"
        "{\"receive\":[{\"id\":1,\"$times\":[0,\"*\"]}],\"order\":\"exact\",\"within\":\"async\"},"
        "{\"send\":[],\"expect\":\"owed\"},{\"on\":\"b\",\"send\":[],\"expect\":\"owed\","
        "\"websocket\":{\"close\":\"empty\",\"headers\":{\"X\":\"y\",\"Z\":null}}},{\"reply\":{"
        "\"result\":\"${c}\"}},{\"fence\":true},{"
        "\"close\":\"write\"}]}";
    folder f;
    jrpc_error error = {0};
    folder_make(&f);
    folder_add(&f, "rules");
    folder_write(&f, "rules/r.json",
                 JRPC_SLICE("{\"schema\":1,\"specification\":\"r\",\"title\":\"t\",\"rules\":[{"
                            "\"id\":\"J2-5a\",\"level\":\"M\",\"section\":\"5\",\"title\":\"t\","
                            "\"sentence\":\"s\",\"source\":\"x\"}]}"));
    folder_add(&f, "s");
    char file[4096];
    (void)snprintf(
        file, sizeof file,
        "{\"schema\":1,\"suite\":\"s\",\"section\":\"1\",\"title\":\"t\",\"cases\":[%s]}", source);
    folder_write(&f, "s/01.json", jrpc_slice_str(file));
    jck_suite *suite = jck_suite_load(f.path, NULL, NULL, &error);
    assert_string_equal(error.message, "");
    jrpc_buffer text;
    jrpc_arena arena;
    jrpc_json before;
    jrpc_json after;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), WRITTEN_BYTES);
    jrpc_arena_init(&arena, jrpc_allocator_heap(), WRITTEN_BYTES);
    assert_true(jck_case_write(&text, jck_suite_case(suite, 0), 0));
    assert_true(jck_parse(&arena, jrpc_slice_str(source), &before, &error));
    assert_true(jck_parse(&arena, jrpc_buffer_slice(&text), &after, &error));
    has_all_members(before, after);
    jrpc_json steps = jrpc_json_get(before, "steps");
    for (uint32_t i = 0; i < jrpc_json_count(steps); i++) {
        jrpc_json step = jrpc_json_element(steps, i);
        jrpc_json written = jrpc_json_element(jrpc_json_get(after, "steps"), i);
        has_all_members(step, written);
        assert_true(
            jrpc_json_equal(jrpc_json_get(step, "expect"), jrpc_json_get(written, "expect")));
        assert_true(jrpc_json_equal(jrpc_json_get(step, "http"), jrpc_json_get(written, "http")));
        has_all_members(jrpc_json_get(step, "websocket"), jrpc_json_get(written, "websocket"));
        has_all_members(jrpc_json_get(step, "send-repeat"), jrpc_json_get(written, "send-repeat"));
    }
    jrpc_arena_done(&arena);
    jrpc_buffer_done(&text);
    jck_suite_free(suite);
    folder_remove(&f);
}

// What goes out for a payload that holds no variable.
static bool no_variable(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    (void)context;
    (void)name;
    (void)ret_spelling;
    return false;
}

static void bytes_become_the_payload_that_sends_them(void **state)
{
    (void)state;
    static const struct {
        jrpc_slice bytes;
        jck_payload_kind kind;
    } all[] = {
        {JRPC_SLICE_INIT("{\"a\":1.0,\"a\":[]}"), JCK_PAYLOAD_JSON},
        {JRPC_SLICE_INIT("[\"${id}\",\"$${x}\",\"a${b\"]"), JCK_PAYLOAD_JSON},
        {JRPC_SLICE_INIT("{\"a\": 1}"), JCK_PAYLOAD_TEXT},
        {JRPC_SLICE_INIT("{\"a\""), JCK_PAYLOAD_TEXT},
        {JRPC_SLICE_INIT("${id} $${ \xC3\xA9"), JCK_PAYLOAD_TEXT},
        {JRPC_SLICE_INIT(""), JCK_PAYLOAD_TEXT},
        {JRPC_SLICE_INIT("a\0b"), JCK_PAYLOAD_TEXT},
        {JRPC_SLICE_INIT("\"\xFF\""), JCK_PAYLOAD_BYTES},
        {JRPC_SLICE_INIT("\xED\xA0\x80"), JCK_PAYLOAD_BYTES},
    };
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), WRITTEN_BYTES);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        jck_payload payload;
        jrpc_buffer sent;
        jrpc_buffer_init(&sent, jrpc_allocator_heap(), 4096);
        assert_true(jck_payload_of_bytes(&arena, all[i].bytes, &payload));
        assert_int_equal(payload.kind, all[i].kind);
        assert_true(jck_payload_expand(&payload, no_variable, NULL, &sent, NULL));
        same(jrpc_buffer_slice(&sent), all[i].bytes);
        jrpc_buffer_done(&sent);
    }
    jrpc_arena_done(&arena);
}

static void a_full_buffer_is_said(void **state)
{
    (void)state;
    static const jrpc_slice rules[] = {JRPC_SLICE_INIT("R-1")};
    const jck_step step = {.kind = JCK_STEP_FENCE, .connection = 'a'};
    const jck_case one = {.id = JRPC_SLICE("a/b"),
                          .title = JRPC_SLICE("t"),
                          .rules = rules,
                          .rule_count = 1,
                          .steps = &step,
                          .step_count = 1};
    const jck_case_heading heading = {JRPC_SLICE("s"), JRPC_SLICE("1"), JRPC_SLICE("t")};
    for (size_t room = 0; room < 120; room++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), room);
        assert_false(jck_case_write_file(&out, &heading, &one, 1));
        jrpc_buffer_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_case_of_the_project_is_read_back_as_it_was),
        cmocka_unit_test(no_member_of_a_case_file_is_lost),
        cmocka_unit_test(bytes_become_the_payload_that_sends_them),
        cmocka_unit_test(a_full_buffer_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
