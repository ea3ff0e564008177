#include "harness/suite/select.h"

#include "harness/suite/load.h"
#include "harness/suite/nearest.h"

// The suites that run if none is named: what every JSON-RPC 2.0 server claims to implement. The
// others test an extension, an older version or one transport, so they must be named.
static const char *const jck_default_suites[] = {"jsonrpc-2.0", "json", NULL};

// At most two wildcards are open at any time, the last `*` and the last `**`: a later one makes
// backtracking to an earlier one of its kind useless, so matching needs no recursion.
bool jck_pattern_matches(const char *pattern, jrpc_slice id)
{
    const char *p = pattern;
    size_t i = 0;
    const char *star = NULL, *globstar = NULL;
    size_t star_at = 0, globstar_at = 0;
    for (;;) {
        if (p[0] == '*' && p[1] == '*') {
            p += 2;
            globstar = p;
            globstar_at = i;
            star = NULL;
        } else if (p[0] == '*') {
            p++;
            star = p;
            star_at = i;
        } else if (i == id.len && p[0] == '\0') {
            return true;
        } else if (i < id.len && p[0] != '\0' &&
                   (p[0] == id.ptr[i] || (p[0] == '?' && id.ptr[i] != '/'))) {
            p++;
            i++;
        } else if (star != NULL && star_at < id.len && id.ptr[star_at] != '/') {
            p = star;
            i = ++star_at;
        } else if (globstar != NULL && globstar_at < id.len) {
            p = globstar;
            i = ++globstar_at;
            star = NULL;
        } else {
            return false;
        }
    }
}

