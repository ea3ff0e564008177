#include "fuzz/model/promises.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/manner.h"
#include "fuzz/model/signs.h"

// Profiles that may extend each other in a row.
enum { CHAIN = 8, ID_BYTES = 512 };

static bool is_flag(const tree *value)
{
    return value == NULL || value->kind == 'b';
}

static bool is_true(const tree *value)
{
    return value != NULL && jrpc_slice_is(value->spelling, "true");
}

// Texts with something in them, none of them twice.
static bool is_word_list(const tree *list)
{
    for (size_t i = 0; list->kind == 'a' && i < list->count; i++) {
        if (!tree_has_text(list->items[i])) {
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            if (jrpc_slice_equal(list->items[i]->content, list->items[k]->content)) {
                return false;
            }
        }
    }
    return list->kind == 'a';
}

static bool is_one_of(const tree *text, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (tree_is_text(text, *words)) {
            return true;
        }
    }
    return false;
}

// fits[i] says whether what was looked at of the pattern fits the first i bytes of the id.
bool promise_matches(jrpc_slice pattern, jrpc_slice id)
{
    bool fits[ID_BYTES + 1] = {true};
    FUZZ_REQUIRE(id.len <= ID_BYTES);
    for (size_t p = 0; p < pattern.len; p++) {
        char c = pattern.ptr[p];
        bool across = c == '*' && p + 1 < pattern.len && pattern.ptr[p + 1] == '*';
        p += across ? 1 : 0;
        if (c == '*') {
            for (size_t i = 0; i < id.len; i++) {
                fits[i + 1] = fits[i + 1] || (fits[i] && (across || id.ptr[i] != '/'));
            }
            continue;
        }
        bool some = false;
        for (size_t i = id.len; i > 0; i--) {
            bool same = c == '?' ? id.ptr[i - 1] != '/' : id.ptr[i - 1] == c;
            fits[i] = fits[i - 1] && same;
            some = some || fits[i];
        }
        fits[0] = false;
        if (!some) {
            return false;
        }
    }
    return fits[id.len];
}

bool promise_pattern_names(jrpc_slice pattern, const jck_case *test_case)
{
    char full[ID_BYTES];
    size_t len = test_case->suite.len + 1 + test_case->id.len;
    FUZZ_REQUIRE(len <= sizeof full);
    memcpy(full, test_case->suite.ptr, test_case->suite.len);
    full[test_case->suite.len] = '/';
    memcpy(full + test_case->suite.len + 1, test_case->id.ptr, test_case->id.len);
    bool named = promise_matches(pattern, test_case->id) ||
                 promise_matches(pattern, test_case->suite) ||
                 promise_matches(pattern, jrpc_slice_of(full, len));
    for (size_t i = 0; i < test_case->rule_count; i++) {
        named = named || promise_matches(pattern, test_case->rules[i]);
    }
    for (size_t i = 0; i < test_case->alias_count; i++) {
        named = named || promise_matches(pattern, test_case->aliases[i]);
    }
    return named;
}

bool promise_names_case(const promise_change *change, const jck_case *test_case)
{
    const tree *patterns = change->kind == 'l' ? NULL : tree_member(change->object, "cases");
    for (size_t i = 0; patterns != NULL && i < patterns->count; i++) {
        if (promise_pattern_names(patterns->items[i]->content, test_case)) {
            return true;
        }
    }
    return false;
}

bool promise_names_rule(const promise_change *change, jrpc_slice rule)
{
    const tree *rules = change->kind == 'l' ? tree_member(change->object, "rules") : NULL;
    for (size_t i = 0; rules != NULL && i < rules->count; i++) {
        if (jrpc_slice_equal(rules->items[i]->content, rule)) {
            return true;
        }
    }
    return false;
}

static bool is_pattern_list(const jck_suite *suite, const tree *patterns)
{
    if (!is_word_list(patterns)) {
        return false;
    }
    for (size_t i = 0; i < patterns->count; i++) {
        bool matched = false;
        for (size_t c = 0; c < jck_suite_case_count(suite) && !matched; c++) {
            matched = promise_pattern_names(patterns->items[i]->content, jck_suite_case(suite, c));
        }
        if (!matched) {
            return false;
        }
    }
    return true;
}

