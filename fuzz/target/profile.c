// A profile, and those that it extends: what is wrong in them is reported with its place, exactly
// where the model finds it; what was loaded says what the model read; applied, it changes the rules
// and cases that it names and no others; a file means the same however it is spelled; memory that
// runs out is reported, and nothing is half loaded.
//
// The input is one profile, or an Array of them: files of a folder, of which the last is loaded.
// Options: one byte that is free, the n-th allocation that fails, what a target says itself.
#include "harness/suite/profile.h"
#include "fuzz/folder.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/kept.h"
#include "fuzz/model/promises.h"
#include "fuzz/small.h"
#include "fuzz/told.h"
#include "harness/suite/load.h"
#include "harness/suite/sends.h"
#include "harness/suite/target_private.h"

#include <stdio.h>

enum { DEPTH = 64, FILES = 12, NAME_BYTES = 40, ROOM = 1 << 20 };

// The names and texts of the input's files; the text of each lies in the folder.
typedef struct files {
    promise_file all[FILES];
    size_t count;
    const char *name; // of the last
} files;

// The name that a profile gives itself, if it can be a file's, else `otherwise`.
static const char *file_name(tree_pool *pool, const tree *profile, const char *otherwise)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789-";
    const tree *said = tree_member(profile, "profile");
    if (!tree_has_text(said) || said->content.len > NAME_BYTES) {
        return otherwise;
    }
    char *name = tree_alloc(pool, NAME_BYTES + 1);
    for (size_t i = 0; i < said->content.len; i++) {
        if (said->content.ptr[i] == '\0' || strchr(letters, said->content.ptr[i]) == NULL) {
            return otherwise;
        }
        name[i] = said->content.ptr[i];
    }
    return name;
}

static void put_file(const char *name, jrpc_slice text)
{
    char path[NAME_BYTES + 32];
    (void)snprintf(path, sizeof path, "profiles/%s.json", name);
    fuzz_folder_put(path, text);
}

static void add_file(files *laid, const char *name, const tree *profile)
{
    laid->all[laid->count++] = (promise_file){jrpc_slice_str(name), profile};
    laid->name = name;
}

// What else stands in the file system is nobody's business here.
static bool leaves_the_folder(const tree *profile)
{
    const tree *extends = tree_member(profile, "extends");
    const tree *more = tree_member(profile, "revisions");
    bool leaves = extends != NULL && extends->kind == 's' &&
                  (memchr(extends->content.ptr, '/', extends->content.len) != NULL ||
                   jrpc_slice_contains(extends->content, JRPC_SLICE(".json")));
    for (size_t i = 0; more != NULL && more->kind == 'a' && i < more->count; i++) {
        leaves = leaves || jrpc_slice_contains(more->items[i]->content, JRPC_SLICE("/"));
    }
    return leaves;
}

static bool read_files(tree_pool *pool, jrpc_slice text, files *laid)
{
    if (grammar_check(text, DEPTH).verdict != GRAMMAR_JSON) {
        add_file(laid, "fuzz", NULL);
        return true;
    }
    const tree *all = tree_read(pool, text);
    if (all->kind != 'a') {
        add_file(laid, file_name(pool, all, "fuzz"), all);
        return !leaves_the_folder(all);
    }
    for (size_t i = 0; i < all->count; i++) {
        if (laid->count == FILES || leaves_the_folder(all->items[i])) {
            return false;
        }
        add_file(laid, file_name(pool, all->items[i], "fuzz"), all->items[i]);
    }
    return laid->count != 0;
}

// Lays the files out, spelled anew where there is randomness for it.
static void lay_out(const files *laid, jrpc_slice text, jrpc_random *random)
{
    fuzz_folder_clear();
    for (size_t i = 0; i < laid->count; i++) {
        const tree *profile = laid->all[i].text;
        jrpc_buffer anew;
        jrpc_buffer_init(&anew, jrpc_allocator_heap(), ROOM);
        if (profile != NULL && random != NULL) {
            tree_write(&anew, profile, TREE_SPACE, random);
        }
        put_file(laid->all[i].name.ptr, profile == NULL  ? text
                                        : random != NULL ? jrpc_buffer_slice(&anew)
                                                         : profile->spelling);
        jrpc_buffer_done(&anew);
    }
}