bool jck_pattern_matches_case(const char *pattern, const jck_case *test_case)
{
    if (jck_pattern_matches(pattern, test_case->id) ||
        jck_pattern_matches(pattern, test_case->suite)) {
        return true;
    }
    char full[512];
    size_t len = test_case->suite.len + 1 + test_case->id.len;
    if (len <= sizeof full) {
        memcpy(full, test_case->suite.ptr, test_case->suite.len);
        full[test_case->suite.len] = '/';
        memcpy(full + test_case->suite.len + 1, test_case->id.ptr, test_case->id.len);
        if (jck_pattern_matches(pattern, jrpc_slice_of(full, len))) {
            return true;
        }
    }
    for (size_t i = 0; i < test_case->rule_count; i++) {
        if (jck_pattern_matches(pattern, test_case->rules[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < test_case->alias_count; i++) {
        if (jck_pattern_matches(pattern, test_case->aliases[i])) {
            return true;
        }
    }
    return false;
}

static bool is_listed(const char *const *names, size_t count, jrpc_slice name)
{
    for (size_t i = 0; i < count; i++) {
        if (jrpc_slice_is(name, names[i])) {
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

// Whether a case joins those of the default suites because of the target's transport, or because
// the target declares what its suite tests.
static bool joins(const jck_selection *selection, const jck_case *test_case)
{
    if (selection->also != NULL && jrpc_slice_is(test_case->suite, selection->also) &&
        (selection->also_need == NULL || has_need(test_case, selection->also_need))) {
        return true;
    }
    for (size_t i = 0; i < selection->declared_count; i++) {
        if (jrpc_slice_equal(test_case->suite, selection->declared[i])) {
            return true;
        }
    }
    return false;
}

// Whether --only names the whole suite.
static bool is_named(const jck_selection *selection, jrpc_slice suite)
{
    for (size_t i = 0; i < selection->only_count; i++) {
        if (jrpc_slice_is(suite, selection->only[i])) {
            return true;
        }
    }
    return false;
}

static bool has_suite(const jck_suite *suite, const char *name)
{
    for (size_t i = 0; i < suite->case_count; i++) {
        if (jrpc_slice_is(suite->cases[i].suite, name)) {
            return true;
        }
    }
    return false;
}

// "a, b, c": the existing suites; the cases of a suite are adjacent.
static bool refuse_suite(const jck_suite *suite, const char *name, jrpc_error *error)
{
    char known[300] = "";
    size_t len = 0;
    jrpc_slice last = {NULL, 0};
    for (size_t i = 0; i < suite->case_count; i++) {
        jrpc_slice next = suite->cases[i].suite;
        if (jrpc_slice_equal(next, last) || len + next.len + 3 > sizeof known) {
            continue;
        }
        if (len > 0) {
            memcpy(known + len, ", ", 2);
            len += 2;
        }
        memcpy(known + len, next.ptr, next.len);
        len += next.len;
        last = next;
    }
    return jrpc_error_set(error, JRPC_ERROR_USAGE, "there is no suite \"%s\"; known are %.*s", name,
                          (int)len, known);
}

// Whether the case is one of those whose ids begin with this word and a slash.
static bool is_folder_of(const char *word, jrpc_slice id)
{
    size_t len = strlen(word);
    return id.len > len && id.ptr[len] == '/' && jrpc_slice_starts_with(id, jrpc_slice_str(word));
}

static bool refuse_pattern(const jck_suite *suite, const char *pattern, bool fixed,
                           jrpc_error *error)
{
    jck_nearest nearest;
    char hint[160];
    for (size_t i = 0; i < suite->case_count; i++) {
        if (jck_pattern_matches_case(pattern, &suite->cases[i])) {
            return jrpc_error_set(
                error, JRPC_ERROR_USAGE,
                "the pattern \"%s\" matches only cases of suites that are not selected; "
                "%s%.*s",
                pattern, fixed ? "this command does not run the suite " : "add --suite ",
                JCK_WORD(suite->cases[i].suite));
        }
    }
    jck_nearest_init(&nearest, jrpc_slice_str(pattern));
    for (size_t i = 0; i < suite->case_count; i++) {
        jck_nearest_offer(&nearest, suite->cases[i].id);
        if (is_folder_of(pattern, suite->cases[i].id)) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE,
                                  "no case is called \"%s\"; did you mean \"%s/*\"?", pattern,
                                  pattern);
        }
    }
    for (size_t i = 0; i < suite->rule_count; i++) {
        jck_nearest_offer(&nearest, suite->rules[i].id);
        if (jrpc_slice_is(suite->rules[i].id, pattern)) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE,
                                  "the rule %s has no case; see explain %s", pattern, pattern);
        }
    }
    return jrpc_error_set(
        error, JRPC_ERROR_USAGE, "no case and no rule matches \"%s\"%s", pattern,
        jck_nearest_hint(&nearest, hint, sizeof hint)[0] == '\0' ? "; see list for the ids" : hint);
}

// Marks in `ret_marked` the cases of `within` that match one of the patterns.
static bool mark(const jck_suite *suite, const char *const *patterns, size_t count,
                 const bool *within, bool fixed, bool *ret_marked, jrpc_error *error)
{
    for (size_t j = 0; j < count; j++) {
        bool matched = false;
        for (size_t i = 0; i < suite->case_count; i++) {
            if (within[i] && jck_pattern_matches_case(patterns[j], &suite->cases[i])) {
                ret_marked[i] = true;
                matched = true;
            }
        }
        if (!matched) {
            return refuse_pattern(suite, patterns[j], fixed, error);
        }
    }
    return true;
}

bool jck_select(const jck_suite *suite, const jck_selection *selection, bool *ret_selected,
                jrpc_error *error)
{
    size_t count = suite->case_count;
    const char *const *suites = selection->suites;
    size_t suite_count = selection->suite_count;
    for (size_t i = 0; i < suite_count; i++) {
        if (!has_suite(suite, suites[i])) {
            return refuse_suite(suite, suites[i], error);
        }
    }
    bool by_default = suite_count == 0;
    if (suite_count == 0) {
        bool given = selection->defaults != NULL;
        suites = given ? selection->defaults : jck_default_suites;
        suite_count = given ? selection->default_count
                            : sizeof jck_default_suites / sizeof jck_default_suites[0] - 1;
    }
    // A user's own folder has its own suites: if none of the usual ones is there, all are selected.
    bool foreign = by_default && suite_count > 0;
    for (size_t i = 0; i < suite_count && foreign; i++) {
        foreign = !has_suite(suite, suites[i]);
    }
    const jrpc_allocator *allocator = suite->arena.allocator;
    bool *marks = jrpc_allocate(allocator, 3 * count + 1);
    if (marks == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    bool *in_suites = marks;
    bool *only = marks + count;
    bool *skip = marks + 2 * count;
    for (size_t i = 0; i < count; i++) {
        in_suites[i] = foreign || is_listed(suites, suite_count, suite->cases[i].suite) ||
                       (by_default && is_named(selection, suite->cases[i].suite)) ||
                       (by_default && joins(selection, &suite->cases[i]));
        only[i] = selection->only_count == 0 && in_suites[i];
        skip[i] = false;
    }
    const bool fixed = selection->fixed;
    bool done =
        mark(suite, selection->only, selection->only_count, in_suites, fixed, only, error) &&
        mark(suite, selection->skip, selection->skip_count, in_suites, fixed, skip, error);
    for (size_t i = 0; i < count && done; i++) {
        ret_selected[i] = only[i] && !skip[i];
    }
    jrpc_deallocate(allocator, marks);
    return done;
}
