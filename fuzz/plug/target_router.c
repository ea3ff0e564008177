// A dispatcher as a fuzz target: it never crashes, and answers what the model of JSON-RPC 2.0
// answers (fuzz/model/answer.h), codes and values compared, but no messages of errors; a batch in
// any order.
#include "fuzz/fuzz.h"
#include "fuzz/model/answer.h"
#include "fuzz/model/grammar.h"
#include "fuzz/plug/finding.h"
#include "fuzz/plug/plug_router.h"

#include <stdlib.h>

// Nesting beyond DEEP may be refused (RFC 8259, section 9).
enum { ROOM = 64 << 20, SHOWN_BYTES = 200, DEEP = 100 };

typedef enum answer_kind {
    ROUTER_AGREES,
    ROUTER_TAKES,
    ROUTER_NUL,
    ROUTER_SILENT,
    ROUTER_UNASKED,
    ROUTER_NO_JSON,
    ROUTER_NO_RESPONSE,
    ROUTER_COUNT,
    ROUTER_ID,
    ROUTER_REFUSES,
    ROUTER_RUNS,
    ROUTER_PARSE_ERROR,
    ROUTER_CODE_INVALID,
    ROUTER_CODE_METHOD,
    ROUTER_CODE_PARAMS,
    ROUTER_CODE,
    ROUTER_RESULT,
    ROUTER_ID_OF_INVALID,
    ROUTER_OPEN,
    ROUTER_KIND_COUNT,
} answer_kind;

static const plug_kind kinds[ROUTER_KIND_COUNT] = {
    [ROUTER_AGREES] = {"agrees", "agrees", true},
    // What a parser takes, and what it makes of NUL, are classes of their own, so that they do not
    // hide what the dispatcher does.
    [ROUTER_TAKES] = {"takes", "answers a text that is not JSON with no Parse error", false},
    [ROUTER_NUL] = {"nul", "answers otherwise where a string or a name has \\u0000", false},
    [ROUTER_SILENT] = {"silent", "answers nothing where a Response is owed", false},
    [ROUTER_UNASKED] = {"unasked", "answers where nothing is owed", false},
    [ROUTER_NO_JSON] = {"no-json", "answers with what is not JSON", false},
    [ROUTER_NO_RESPONSE] = {"no-response", "answers with what is not a Response", false},
    [ROUTER_COUNT] = {"count", "answers a batch with more or fewer Responses", false},
    [ROUTER_ID] = {"id", "answers with another id", false},
    [ROUTER_REFUSES] = {"refuses", "answers with an error where a result is owed", false},
    [ROUTER_RUNS] = {"runs", "answers with a result where an error is owed", false},
    [ROUTER_PARSE_ERROR] = {"parse-error", "answers JSON with a Parse error", false},
    [ROUTER_CODE_INVALID] = {"code-32600", "answers an invalid Request with another code", false},
    [ROUTER_CODE_METHOD] = {"code-32601", "answers an unknown method with another code", false},
    [ROUTER_CODE_PARAMS] = {"code-32602", "answers invalid params with another code", false},
    [ROUTER_CODE] = {"code", "answers with another code than the method's own", false},
    [ROUTER_RESULT] = {"result", "answers with another result or other data", false},
    // Section 5: null "if there was an error in detecting the id"; whoever detected it may repeat
    // it.
    [ROUTER_ID_OF_INVALID] = {"id-of-invalid", "answers an invalid Request with its id", true},
    [ROUTER_OPEN] = {"open", "answers otherwise what the specification leaves open", true},
};

static bool has_surrogate(jrpc_slice content)
{
    for (size_t i = 0; i + 1 < content.len; i++) {
        if (content.ptr[i] == '\xED' && (content.ptr[i + 1] & 0x20) != 0) {
            return true;
        }
    }
    return false;
}

static bool has_nul(jrpc_slice content)
{
    return content.len != 0 && memchr(content.ptr, 0, content.len) != NULL;
}

// Whether a string or a name of the value has a NUL.
static bool holds_nul(const tree *value)
{
    bool found = value->kind == 's' && has_nul(value->content);
    for (size_t i = 0; i < value->count && !found; i++) {
        found =
            holds_nul(value->items[i]) || (value->kind == 'o' && has_nul(value->names[i]->content));
    }
    return found;
}