static bool is_rule_list(const jck_suite *suite, const tree *rules)
{
    if (rules == NULL || !is_word_list(rules) || rules->count == 0) {
        return false;
    }
    for (size_t i = 0; i < rules->count; i++) {
        size_t r = 0;
        while (r < jck_suite_rule_count(suite) &&
               !jrpc_slice_equal(jck_suite_rule(suite, r)->id, rules->items[i]->content)) {
            r++;
        }
        if (r == jck_suite_rule_count(suite)) {
            return false;
        }
    }
    return true;
}

static bool is_sends_list(const tree *sends)
{
    static const char *const words[] = {"batch",        "positional",
                                        "null-id",      "fractional-id",
                                        "wide-id",      "positional-notification",
                                        "odd-method",   "not-by-name",
                                        "notification", NULL};
    for (size_t i = 0; sends->kind == 'a' && i < sends->count; i++) {
        if (!is_one_of(sends->items[i], words)) {
            return false;
        }
    }
    return is_word_list(sends);
}

static bool is_empty(const tree *list)
{
    return list == NULL || list->count == 0;
}

static bool is_good_change(const jck_suite *suite, char kind, const tree *object, bool *ret_deep)
{
    static const char *const levels[] = {"rules", "level", "sentence", "source", NULL};
    static const char *const accept[] = {"cases", "sends", "answers", "sentence", "source", NULL};
    static const char *const leave_out[] = {"cases",    "sends",  "hazards", "methods",
                                            "sentence", "source", NULL};
    static const char *const letters[] = {"M", "S", "O", "off", NULL};
    const char *const *known = kind == 'l' ? levels : kind == 'a' ? accept : leave_out;
    if (object->kind != 'o' || !tree_has_only(object, known) ||
        !tree_has_text(tree_member(object, "sentence")) ||
        !tree_has_text(tree_member(object, "source"))) {
        return false;
    }
    if (kind == 'l') {
        return is_one_of(tree_member(object, "level"), letters) &&
               is_rule_list(suite, tree_member(object, "rules"));
    }
    const tree *cases = tree_member(object, "cases");
    const tree *sends = tree_member(object, "sends");
    const tree *answers = tree_member(object, "answers");
    *ret_deep = *ret_deep || answers != NULL;
    if ((cases != NULL && !is_pattern_list(suite, cases)) ||
        (sends != NULL && !is_sends_list(sends)) ||
        (kind == 'a' && (answers == NULL || answers->kind != 'a'))) {
        return false;
    }
    return is_flag(tree_member(object, "hazards")) && is_flag(tree_member(object, "methods")) &&
           (!is_empty(cases) || !is_empty(sends) || is_true(tree_member(object, "hazards")) ||
            is_true(tree_member(object, "methods")));
}

static bool is_suite_list(const jck_suite *suite, const tree *suites)
{
    for (size_t i = 0; suites->kind == 'a' && i < suites->count; i++) {
        size_t c = 0;
        while (c < jck_suite_case_count(suite) &&
               (suites->items[i]->kind != 's' ||
                !jrpc_slice_equal(jck_suite_case(suite, c)->suite, suites->items[i]->content))) {
            c++;
        }
        if (c == jck_suite_case_count(suite)) {
            return false;
        }
    }
    return suites->kind == 'a' && suites->count > 0;
}

static void take_changes(tree_pool *pool, const jck_suite *suite, const tree *file, promise *p)
{
    static const struct {
        const char *member;
        char kind;
    } kinds[] = {{"levels", 'l'}, {"accept", 'a'}, {"leave-out", 'o'}};
    size_t room = p->change_count;
    for (size_t k = 0; k < 3; k++) {
        const tree *list = tree_member(file, kinds[k].member);
        room += list == NULL ? 0 : list->count;
    }
    promise_change *changes = tree_alloc(pool, (room + 1) * sizeof *changes);
    for (size_t i = 0; i < p->change_count; i++) {
        changes[i] = p->changes[i];
    }
    p->changes = changes;
    for (size_t k = 0; k < 3; k++) {
        const tree *list = tree_member(file, kinds[k].member);
        p->wrong = p->wrong || (list != NULL && list->kind != 'a');
        for (size_t i = 0; list != NULL && list->kind == 'a' && i < list->count; i++) {
            p->wrong = p->wrong || !is_good_change(suite, kinds[k].kind, list->items[i], &p->deep);
            changes[p->change_count++] = (promise_change){kinds[k].kind, list->items[i], p->name};
        }
    }
}

