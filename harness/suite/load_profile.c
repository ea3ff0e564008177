// Profiles: one file each.
#include "harness/suite/load_profile.h"

#include "harness/suite/file.h"
#include "harness/suite/nearest.h"
#include "harness/suite/target_private.h"

// How many profiles may extend each other in a chain.
#define CHAIN_MAX 8

static const char *const file_members[] = {
    "schema",        "profile",         "title",    "url",       "extends",        "suites",
    "client-suites", "client-requests", "strict",   "discover",  "framing",        "prelude",
    "postlude",      "requests",        "declares", "methods",   "levels",         "accept",
    "leave-out",     "headers",         "revision", "revisions", "request-params", "statuses",
    "recognise",     "refusals",        NULL};

static bool is_path(const char *word)
{
    size_t len = strlen(word);
    return strchr(word, '/') != NULL || (len > 5 && strcmp(word + len - 5, ".json") == 0);
}

// Reports that there is no such profile, and what was probably meant.
static bool refuse_name(jrpc_arena *arena, const char *directory, const char *word,
                        jrpc_error *error)
{
    jck_nearest nearest;
    char hint[160];
    char known[300];
    const char **names = jck_profile_names(arena, directory);
    if (names == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    jck_nearest_init(&nearest, jrpc_slice_str(word));
    jck_nearest_offer_all(&nearest, names);
    bool near = jck_nearest_hint(&nearest, hint, sizeof hint)[0] != '\0';
    return jrpc_error_set(error, JRPC_ERROR_USAGE, "there is no profile '%.60s'%s%s%s", word, hint,
                          near ? " Known are " : "; known are ",
                          jck_word_list(names, known, sizeof known));
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

static void load_suites(jck_profile_loading *load, const char *member,
                        const char *const **ret_suites, size_t *ret_count)
{
    jrpc_json array = jrpc_json_get(load->root, member);
    if (!jrpc_json_exists(array) || !jck_read_kind(&load->reader, array, member, JRPC_JSON_ARRAY)) {
        return;
    }
    const char **suites =
        jck_reader_array(&load->reader, (size_t)jrpc_json_count(array) + 1, sizeof *suites);
    size_t count = 0;
    jrpc_json_iterator elements = jrpc_json_iterate(array);
    while (suites != NULL && jrpc_json_step(&elements)) {
        jck_nearest nearest;
        char hint[160];
        if (!jck_read_string_value(&load->reader, elements.value, "a suite", &suites[count])) {
            continue;
        }
        jck_nearest_init(&nearest, jrpc_slice_str(suites[count]));
        for (size_t i = 0; i < load->suite->case_count; i++) {
            jck_nearest_offer(&nearest, load->suite->cases[i].suite);
        }
        if (!has_suite(load->suite, suites[count])) {
            (void)jck_wrong(&load->reader, elements.value, "there is no suite \"%s\"%s",
                            suites[count], jck_nearest_hint(&nearest, hint, sizeof hint));
        }
        count++;
    }
    if (suites != NULL && count == 0) {
        (void)jck_wrong(&load->reader, array, "%s is empty; leave it out for the default ones",
                        member);
    }
    *ret_suites = suites;
    *ret_count = count;
}

// Headers, which may use what the prelude captures, and members that the params of requests carry.
static void load_marks(jck_profile_loading *load, const jck_scope *captured)
{
    jck_profile *profile = load->profile;
    jck_places places = {.arena = load->reader.arena,
                         .later = captured->captured,
                         .later_count = captured->captured_count};
    jrpc_json headers = jrpc_json_get(load->root, "headers");
    jrpc_json params = jrpc_json_get(load->root, "request-params");
    jck_header_lists lists;
    if (jrpc_json_exists(headers)) {
        jck_load_headers(&load->reader, &places, headers, &lists);
        profile->headers = lists.plain;
        profile->session_headers = lists.session;
        profile->mirrors = lists.mirrors;
        profile->mirror_count = lists.mirror_count;
    }
    if (jrpc_json_exists(params) &&
        jck_read_kind(&load->reader, params, "request-params", JRPC_JSON_OBJECT)) {
        profile->request_params = params;
    }
}

static void load_speech(jck_profile_loading *load)
{
    jck_profile *profile = load->profile;
    jck_scope scope = {0};
    jck_read_framing(&load->reader, load->root, &profile->framing_given, &profile->framing);
    jck_read_statuses(&load->reader, load->root, &profile->orderly_statuses,
                      &profile->orderly_status_count);
    jrpc_json prelude = jrpc_json_get(load->root, "prelude");
    jrpc_json postlude = jrpc_json_get(load->root, "postlude");
    jrpc_json requests = jrpc_json_get(load->root, "requests");
    if (jrpc_json_exists(prelude)) {
        (void)jck_load_steps(&load->reader, &scope, prelude, &profile->prelude,
                             &profile->prelude_count);
    }
    load_marks(load, &scope);
    jck_load_methods(&load->reader, &scope, jrpc_json_get(load->root, "methods"),
                     &profile->mappings, &profile->mapping_count);
    if (jrpc_json_exists(postlude)) {
        (void)jck_load_steps(&load->reader, &scope, postlude, &profile->postlude,
                             &profile->postlude_count);
    }
    if (jrpc_json_exists(requests) &&
        jck_read_kind(&load->reader, requests, "requests", JRPC_JSON_OBJECT)) {
        profile->requests = requests;
    }
    jrpc_json client_requests = jrpc_json_get(load->root, "client-requests");
    if (jrpc_json_exists(client_requests) &&
        jck_read_kind(&load->reader, client_requests, "client-requests", JRPC_JSON_OBJECT)) {
        profile->client_requests = client_requests;
    }
}

// Other profiles, which must exist and name the sign that they are spoken.
static void load_revisions(jck_profile_loading *load)
{
    const jrpc_slice *names = NULL;
    size_t count = 0;
    jrpc_json array = jrpc_json_get(load->root, "revisions");
    load->profile->revisions = NULL; // those of an extended profile are not its own
    load->profile->revision_count = 0;
    if (!jck_read_words(&load->reader, load->root, "revisions", false, &names, &count)) {
        return;
    }
    const char **words = jck_reader_array(&load->reader, count + 1, sizeof *words);
    for (size_t i = 0; words != NULL && i < count; i++) {
        jrpc_slice word = {NULL, 0};
        const char *path = NULL;
        if (jrpc_arena_copy(load->reader.arena, names[i], &word)) {
            path = jrpc_arena_printf(load->reader.arena, "%s/profiles/%s.json", load->directory,
                                     word.ptr);
        }
        if (path == NULL) {
            (void)jck_reader_starve(&load->reader);
            return;
        }
        words[i] = word.ptr;
        if (strlen(word.ptr) != word.len) {
            (void)jck_wrong(&load->reader, array, "revisions holds U+0000");
        } else if (jck_file_kind_of(path) != JCK_FILE_PLAIN) {
            (void)jck_wrong(&load->reader, array, "there is no profile \"%.*s\"", JCK_WORD(word));
        }
    }
    load->profile->revisions = words;
    load->profile->revision_count = words == NULL ? 0 : count;
}

// A file must be named like its profile, so that it is found by name.
static void check_name(jck_profile_loading *load)
{
    const char *slash = strrchr(load->reader.file, '/');
    jrpc_slice base = jrpc_slice_str(slash == NULL ? load->reader.file : slash + 1);
    jrpc_slice name = load->profile->name;
    jrpc_slice end = jrpc_slice_str(".json");
    bool same = base.len == name.len + end.len && jrpc_slice_starts_with(base, name) &&
                jrpc_slice_equal(jrpc_slice_from(base, name.len), end);
    if (!same) {
        (void)jck_wrong(&load->reader, jrpc_json_get(load->root, "profile"),
                        "the profile is \"%.*s\" but the file is %.*s; make them agree",
                        JCK_WORD(name), JCK_WORD(base));
    }
}

static const jck_profile *load_profile(jck_reader *outer, jck_suite *suite, const char *directory,
                                       const char *word, size_t depth);

// The profile that this one extends is its starting point.
static void load_extended(jck_profile_loading *load, size_t depth)
{
    const char *extends;
    jrpc_json at = jrpc_json_get(load->root, "extends");
    if (!jrpc_json_exists(at) || !jck_read_string_value(&load->reader, at, "extends", &extends)) {
        return;
    }
    jrpc_error error = {0};
    const char *path =
        jrpc_arena_printf(load->reader.arena, "%s/profiles/%s.json", load->directory, extends);
    bool exists =
        path != NULL && jck_file_kind_of(is_path(extends) ? extends : path) == JCK_FILE_PLAIN;
    if (!exists && strcmp(extends, JCK_PROFILE_DEFAULT) != 0) {
        (void)refuse_name(load->reader.arena, load->directory, extends, &error);
        (void)jck_wrong(&load->reader, at, "%s", error.message);
        return;
    }
    if (depth == CHAIN_MAX) {
        (void)jck_wrong(&load->reader, at,
                        "profiles extend each other in a cycle, or more than "
                        "%d deep",
                        CHAIN_MAX);
        return;
    }
    const jck_profile *extended =
        load_profile(&load->reader, load->suite, load->directory, extends, depth + 1);
    if (extended != NULL) {
        jrpc_slice name = load->profile->name;
        *load->profile = *extended;
        load->profile->extends = extended->name;
        load->profile->name = name;
        load->profile->url = (jrpc_slice){NULL, 0};
    }
}

static void load_members(jck_profile_loading *load, size_t depth)
{
    jck_profile *profile = load->profile;
    bool discover = true;
    jck_read_schema(&load->reader, load->root);
    if (jck_read_word(&load->reader, load->root, "profile", true, &profile->name)) {
        check_name(load);
    }
    load_extended(load, depth);
    (void)jck_read_word(&load->reader, load->root, "title", true, &profile->title);
    (void)jck_read_word(&load->reader, load->root, "url", false, &profile->url);
    (void)jck_read_flag(&load->reader, load->root, "strict", &profile->strict);
    if (jck_read_flag(&load->reader, load->root, "discover", &discover)) {
        profile->no_discover = !discover;
    }
    (void)jck_read_words(&load->reader, load->root, "declares", false, &profile->declares,
                         &profile->declare_count);
    load_suites(load, "suites", &load->profile->suites, &load->profile->suite_count);
    load_suites(load, "client-suites", &load->profile->client_suites,
                &load->profile->client_suite_count);
    load_speech(load);
    (void)jck_read_word(&load->reader, load->root, "revision", false, &profile->revision);
    load_revisions(load);
    jck_load_refusals(&load->reader, load->root, &profile->refusals, &profile->refusal_count);
    jck_recognition checked; // it applies to this file only, and no run needs it
    (void)jck_load_recognition(&load->reader, load->root, &checked);
    jck_load_changes(load);
}

// Loads the existing profile named `word`. NULL after a diagnostic.
static const jck_profile *load_profile(jck_reader *outer, jck_suite *suite, const char *directory,
                                       const char *word, size_t depth)
{
    jck_profile_loading load = {.suite = suite, .directory = directory};
    const char *file =
        is_path(word) ? word
                      : jrpc_arena_printf(outer->arena, "%s/profiles/%s.json", directory, word);
    load.profile = jck_reader_array(outer, 1, sizeof *load.profile);
    if (file == NULL || load.profile == NULL) {
        (void)jck_reader_starve(outer);
        return NULL;
    }
    *load.profile = (jck_profile){.name = JRPC_SLICE(JCK_PROFILE_DEFAULT),
                                  .title = JRPC_SLICE("the specification as it is written")};
    if (jck_file_kind_of(file) != JCK_FILE_PLAIN && strcmp(word, JCK_PROFILE_DEFAULT) == 0) {
        return load.profile;
    }
    jck_reader_init(&load.reader, outer->arena, outer->diagnose, outer->context, outer->first);
    if (jck_reader_open(&load.reader, file, &load.root) &&
        jck_read_object(&load.reader, load.root, "a profile", file_members)) {
        load_members(&load, depth);
    }
    outer->wrong += load.reader.wrong;
    outer->starved = outer->starved || load.reader.starved;
    return load.reader.wrong == 0 ? load.profile : NULL;
}

const jck_profile *jck_profile_load(jck_suite *suite, const char *directory, const char *word,
                                    jck_diagnose diagnose, void *context, jrpc_error *error)
{
    jrpc_arena *arena = &suite->arena;
    const char *path = jrpc_arena_printf(arena, "%s/profiles/%s.json", directory, word);
    if (path == NULL) {
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    bool known = is_path(word) || jck_file_kind_of(path) == JCK_FILE_PLAIN ||
                 strcmp(word, JCK_PROFILE_DEFAULT) == 0;
    if (!known) {
        (void)refuse_name(arena, directory, word, error);
        if (diagnose != NULL) {
            diagnose(context, error);
        }
        return NULL;
    }
    jck_reader reader;
    jck_reader_init(&reader, arena, diagnose, context, error);
    return load_profile(&reader, suite, directory, word, 1);
}

bool jck_profile_check_all(jck_suite *suite, const char *directory, jck_diagnose diagnose,
                           void *context, jrpc_error *error)
{
    const char **names = jck_profile_names(&suite->arena, directory);
    if (names == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory");
    }
    for (; *names != NULL; names++) {
        jrpc_error first = {0};
        (void)jck_profile_load(suite, directory, *names, diagnose, context, &first);
    }
    return true;
}