// What a text holds that the specifications leave open: members of the same name, ids that are null
// or no whole numbers, Responses sent to a server, lone surrogates, numbers that no double holds,
// and params that are neither Array nor Object (-32600 and -32602 are both said for them). A call
// with the id null may be refused, but `unanswered` it may not be: its id is there (section 4).
static bool is_open_value(const tree *value, bool top, bool unanswered)
{
    if (value->kind == 's') {
        return has_surrogate(value->content);
    }
    if (value->kind == '0') {
        return value->spelling.len > 15 || memchr(value->spelling.ptr, '.', value->spelling.len) ||
               memchr(value->spelling.ptr, 'e', value->spelling.len) ||
               memchr(value->spelling.ptr, 'E', value->spelling.len);
    }
    bool open = false;
    for (size_t i = 0; i < value->count && !open; i++) {
        open = is_open_value(value->items[i], top && value->kind == 'a', unanswered) ||
               (value->kind == 'o' && has_surrogate(value->names[i]->content));
        for (size_t j = 0; value->kind == 'o' && j < i && !open; j++) {
            open = jrpc_slice_equal(value->names[i]->content, value->names[j]->content);
        }
    }
    if (!top || value->kind != 'o' || open) {
        return open;
    }
    const tree *id = tree_member(value, "id");
    const tree *params = tree_member(value, "params");
    return (id != NULL && id->kind == 'z' && !unanswered) || tree_member(value, "result") != NULL ||
           tree_member(value, "error") != NULL || tree_member(value, "verb") != NULL ||
           (params != NULL && params->kind != 'a' && params->kind != 'o');
}

static bool is_response(const tree *value)
{
    if (value->kind != 'o' || !tree_is_text(tree_member(value, "jsonrpc"), "2.0") ||
        tree_member(value, "id") == NULL) {
        return false;
    }
    const tree *error = tree_member(value, "error");
    if ((error != NULL) == (tree_member(value, "result") != NULL)) {
        return false;
    }
    if (error == NULL) {
        return true;
    }
    const tree *code = tree_member(error, "code");
    const tree *message = tree_member(error, "message");
    return code != NULL && code->kind == '0' && message != NULL && message->kind == 's';
}

static bool same(const tree *a, const tree *b)
{
    return a == NULL || b == NULL ? a == b : tree_equal(a, b) != TREE_DIFFERENT;
}

// Two errors with different codes; `want` is empty where a result is owed.
static answer_kind compare_codes(jrpc_slice want, jrpc_slice got)
{
    return jrpc_slice_is(got, "-32700")    ? ROUTER_PARSE_ERROR
           : want.len == 0                 ? ROUTER_REFUSES
           : jrpc_slice_is(want, "-32600") ? ROUTER_CODE_INVALID
           : jrpc_slice_is(want, "-32601") ? ROUTER_CODE_METHOD
           : jrpc_slice_is(want, "-32602") ? ROUTER_CODE_PARAMS
                                           : ROUTER_CODE;
}

// Two Responses; `want` is the model's.
static answer_kind compare_responses(const tree *want, const tree *got)
{
    const tree *want_error = tree_member(want, "error");
    const tree *got_error = tree_member(got, "error");
    const tree *id = tree_member(want, "id");
    const tree *want_code = want_error == NULL ? NULL : tree_member(want_error, "code");
    const tree *got_code = got_error == NULL ? NULL : tree_member(got_error, "code");
    if (!same(want_code, got_code)) {
        return got_code == NULL
                   ? ROUTER_RUNS
                   : compare_codes(want_code == NULL ? JRPC_SLICE("") : want_code->spelling,
                                   got_code->spelling);
    }
    if (!same(id, tree_member(got, "id"))) {
        bool invalid = want_code != NULL && jrpc_slice_is(want_code->spelling, "-32600");
        const tree *got_id = tree_member(got, "id");
        return invalid && (id->kind == 'z' || got_id->kind == 'z') ? ROUTER_ID_OF_INVALID
                                                                   : ROUTER_ID;
    }
    if (want_error != NULL) {
        const tree *data = tree_member(want_error, "data");
        return data == NULL || same(data, tree_member(got_error, "data")) ? ROUTER_AGREES
                                                                          : ROUTER_RESULT;
    }
    return same(tree_member(want, "result"), tree_member(got, "result")) ? ROUTER_AGREES
                                                                         : ROUTER_RESULT;
}

// Each of the model's Responses has its like among those that came, every one used once.
static answer_kind compare_batches(tree_pool *pool, const tree *want, const tree *got)
{
    if (got->kind != 'a' || want->count != got->count) {
        return ROUTER_COUNT;
    }
    bool *used = tree_alloc(pool, got->count + 1);
    answer_kind worst = ROUTER_AGREES;
    for (size_t i = 0; i < want->count; i++) {
        answer_kind best = ROUTER_AGREES;
        bool found = false;
        for (size_t j = 0; j < got->count && !found; j++) {
            if (used[j]) {
                continue;
            }
            answer_kind one = is_response(got->items[j])
                                  ? compare_responses(want->items[i], got->items[j])
                                  : ROUTER_NO_RESPONSE;
            found = one == ROUTER_AGREES;
            used[j] = found;
            // What is said of the batch: what is wrong with the Response in the same place.
            best = found ? ROUTER_AGREES : j == i || best == ROUTER_AGREES ? one : best;
        }
        worst = best == ROUTER_AGREES ? worst : best;
    }
    return worst;
}

