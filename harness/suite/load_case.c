// Case files.
#include "harness/suite/load.h"
#include "harness/suite/load_table.h"
#include "harness/suite/nearest.h"
#include "harness/suite/variables.h"

static const char *const file_members[] = {"schema", "suite", "section", "title", "cases", NULL};
static const char *const case_members[] = {
    "id",     "title",  "rules",   "catches",   "needs",    "why",         "aliases", "level-of",
    "hazard", "steps",  "send",    "send-text", "send-hex", "send-repeat", "chunks",  "raw",
    "on",     "expect", "capture", "role",      "http",     "websocket",   "table",   "bare",
    "since",  "until",  "found",   "requests",  NULL};
static const char *const sending_members[] = {"send",    "send-text", "send-hex",  "send-repeat",
                                              "chunks",  "raw",       "on",        "expect",
                                              "capture", "http",      "websocket", NULL};

// A stable slug: at least two segments of lower-case letters, digits, '.', '-', '_'.
static bool is_slug(jrpc_slice id)
{
    size_t slashes = 0;
    char before = '/';
    for (size_t i = 0; i < id.len; i++) {
        char c = id.ptr[i];
        bool plain =
            (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
        if (!plain && (c != '/' || before == '/')) {
            return false;
        }
        slashes += c == '/' ? 1 : 0;
        before = c;
    }
    return slashes > 0 && before != '/';
}

static void check_taken(jck_reader *reader, const jck_suite *suite, jrpc_json at, jrpc_slice id)
{
    const jck_case *other = jck_suite_find_case(suite, id);
    if (other != NULL) {
        (void)jck_wrong(reader, at,
                        "the id \"%.*s\" is taken by the case at %s:%zu; choose another",
                        JCK_WORD(id), other->file, other->line);
    }
}

static void load_id(jck_reader *reader, const jck_suite *suite, jrpc_json object, jck_case *ret)
{
    if (jck_read_word(reader, object, "id", true, &ret->id)) {
        jrpc_json at = jrpc_json_get(object, "id");
        if (!is_slug(ret->id)) {
            (void)jck_wrong(
                reader, at,
                "the id \"%.*s\" is not a slug; write section/name in small letters, digits, - "
                "and .",
                JCK_WORD(ret->id));
        }
        check_taken(reader, suite, at, ret->id);
    }
    if (jck_read_words(reader, object, "aliases", false, &ret->aliases, &ret->alias_count)) {
        for (size_t i = 0; i < ret->alias_count; i++) {
            check_taken(reader, suite, jrpc_json_get(object, "aliases"), ret->aliases[i]);
        }
    }
}

static void load_rules_of_case(jck_reader *reader, const jck_scope *scope, jrpc_json object,
                               jck_case *ret)
{
    if (!jck_read_words(reader, object, "rules", true, &ret->rules, &ret->rule_count)) {
        return;
    }
    jrpc_json_iterator rules = jrpc_json_iterate(jrpc_json_get(object, "rules"));
    while (jrpc_json_step(&rules)) {
        jrpc_slice id;
        if (jrpc_json_is(rules.value, JRPC_JSON_STRING) &&
            jck_check_rule(reader, scope, rules.value, &id) && scope->suite != NULL) {
            const jck_rule *rule = jck_suite_find_rule(scope->suite, id);
            jck_role_set_join(&ret->roles, &rule->roles);
            ret->departs = ret->departs || (jrpc_slice_equal(id, ret->rules[0]) && rule->departs);
        }
    }
    jrpc_json levels = jrpc_json_get(object, "level-of");
    if (!jrpc_json_exists(levels) || !jck_read_kind(reader, levels, "level-of", JRPC_JSON_OBJECT)) {
        return;
    }
    ret->level_of = levels;
    jrpc_json_iterator members = jrpc_json_iterate(levels);
    while (jrpc_json_step(&members)) {
        jck_level level;
        jrpc_slice id;
        (void)jck_check_rule(reader, scope, members.key, &id);
        if (!jck_level_from_letter(members.value, &level)) {
            (void)jck_wrong(reader, members.value, "a level is \"M\", \"S\" or \"O\"");
        }
    }
}

// What a target declares because its prelude captured it is a variable too.
static void know_captured(jck_reader *reader, jrpc_json object, jck_scope *scope)
{
    jrpc_slice declares = JRPC_SLICE("declares:");
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_get(object, "needs"));
         jrpc_json_step(&it) && scope->captured_count < JCK_LIMIT_CAPTURES;) {
        jrpc_slice need;
        if (jrpc_json_string(it.value, reader->arena, &need) &&
            jrpc_slice_starts_with(need, declares) &&
            jck_is_plain_name(jrpc_slice_from(need, declares.len))) {
            scope->captured[scope->captured_count++] = jrpc_slice_from(need, declares.len);
        }
    }
}

