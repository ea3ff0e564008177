// Which cases run: those of the suites that are named, or of the default ones, that a pattern names
// and none leaves out, as a list and a loop say; what names nothing is refused, with a reason that
// can be shown, and then nothing is marked.
//
// Every line of the input is a word: a suite after '@', a pattern that is left out after '-', a
// suite that a target declares after '=', the transport's after '&', else a pattern.
#include "harness/suite/select.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/promises.h"
#include "fuzz/small.h"

enum { WORDS = 6, WORD_BYTES = 80, CASES = 96 };

typedef struct words {
    char text[WORDS][WORD_BYTES + 1];
    const char *list[WORDS];
    size_t count;
} words;

static void add(words *to, jrpc_slice word)
{
    if (to->count < WORDS) {
        char *text = to->text[to->count];
        size_t len = word.len < WORD_BYTES ? word.len : WORD_BYTES;
        memcpy(text, word.ptr, len);
        text[len] = '\0';
        to->list[to->count++] = text;
    }
}

typedef struct asked {
    words suites, only, skip, declared, also;
    const char *also_need;
} asked;

static void read_words(jrpc_slice text, asked *ret)
{
    static const char marks[] = "@-=&";
    words *const lists[] = {&ret->suites, &ret->skip, &ret->declared, &ret->also};
    for (jrpc_slice line; jrpc_slice_take_line(&text, &line);) {
        const char *mark = line.len == 0 || line.ptr[0] == '\0' ? NULL : strchr(marks, line.ptr[0]);
        if (mark != NULL) {
            add(lists[mark - marks], jrpc_slice_from(line, 1));
        } else if (line.len != 0) {
            add(&ret->only, line);
        }
    }
}

static bool is_in(const words *list, jrpc_slice word)
{
    for (size_t i = 0; i < list->count; i++) {
        if (jrpc_slice_is(word, list->list[i])) {
            return true;
        }
    }
    return false;
}

static bool has_need(const jck_case *test_case, const char *need)
{
    for (size_t i = 0; i < test_case->need_count; i++) {
        if (jrpc_slice_is(test_case->needs[i], need)) {
            return true;
        }
    }
    return false;
}

static bool is_of_suites(const asked *all, const jck_case *test_case, bool other_defaults)
{
    jrpc_slice suite = test_case->suite;
    if (all->suites.count != 0) {
        return is_in(&all->suites, suite);
    }
    bool also = all->also.count != 0 && jrpc_slice_is(suite, all->also.list[0]) &&
                (all->also_need == NULL || has_need(test_case, all->also_need));
    bool by_default = other_defaults
                          ? jrpc_slice_is(suite, "transport-framing")
                          : jrpc_slice_is(suite, "json") || jrpc_slice_is(suite, "jsonrpc-2.0");
    return by_default || also || is_in(&all->declared, suite) || is_in(&all->only, suite);
}

// Marks the cases that a list of patterns names. False where a pattern names none.
static bool mark(const words *patterns, const bool *within, bool *ret_marked)
{
    const jck_suite *suite = fuzz_small_suite();
    for (size_t p = 0; p < patterns->count; p++) {
        bool found = false;
        for (size_t i = 0; i < suite->case_count; i++) {
            if (within[i] &&
                promise_pattern_names(jrpc_slice_str(patterns->list[p]), &suite->cases[i])) {
                ret_marked[i] = true;
                found = true;
            }
        }
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool select_by_the_book(const asked *all, bool other_defaults, bool *ret_selected)
{
    const jck_suite *suite = fuzz_small_suite();
    bool within[CASES] = {false};
    bool only[CASES] = {false};
    bool skip[CASES] = {false};
    for (size_t s = 0; s < all->suites.count; s++) {
        size_t i = 0;
        while (i < suite->case_count &&
               !jrpc_slice_is(suite->cases[i].suite, all->suites.list[s])) {
            i++;
        }
        if (i == suite->case_count) {
            return false;
        }
    }
    for (size_t i = 0; i < suite->case_count; i++) {
        within[i] = is_of_suites(all, &suite->cases[i], other_defaults);
    }
    bool good = mark(&all->only, within, only) && mark(&all->skip, within, skip);
    for (size_t i = 0; i < suite->case_count && good; i++) {
        ret_selected[i] = within[i] && (only[i] || all->only.count == 0) && !skip[i];
    }
    return good;
}

static void check(const fuzz_input *input)
{
    static const char *const others[] = {"transport-framing", NULL};
    asked all = {.suites = {.count = 0}};
    read_words(input->text, &all);
    bool other_defaults = (input->options[0] & 1) != 0;
    all.also_need = (input->options[0] & 4) != 0 ? "framing:line" : NULL;
    jrpc_slice declared[WORDS];
    for (size_t i = 0; i < all.declared.count; i++) {
        declared[i] = jrpc_slice_str(all.declared.list[i]);
    }
    jck_selection selection = {.suites = all.suites.list,
                               .suite_count = all.suites.count,
                               .only = all.only.list,
                               .only_count = all.only.count,
                               .skip = all.skip.list,
                               .skip_count = all.skip.count,
                               .also = all.also.count == 0 ? NULL : all.also.list[0],
                               .also_need = all.also_need,
                               .defaults = other_defaults ? others : NULL,
                               .default_count = other_defaults ? 1 : 0,
                               .declared = declared,
                               .declared_count = all.declared.count};
    bool expected[CASES] = {false};
    bool selected[CASES] = {false};
    bool good = select_by_the_book(&all, other_defaults, expected);
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, (input->options[0] & 2) != 0 ? 0 : SIZE_MAX);
    jck_suite suite;
    fuzz_small_copy(&suite, &failing.allocator);
    jrpc_error error = {.code = JRPC_OK};
    bool done = jck_select(&suite, &selection, selected, &error);
    FUZZ_REQUIRE(done == (error.code == JRPC_OK));
    bool starved = failing.count > failing.remaining && failing.remaining == 0;
    FUZZ_REQUIRE(done == (good && !starved));
    FUZZ_REQUIRE(done || error.code == (starved ? JRPC_ERROR_MEMORY : JRPC_ERROR_USAGE));
    FUZZ_REQUIRE(done || error.message[0] != '\0');
    FUZZ_REQUIRE(memcmp(selected, expected, sizeof selected) == 0 || starved);
    jrpc_arena_done(&suite.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    check(&input);
    return 0;
}