// A member of this profile, or what the one it extends says.
static const tree *pick(const tree *file, const char *name, const tree *before)
{
    const tree *own = tree_member(file, name);
    return own == NULL ? before : own;
}

// Version 1; of other spellings of that number the model knows nothing.
static bool is_version(const tree *schema, bool *ret_deep)
{
    const tree one = {.kind = '0', .spelling = JRPC_SLICE_INIT("1")};
    if (schema == NULL || schema->kind != '0') {
        return false;
    }
    bool same = tree_equal(schema, &one) != TREE_DIFFERENT;
    *ret_deep = *ret_deep || (same && !jrpc_slice_is(schema->spelling, "1"));
    return same;
}

static promise read_file(tree_pool *pool, const jck_suite *suite, const promise_file *files,
                         size_t count, jrpc_slice name, size_t depth);

static bool exists(const promise_file *files, size_t count, jrpc_slice name)
{
    for (size_t i = 0; i < count; i++) {
        if (jrpc_slice_equal(files[i].name, name)) {
            return true;
        }
    }
    return false;
}

// What it extends: itself for a profile of its own, with its name left open.
static promise read_extended(tree_pool *pool, const jck_suite *suite, const promise_file *files,
                             size_t count, const tree *extends, size_t depth)
{
    promise p = {.wrong = false};
    if (extends == NULL) {
        return p;
    }
    bool there = extends->kind == 's' && exists(files, count, extends->content);
    if (depth == CHAIN || (!there && !tree_is_text(extends, "spec"))) {
        p.wrong = true;
    } else if (!there) {
        p.extends = extends->content;
    } else {
        p = read_file(pool, suite, files, count, extends->content, depth + 1);
        p.extends = p.name;
    }
    p.url = NULL;
    p.title = NULL;
    return p;
}

static void check_members(const jck_suite *suite, const tree *file, promise *p)
{
    static const char *const known[] = {
        "schema",         "profile",         "title",     "url",       "extends",   "suites",
        "strict",         "discover",        "framing",   "prelude",   "postlude",  "requests",
        "declares",       "levels",          "accept",    "leave-out", "methods",   "headers",
        "request-params", "revision",        "revisions", "statuses",  "recognise", "refusals",
        "client-suites",  "client-requests", NULL};
    const tree *suites = tree_member(file, "suites");
    const tree *client_suites = tree_member(file, "client-suites");
    const tree *client_requests = tree_member(file, "client-requests");
    const tree *framing = tree_member(file, "framing");
    const tree *requests = tree_member(file, "requests");
    const tree *declares = tree_member(file, "declares");
    const tree *revision = tree_member(file, "revision");
    const tree *params = tree_member(file, "request-params");
    p->wrong = p->wrong || !tree_has_only(file, known) ||
               !is_version(tree_member(file, "schema"), &p->deep) || !tree_has_text(p->title) ||
               (p->url != NULL && !tree_has_text(p->url)) ||
               !is_flag(tree_member(file, "strict")) || !is_flag(tree_member(file, "discover")) ||
               (suites != NULL && !is_suite_list(suite, suites)) ||
               (client_suites != NULL && !is_suite_list(suite, client_suites)) ||
               (client_requests != NULL && client_requests->kind != 'o') ||
               (framing != NULL && !manner_is_framing(framing)) ||
               (requests != NULL && requests->kind != 'o') ||
               (declares != NULL && !is_word_list(declares)) ||
               !manner_is_methods(tree_member(file, "methods"), &p->deep) ||
               !signs_is_recognition(tree_member(file, "recognise"), &p->deep) ||
               !signs_is_refusals(tree_member(file, "refusals"), &p->deep) ||
               !manner_is_headers(tree_member(file, "headers"), &p->deep) ||
               (params != NULL && params->kind != 'o') ||
               (revision != NULL && !tree_has_text(revision));
}