// Below, at or above zero if the revision comes before, equals, or comes after another.
static int order_of(const tree *revision, jrpc_slice other)
{
    jrpc_slice own = revision->content;
    int order = memcmp(own.ptr, other.ptr, own.len < other.len ? own.len : other.len);
    return order != 0 ? order : (own.len > other.len) - (own.len < other.len);
}

// Whether the revision that a profile names does not have the rule.
static bool is_of_other_revisions(const jck_rule *rule, const tree *revision)
{
    const jck_span *span = &rule->span;
    return revision != NULL && revision->content.len > 0 &&
           ((span->since.len > 0 && order_of(revision, span->since) < 0) ||
            (span->until.len > 0 && order_of(revision, span->until) > 0));
}

// The last change that names a rule sets its level. Rules of other revisions are off. All other
// rules keep their level.
static void require_rules(const jck_suite *suite, const promise *model)
{
    static const char *const letters[] = {
        [JCK_LEVEL_OBSERVE] = "O", [JCK_LEVEL_SHOULD] = "S", [JCK_LEVEL_MUST] = "M"};
    for (size_t r = 0; r < suite->rule_count; r++) {
        const jck_rule *rule = &suite->rules[r];
        bool named = false;
        bool off = false;
        const tree *level = NULL;
        for (size_t i = 0; i < model->change_count; i++) {
            if (promise_names_rule(&model->changes[i], rule->id)) {
                const tree *said = tree_member(model->changes[i].object, "level");
                named = true;
                off = tree_is_text(said, "off");
                level = off ? level : said;
            }
        }
        bool other = is_of_other_revisions(rule, model->revision);
        FUZZ_REQUIRE(rule->profiled == (named || other) && rule->off == (off || other));
        FUZZ_REQUIRE(level == NULL ? rule->level == fuzz_small_suite()->rules[r].level
                                   : tree_is_text(level, letters[rule->level]));
    }
}

static bool sends_any(const jck_change *change, const jck_step *step, bool silent)
{
    for (size_t i = 0; i < change->send_count; i++) {
        if (jck_step_sends(step, change->sends[i]) &&
            (!silent || jrpc_slice_is(change->sends[i], "batch") ||
             jrpc_slice_is(change->sends[i], "notification"))) {
            return true;
        }
    }
    return false;
}

static bool is_same_answer(const jck_expect *a, const jck_expect *b)
{
    return a->kind == b->kind && a->taken_as == b->taken_as &&
           a->pattern.index == b->pattern.index && a->pattern.document == b->pattern.document &&
           jrpc_slice_equal(a->observation, b->observation);
}

// Whether the answers are for whatever sends a notification, and nothing else.
static bool is_for_notifications(const jck_change *change)
{
    return change->name_count == 0 && change->send_count == 1 &&
           jrpc_slice_is(change->sends[0], "notification");
}

// A step accepts the answers of every change that concerns it, the last change's first. `named`:
// for each change whether its patterns name the case.
static void require_answers(const jck_step *changed, const jck_step *before,
                            const jck_profile *profile, const bool *named, bool departs)
{
    size_t at = 0;
    bool silent = before->expect.kind == JCK_EXPECT_NOTHING;
    for (size_t i = profile->change_count; i > 0; i--) {
        const jck_change *change = &profile->changes[i - 1];
        bool does = change->kind == JCK_CHANGE_ACCEPT && before->kind == JCK_STEP_SEND &&
                    (before->expect.kind != JCK_EXPECT_UNSTATED || is_for_notifications(change)) &&
                    ((named[i - 1] && !silent) || (!departs && sends_any(change, before, silent)));
        for (size_t k = 0; does && k < change->answer_count; k++, at++) {
            FUZZ_REQUIRE(at < changed->expect.accepted_count);
            FUZZ_REQUIRE(is_same_answer(&changed->expect.accepted[at], &change->answers[k]));
        }
    }
    FUZZ_REQUIRE(changed->expect.accepted_count == at);
    FUZZ_REQUIRE(changed->expect.kind == before->expect.kind);
}