static void load_needs(jck_reader *reader, jrpc_json object, const jck_scope *scope, jck_case *ret)
{
    bool connections = false;
    if (jck_read_words(reader, object, "needs", false, &ret->needs, &ret->need_count)) {
        jrpc_json_iterator needs = jrpc_json_iterate(jrpc_json_get(object, "needs"));
        while (jrpc_json_step(&needs)) {
            jrpc_slice need;
            if (jrpc_json_string(needs.value, reader->arena, &need)) {
                (void)jck_check_need(reader, needs.value, need);
                connections = connections || jrpc_slice_is(need, "connections");
            }
        }
    }
    if (scope->other_connection && !connections) {
        (void)jck_wrong(reader, object,
                        "a step uses a second connection; add \"connections\" to needs");
    }
}

// Whether the client runs by itself: then the case only serves it.
static void note_undriven(jck_reader *reader, jrpc_json steps, jck_case *ret)
{
    size_t serving = 0;
    for (size_t i = 0; i < ret->step_count; i++) {
        serving += ret->steps[i].kind == JCK_STEP_SERVE;
    }
    ret->undriven = serving > 0;
    if (serving > 0 && serving < ret->step_count) {
        (void)jck_wrong(
            reader, steps,
            "a case with serve runs a client without a driver: it cannot have any other kind "
            "of step");
    }
}

static void load_steps_of_case(jck_reader *reader, jck_scope *scope, jrpc_json object,
                               jck_case *ret)
{
    jrpc_json steps = jrpc_json_get(object, "steps");
    if (jrpc_json_exists(steps)) {
        for (const char *const *member = sending_members; *member != NULL; member++) {
            jrpc_json stray = jrpc_json_get(object, *member);
            if (jrpc_json_exists(stray)) {
                (void)jck_wrong(reader, stray,
                                "%s is given together with steps; move it into a step", *member);
            }
        }
        size_t wrong = reader->wrong;
        bool client = ret->side == JCK_SIDE_CLIENT;
        (void)(client ? jck_load_client_steps(reader, scope, steps, &ret->steps, &ret->step_count)
                      : jck_load_steps(reader, scope, steps, &ret->steps, &ret->step_count));
        note_undriven(reader, steps, ret);
        if (reader->wrong == wrong && !scope->judges) {
            (void)jck_wrong(reader, steps, "no step states what it expects; add %s",
                            client ? "hear, outcome or serve" : "expect or receive");
        }
        return;
    }
    if (ret->side == JCK_SIDE_CLIENT) {
        (void)jck_wrong(reader, object, "a case that tests a client needs \"steps\"");
        return;
    }
    jck_step *step = jck_reader_array(reader, 1, sizeof *step);
    if (step == NULL) {
        return;
    }
    size_t wrong = reader->wrong;
    if (!jck_load_send_step(reader, scope, object, step)) {
        (void)jck_wrong(
            reader, object,
            "the case sends nothing; it needs send, send-text, send-hex, send-repeat or "
            "steps");
        return;
    }
    if (reader->wrong == wrong && !scope->judges) {
        (void)jck_wrong(reader, object, "the member \"expect\" is missing");
    }
    ret->steps = step;
    ret->step_count = 1;
}

const char *jck_side_name(jck_side side)
{
    switch (side) {
    case JCK_SIDE_SERVER:
        return "server";
    case JCK_SIDE_CLIENT:
        return "client";
    case JCK_SIDE_PARSER:
        return "parser";
    }
    return "server";
}

// "role": which side the case tests.
static void load_side(jck_reader *reader, jrpc_json object, jck_case *ret)
{
    jrpc_slice role;
    if (!jck_read_text(reader, object, "role", false, &role)) {
        return;
    }
    ret->side = JCK_SIDE_PARSER;
    while (ret->side > JCK_SIDE_SERVER && !jrpc_slice_is(role, jck_side_name(ret->side))) {
        ret->side--;
    }
    if (!jrpc_slice_is(role, jck_side_name(ret->side))) {
        (void)jck_wrong(
            reader, jrpc_json_get(object, "role"),
            "role is \"%.*s\"; a case tests a \"server\" (the default), a \"client\" or "
            "a \"parser\"",
            JCK_WORD(role));
    }
}

// "requests": for each method of the server's own requests, the answers they get in turn.
static void load_requests(jck_reader *reader, jrpc_json object, jck_case *ret)
{
    static const char *const members[] = {"result", "error", NULL};
    jrpc_json requests = jrpc_json_get(object, "requests");
    if (!jrpc_json_exists(requests) ||
        !jck_read_kind(reader, requests, "requests", JRPC_JSON_OBJECT)) {
        return;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(requests); jrpc_json_step(&it);) {
        if (!jck_read_kind(reader, it.value, "the answers to a method", JRPC_JSON_ARRAY)) {
            continue;
        }
        for (jrpc_json_iterator one = jrpc_json_iterate(it.value); jrpc_json_step(&one);) {
            if (jck_read_object(reader, one.value, "an answer", members) &&
                jrpc_json_count(one.value) != 1) {
                (void)jck_wrong(reader, one.value, "an answer has a result or an error");
            }
        }
    }
    ret->requests = requests;
}