static char *answer_of(jrpc_slice text)
{
    char *copy = malloc(text.len + 1);
    FUZZ_REQUIRE(copy != NULL);
    if (text.len != 0) {
        memcpy(copy, text.ptr, text.len);
    }
    copy[text.len] = '\0';
    char *answer = plug_answer(copy, text.len);
    free(copy);
    return answer;
}

static answer_kind compare(tree_pool *pool, jrpc_slice text, jrpc_slice want, const char *answer)
{
    if (want.len == 0 || answer == NULL) {
        return (want.len == 0) == (answer == NULL) ? ROUTER_AGREES
               : answer == NULL                    ? ROUTER_SILENT
                                                   : ROUTER_UNASKED;
    }
    jrpc_slice got = jrpc_slice_str(answer);
    if (grammar_check(got, UINT32_MAX).verdict != GRAMMAR_JSON) {
        return ROUTER_NO_JSON;
    }
    if (grammar_check(got, TREE_DEPTH + 8).verdict != GRAMMAR_JSON) {
        return ROUTER_AGREES;
    }
    (void)text;
    const tree *expected = tree_read(pool, want);
    const tree *came = tree_read(pool, got);
    if (expected->kind == 'a') {
        return compare_batches(pool, expected, came);
    }
    return is_response(came) ? compare_responses(expected, came) : ROUTER_NO_RESPONSE;
}

// Whether the text is one that the specifications leave open, or that no model has an opinion on.
static bool is_open_text(tree_pool *pool, jrpc_slice text, answer_kind kind)
{
    if (jrpc_slice_starts_with(text, JRPC_SLICE("\xEF\xBB\xBF"))) {
        return true;
    }
    if (grammar_check(text, TREE_DEPTH).verdict != GRAMMAR_JSON) {
        return false;
    }
    return grammar_check(text, DEEP).verdict != GRAMMAR_JSON ||
           is_open_value(tree_read(pool, text), true,
                         kind == ROUTER_SILENT || kind == ROUTER_COUNT);
}

static answer_kind judge(tree_pool *pool, jrpc_slice text, jrpc_buffer *want, char **ret_answer)
{
    size_t calls;
    *ret_answer = answer_of(text);
    grammar_verdict verdict = grammar_check(text, UINT32_MAX).verdict;
    bool known = verdict != GRAMMAR_JSON || grammar_check(text, TREE_DEPTH).verdict == GRAMMAR_JSON;
    if (!known || !answer_expected(pool, text, TREE_DEPTH, false, want, &calls)) {
        return ROUTER_AGREES;
    }
    answer_kind kind = compare(pool, text, jrpc_buffer_slice(want), *ret_answer);
    if (kind == ROUTER_AGREES || is_open_text(pool, text, kind)) {
        return kind == ROUTER_AGREES ? ROUTER_AGREES : ROUTER_OPEN;
    }
    if (verdict != GRAMMAR_JSON) {
        return kind == ROUTER_NO_JSON ? kind : ROUTER_TAKES;
    }
    return holds_nul(tree_read(pool, text)) ? ROUTER_NUL : kind;
}

static void explain(FILE *out, jrpc_slice text)
{
    tree_pool pool = {NULL};
    jrpc_buffer want;
    jrpc_buffer_init(&want, jrpc_allocator_heap(), ROOM);
    char *answer = NULL;
    (void)judge(&pool, text, &want, &answer);
    (void)fprintf(out, "  expected  ");
    if (want.len == 0) {
        (void)fprintf(out, "no answer");
    }
    plug_show(out, jrpc_buffer_slice(&want), SHOWN_BYTES);
    (void)fprintf(out, "\n  came      ");
    plug_show(out, jrpc_slice_str(answer == NULL ? "no answer" : answer), SHOWN_BYTES);
    (void)fprintf(out, "\n");
    free(answer);
    jrpc_buffer_done(&want);
    tree_pool_done(&pool);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    jrpc_slice text = fuzz_input_of(data, size).text;
    tree_pool pool = {NULL};
    jrpc_buffer want;
    jrpc_buffer_init(&want, jrpc_allocator_heap(), ROOM);
    char *answer = NULL;
    answer_kind kind = judge(&pool, text, &want, &answer);
    if (kind != ROUTER_AGREES) {
        plug_found(&kinds[kind], text, explain);
    }
    free(answer);
    jrpc_buffer_done(&want);
    tree_pool_done(&pool);
    return 0;
}