static void require_steps(const jck_case *changed, const jck_case *before,
                          const jck_profile *profile, const bool *named)
{
    FUZZ_REQUIRE(changed->step_count == before->step_count);
    for (size_t s = 0; s < before->step_count; s++) {
        require_answers(&changed->steps[s], &before->steps[s], profile, named, before->departs);
    }
}

static bool needs_method(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->need_count; i++) {
        jrpc_slice need = test_case->needs[i];
        for (const char *const *known = jck_capabilities(); *known != NULL; known++) {
            size_t len = strlen(*known);
            if (jrpc_slice_starts_with(need, jrpc_slice_str(*known)) &&
                (need.len == len || need.ptr[len] == '/')) {
                return true;
            }
        }
    }
    return false;
}

static bool is_left_out(const jck_change *change, bool named, const jck_case *test_case)
{
    bool sends = false;
    for (size_t s = 0; s < test_case->step_count; s++) {
        sends = sends || sends_any(change, &test_case->steps[s], false);
    }
    return change->kind == JCK_CHANGE_LEAVE_OUT &&
           (named || sends || (change->hazards && test_case->hazard) ||
            (change->methods && needs_method(test_case)));
}

static void require_cases(tree_pool *pool, const jck_suite *suite, const jck_profile *profile,
                          const promise *model)
{
    bool *selected = tree_alloc(pool, suite->case_count + 1);
    bool *named = tree_alloc(pool, profile->change_count + 1);
    for (size_t c = 0; c < suite->case_count; c++) {
        selected[c] = c % 5 != 0;
    }
    jck_profile_restrict(suite, profile, selected);
    for (size_t c = 0; c < suite->case_count; c++) {
        const jck_case *before = &fuzz_small_suite()->cases[c];
        bool out = jck_suite_find_rule(suite, before->rules[0])->off;
        for (size_t i = 0; i < profile->change_count; i++) {
            const jck_change *change = &profile->changes[i];
            named[i] = promise_names_case(&model->changes[i], before);
            out = out || is_left_out(change, named[i], before);
        }
        require_steps(&suite->cases[c], before, profile, named);
        FUZZ_REQUIRE(selected[c] == (c % 5 != 0 && !out));
    }
}

// How loading ended. `told` counts what was wrong; the profile lives in the suite.
typedef struct loaded {
    jck_suite suite;
    fuzz_told told;
    const jck_profile *profile;
} loaded;

static void load(loaded *ret, const char *word, const jrpc_allocator *allocator)
{
    *ret = (loaded){.told = {0}};
    fuzz_small_copy(&ret->suite, allocator);
    jrpc_error error = {.code = JRPC_OK};
    ret->profile =
        jck_profile_load(&ret->suite, fuzz_folder(), word, fuzz_tell, &ret->told, &error);
    FUZZ_REQUIRE((ret->profile == NULL) == (error.code != JRPC_OK));
    FUZZ_REQUIRE(ret->profile == NULL || ret->told.count == 0);
}

static void apply(tree_pool *pool, loaded *one, const promise *model, unsigned choice)
{
    promises_require_kept(pool, one->profile, model);
    FUZZ_REQUIRE(jck_profile_apply(&one->suite, one->profile, NULL));
    require_rules(&one->suite, model);
    require_cases(pool, &one->suite, one->profile, model);
    promises_require_adopted(one->profile, choice);
}

// Every file of the folder is checked, each as if it alone had been asked for.
static void check_all(const files *laid, tree_pool *pool)
{
    jck_suite suite;
    fuzz_small_copy(&suite, jrpc_allocator_heap());
    fuzz_told told = {0};
    FUZZ_REQUIRE(jck_profile_check_all(&suite, fuzz_folder(), fuzz_tell, &told, NULL));
    bool wrong = false;
    bool deep = false;
    for (size_t i = 0; i < laid->count; i++) {
        promise one =
            promise_read(pool, fuzz_small_suite(), laid->all, laid->count, laid->all[i].name.ptr);
        wrong = wrong || one.wrong;
        deep = deep || one.deep;
    }
    FUZZ_REQUIRE(!wrong || told.count != 0);
    FUZZ_REQUIRE(wrong || deep || told.count == 0);
    jrpc_arena_done(&suite.arena);
}