// Reads one case; mistakes are reported. False if it is not an Object with a case's members.
static bool read_case(jck_reader *reader, const jck_suite *suite, jrpc_json object, jck_case *ret)
{
    jck_scope scope = {.suite = suite};
    if (!jck_read_object(reader, object, "a case", case_members)) {
        return false;
    }
    jrpc_json table = jrpc_json_get(object, "table");
    if (jrpc_json_exists(table)) {
        (void)jck_wrong(reader, table, "a row of a table cannot become a table itself");
    }
    ret->line = jck_reader_line(reader, object);
    load_id(reader, suite, object, ret);
    (void)jck_read_word(reader, object, "title", true, &ret->title);
    (void)jck_read_word(reader, object, "why", false, &ret->why);
    (void)jck_read_words(reader, object, "catches", false, &ret->catches, &ret->catch_count);
    (void)jck_read_word(reader, object, "found", false, &ret->found);
    (void)jck_read_flag(reader, object, "hazard", &ret->hazard);
    (void)jck_read_flag(reader, object, "bare", &ret->bare);
    load_requests(reader, object, ret);
    jck_load_span(reader, object, &ret->span);
    load_rules_of_case(reader, &scope, object, ret);
    load_side(reader, object, ret);
    know_captured(reader, object, &scope);
    load_steps_of_case(reader, &scope, object, ret);
    load_needs(reader, object, &scope, ret);
    return true;
}

bool jck_case_read(const jck_suite *suite, jrpc_slice text, jrpc_slice folder, jrpc_arena *arena,
                   jck_case *ret_case, jrpc_error *error)
{
    jck_reader reader;
    jrpc_json root;
    jck_reader_init(&reader, arena, NULL, NULL, error);
    reader.text = text;
    *ret_case = (jck_case){.suite = folder, .section = folder};
    return jck_reader_parse(&reader, &root) && read_case(&reader, suite, root, ret_case) &&
           reader.wrong == 0;
}

static void load_case(jck_reader *reader, jck_suite *suite, jrpc_json object,
                      const jck_case *common)
{
    jck_case loaded = *common;
    if (!read_case(reader, suite, object, &loaded)) {
        return;
    }
    // Add it to the list before the index, so that a name never leads to a missing case.
    const size_t number = suite->case_count;
    bool indexed = jck_suite_append(suite, &loaded) != NULL &&
                   jck_index_add(&suite->case_index, reader->arena, loaded.id, number);
    for (size_t i = 0; i < loaded.alias_count && indexed; i++) {
        indexed = jck_index_add(&suite->case_index, reader->arena, loaded.aliases[i], number);
    }
    if (!indexed) {
        (void)jck_reader_starve(reader);
        return;
    }
    suite->cases_indexed = suite->case_count;
}

// What is needed to make a case of a table's row.
typedef struct row_loading {
    jck_reader *reader;
    jck_suite *suite;
    const jck_case *common;
} row_loading;

static void load_row(void *context, jrpc_json object)
{
    const row_loading *loading = context;
    load_case(loading->reader, loading->suite, object, loading->common);
}

bool jck_load_cases(jck_reader *reader, jck_suite *suite, jrpc_json root, const char *folder)
{
    jck_case common = {.file = reader->file};
    jrpc_slice title;
    if (!jck_read_object(reader, root, "a case file", file_members)) {
        return false;
    }
    jck_read_schema(reader, root);
    (void)jck_read_word(reader, root, "title", true, &title);
    (void)jck_read_word(reader, root, "section", true, &common.section);
    if (jck_read_word(reader, root, "suite", true, &common.suite) &&
        !jrpc_slice_is(common.suite, folder)) {
        (void)jck_wrong(reader, jrpc_json_get(root, "suite"),
                        "the suite is \"%.*s\" but the file is in the folder %s; make them agree",
                        JCK_WORD(common.suite), folder);
    }
    jrpc_json cases = jrpc_json_get(root, "cases");
    if (!jrpc_json_exists(cases)) {
        return jck_wrong(reader, root, "the member \"cases\" is missing");
    }
    if (!jck_read_kind(reader, cases, "cases", JRPC_JSON_ARRAY)) {
        return false;
    }
    jrpc_json_iterator elements = jrpc_json_iterate(cases);
    while (jrpc_json_step(&elements)) {
        if (jrpc_json_exists(jrpc_json_get(elements.value, "table"))) {
            row_loading loading = {reader, suite, &common};
            jck_load_table(reader, elements.value, load_row, &loading);
        } else {
            load_case(reader, suite, elements.value, &common);
        }
    }
    return true;
}