// Exit statuses.
static bool is_status_list(const tree *list, bool *ret_deep)
{
    for (size_t i = 0; list->kind == 'a' && i < list->count; i++) {
        if (!tree_is_between(list->items[i], 0, 255, ret_deep)) {
            return false;
        }
    }
    return list->kind == 'a';
}

// Other profiles, each of which there is.
static bool is_profile_list(const promise_file *files, size_t count, const tree *names)
{
    for (size_t i = 0; is_word_list(names) && i < names->count; i++) {
        if (!exists(files, count, names->items[i]->content)) {
            return false;
        }
    }
    return is_word_list(names);
}

// What is mapped already stays, but for the capabilities that `methods` maps anew.
static void take_mappings(tree_pool *pool, const tree *methods, promise *p)
{
    size_t count = methods == NULL || methods->kind != 'o' ? 0 : methods->count;
    promise_mapping *mappings = tree_alloc(pool, (p->mapping_count + count + 1) * sizeof *mappings);
    size_t kept = 0;
    for (size_t i = 0; i < p->mapping_count; i++) {
        bool anew = false;
        for (size_t k = 0; k < count && !anew; k++) {
            anew = jrpc_slice_equal(p->mappings[i].capability, methods->names[k]->content);
        }
        if (!anew) {
            mappings[kept++] = p->mappings[i];
        }
    }
    for (size_t k = 0; k < count; k++) {
        mappings[kept++] = (promise_mapping){methods->names[k]->content, methods->items[k]};
    }
    p->mappings = mappings;
    p->mapping_count = kept;
}

static promise read_file(tree_pool *pool, const jck_suite *suite, const promise_file *files,
                         size_t count, jrpc_slice name, size_t depth)
{
    size_t at = count;
    while (!jrpc_slice_equal(files[at - 1].name, name)) {
        at--;
    }
    const tree *file = files[at - 1].text;
    if (file == NULL || file->kind != 'o') {
        return (promise){.wrong = true, .name = name};
    }
    promise p = read_extended(pool, suite, files, count, tree_member(file, "extends"), depth);
    p.name = name;
    const tree *said = tree_member(file, "profile");
    p.wrong = p.wrong || !tree_has_text(said) || !jrpc_slice_equal(said->content, name);
    p.title = tree_member(file, "title");
    p.url = tree_member(file, "url");
    p.strict = pick(file, "strict", p.strict);
    p.discover = pick(file, "discover", p.discover);
    p.suites = pick(file, "suites", p.suites);
    p.framing = pick(file, "framing", p.framing);
    p.requests = pick(file, "requests", p.requests);
    p.declares = pick(file, "declares", p.declares);
    p.headers = pick(file, "headers", p.headers);
    p.request_params = pick(file, "request-params", p.request_params);
    p.revision = pick(file, "revision", p.revision);
    p.refusals = pick(file, "refusals", p.refusals);
    p.revisions = tree_member(file, "revisions");
    p.wrong = p.wrong || (p.revisions != NULL && !is_profile_list(files, count, p.revisions));
    const tree *statuses = tree_member(file, "statuses");
    p.wrong = p.wrong || (statuses != NULL && !is_status_list(statuses, &p.deep));
    p.prelude = pick(file, "prelude", p.prelude);
    p.postlude = pick(file, "postlude", p.postlude);
    p.deep = p.deep || p.prelude != NULL || p.postlude != NULL;
    check_members(suite, file, &p);
    take_changes(pool, suite, file, &p);
    take_mappings(pool, tree_member(file, "methods"), &p);
    return p;
}

promise promise_read(tree_pool *pool, const jck_suite *suite, const promise_file *files,
                     size_t count, const char *name)
{
    return read_file(pool, suite, files, count, jrpc_slice_str(name), 1);
}