// A word that names no profile is refused with what was probably meant.
static void check_unknown(const files *laid)
{
    char word[NAME_BYTES + 8];
    (void)snprintf(word, sizeof word, "%s_", laid->name);
    jck_suite suite;
    fuzz_small_copy(&suite, jrpc_allocator_heap());
    jrpc_error error = {.code = JRPC_OK};
    FUZZ_REQUIRE(jck_profile_load(&suite, fuzz_folder(), word, NULL, NULL, &error) == NULL);
    FUZZ_REQUIRE(error.code == JRPC_ERROR_USAGE && strstr(error.message, laid->name) != NULL);
    error.code = JRPC_OK;
    const jck_profile *plain =
        jck_profile_load(&suite, "/nowhere", JCK_PROFILE_DEFAULT, NULL, NULL, &error);
    FUZZ_REQUIRE(plain != NULL && plain->change_count == 0 && plain->suites == NULL);
    jrpc_arena_done(&suite.arena);
}

static void check_anew(const files *laid, const fuzz_input *input, const loaded *plain)
{
    jrpc_random random;
    jrpc_random_init(&random, fuzz_input_seed(input));
    lay_out(laid, input->text, &random);
    // A file can be named by its path as well.
    char path[512];
    (void)snprintf(path, sizeof path, "%s/profiles/%s.json", fuzz_folder(), laid->name);
    loaded again;
    load(&again, path, jrpc_allocator_heap());
    FUZZ_REQUIRE(again.told.count == plain->told.count);
    FUZZ_REQUIRE((again.profile == NULL) == (plain->profile == NULL));
    FUZZ_REQUIRE(again.profile == NULL ||
                 again.profile->change_count == plain->profile->change_count);
    jrpc_arena_done(&again.suite.arena);
}

// Memory that runs out while loading, applying or adopting.
static void check_starved(const files *laid, const loaded *plain, size_t successes)
{
    jrpc_failing_allocator failing;
    jrpc_failing_allocator_init(&failing, successes);
    jck_suite suite;
    fuzz_small_copy(&suite, &failing.allocator);
    fuzz_told told = {0};
    jrpc_error error = {.code = JRPC_OK};
    const jck_profile *profile =
        jck_profile_load(&suite, fuzz_folder(), laid->name, fuzz_tell, &told, &error);
    bool starved = failing.count > successes;
    FUZZ_REQUIRE((profile == NULL) == (error.code != JRPC_OK));
    FUZZ_REQUIRE((profile != NULL) == (plain->profile != NULL && !starved));
    FUZZ_REQUIRE(!starved || plain->profile == NULL || error.code == JRPC_ERROR_MEMORY);
    FUZZ_REQUIRE(starved || told.count == plain->told.count);
    if (profile != NULL) {
        error.code = JRPC_OK;
        bool applied = jck_profile_apply(&suite, profile, &error);
        FUZZ_REQUIRE(applied == (failing.count <= successes));
        FUZZ_REQUIRE(applied || error.code == JRPC_ERROR_MEMORY);
    }
    jrpc_arena_done(&suite.arena);
}

static void check(const fuzz_input *input, tree_pool *pool)
{
    files laid = {.count = 0};
    if (!read_files(pool, input->text, &laid)) {
        return;
    }
    lay_out(&laid, input->text, NULL);
    promise model = promise_read(pool, fuzz_small_suite(), laid.all, laid.count, laid.name);
    loaded plain;
    load(&plain, laid.name, jrpc_allocator_heap());
    FUZZ_REQUIRE(plain.told.memory == 0);
    FUZZ_REQUIRE(!model.wrong || plain.told.count != 0);
    FUZZ_REQUIRE(model.wrong || model.deep || plain.told.count == 0);
    if (input->options[1] != 0) {
        check_starved(&laid, &plain, input->options[1] - 1u);
    }
    if (fuzz_turn(input, 0, 8)) {
        check_all(&laid, pool);
    }
    if (fuzz_turn(input, 1, 8)) {
        check_unknown(&laid);
    }
    if (fuzz_turn(input, 1, 4)) {
        check_anew(&laid, input, &plain);
    }
    if (plain.profile != NULL) {
        apply(pool, &plain, &model, input->options[2]);
    }
    jrpc_arena_done(&plain.suite.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    tree_pool pool = {NULL};
    check(&input, &pool);
    tree_pool_done(&pool);
    return 0;
}
