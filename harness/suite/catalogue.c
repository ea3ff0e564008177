// The catalogue of rules: one file per specification.
#include "harness/suite/load.h"

static const char *const file_members[] = {"schema",    "specification", "title", "url",
                                           "builds-on", "dialect",       "rules", NULL};
static const char *const rule_members[] = {
    "id",      "level",   "section", "title",     "sentence", "source",  "note",
    "departs", "lenient", "ground",  "stands-on", "needs",    "client",  "untestable",
    "judge",   "roles",   "about",   "since",     "until",    "classes", NULL};

// "J2-5.1d", "JS-number": no blanks, no wildcards, so that it can be typed and matched.
static bool is_rule_id(jrpc_slice id)
{
    for (size_t i = 0; i < id.len; i++) {
        char c = id.ptr[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
              c == '-' || c == '.' || c == '_')) {
            return false;
        }
    }
    return id.len > 0;
}

static void load_id(jck_reader *reader, const jck_suite *suite, jrpc_json object, jck_rule *ret)
{
    if (!jck_read_word(reader, object, "id", true, &ret->id)) {
        return;
    }
    jrpc_json at = jrpc_json_get(object, "id");
    if (!is_rule_id(ret->id)) {
        (void)jck_wrong(reader, at,
                        "the id \"%.*s\" has characters other than letters, digits, -, . and _",
                        JCK_WORD(ret->id));
    }
    const jck_rule *other = jck_suite_find_rule(suite, ret->id);
    if (other != NULL) {
        (void)jck_wrong(reader, at,
                        "the id \"%.*s\" is taken by the rule at %s:%zu; choose another",
                        JCK_WORD(ret->id), other->file, other->line);
    }
}

static void load_reasons(jck_reader *reader, jrpc_json object, jck_rule *ret)
{
    size_t reasons = 0;
    reasons += jck_read_word(reader, object, "untestable", false, &ret->untestable) ? 1 : 0;
    reasons += jck_read_word(reader, object, "client", false, &ret->client) ? 1 : 0;
    reasons += jck_read_word(reader, object, "judge", false, &ret->judge) ? 1 : 0;
    if (reasons > 1) {
        (void)jck_wrong(reader, object, "only one of untestable, client and judge may be given");
    }
}

// The roles of the rule for the judge.
static void load_roles(jck_reader *reader, jrpc_json object, jck_rule *ret)
{
    const jrpc_slice *words = NULL;
    size_t count = 0;
    if (jck_read_words(reader, object, "roles", false, &words, &count)) {
        for (size_t i = 0; i < count; i++) {
            jck_role role;
            if (jck_role_from_name(words[i], &role)) {
                jck_role_set_add(&ret->roles, role);
            } else {
                (void)jck_wrong(reader, jrpc_json_get(object, "roles"), "there is no role \"%.*s\"",
                                JCK_WORD(words[i]));
            }
        }
    }
    if (jck_read_words(reader, object, "about", false, &words, &count)) {
        for (size_t i = 0; i < count; i++) {
            jck_topic topic;
            if (jck_topic_from_name(words[i], &topic)) {
                ret->topics |= (unsigned)topic;
            } else {
                (void)jck_wrong(reader, jrpc_json_get(object, "about"),
                                "there is no topic \"%.*s\"", JCK_WORD(words[i]));
            }
        }
    }
}

static bool grow(jck_reader *reader, jck_suite *suite)
{
    if (suite->rule_count < suite->rule_capacity) {
        return true;
    }
    size_t capacity = suite->rule_capacity == 0 ? 32 : suite->rule_capacity * 2;
    jck_rule *rules = jck_reader_array(reader, capacity, sizeof *rules);
    if (rules == NULL) {
        return false;
    }
    for (size_t i = 0; i < suite->rule_count; i++) {
        rules[i] = suite->rules[i];
    }
    suite->rules = rules;
    suite->rule_capacity = capacity;
    return true;
}

static void load_rule(jck_reader *reader, jck_suite *suite, jrpc_json object,
                      const jck_rule *common)
{
    jck_rule rule = *common;
    const jrpc_slice *needs;
    size_t need_count;
    if (!jck_read_object(reader, object, "a rule", rule_members)) {
        return;
    }
    rule.line = jck_reader_line(reader, object);
    load_id(reader, suite, object, &rule);
    jrpc_json level = jrpc_json_get(object, "level");
    if (!jck_level_from_letter(level, &rule.level)) {
        (void)jck_wrong(reader, jrpc_json_exists(level) ? level : object,
                        "a rule needs the level \"M\", \"S\" or \"O\"");
    }
    (void)jck_read_text(reader, object, "section", true, &rule.section);
    (void)jck_read_word(reader, object, "title", true, &rule.title);
    (void)jck_read_word(reader, object, "sentence", true, &rule.sentence);
    (void)jck_read_word(reader, object, "source", true, &rule.source);
    (void)jck_read_word(reader, object, "note", false, &rule.note);
    (void)jck_read_word(reader, object, "ground", false, &rule.ground);
    (void)jck_read_flag(reader, object, "departs", &rule.departs);
    (void)jck_read_flag(reader, object, "lenient", &rule.lenient);
    (void)jck_read_words(reader, object, "needs", false, &needs, &need_count);
    (void)jck_read_words(reader, object, "stands-on", false, &rule.stands_on,
                         &rule.stands_on_count);
    jck_load_span(reader, object, &rule.span);
    (void)jck_read_words(reader, object, "classes", false, &rule.classes, &rule.class_count);
    load_reasons(reader, object, &rule);
    load_roles(reader, object, &rule);
    if (rule.id.len > 0 && grow(reader, suite)) {
        if (!jck_index_add(&suite->rule_index, reader->arena, rule.id, suite->rule_count)) {
            (void)jck_reader_starve(reader);
            return;
        }
        suite->rules[suite->rule_count++] = rule;
        suite->rules_indexed = suite->rule_count;
    }
}

static void load_specification(jck_reader *reader, jck_suite *suite, jrpc_json root,
                               jrpc_slice name)
{
    jck_specification read = {.name = name, .file = reader->file};
    jrpc_slice dialect = JRPC_SLICE("2.0");
    (void)jck_read_words(reader, root, "builds-on", false, &read.builds_on, &read.builds_on_count);
    (void)jck_read_word(reader, root, "dialect", false, &dialect);
    if (jrpc_slice_is(dialect, "1.0")) {
        read.dialect = JCK_DIALECT_1_0;
    } else if (!jrpc_slice_is(dialect, "2.0")) {
        (void)jck_wrong(reader, jrpc_json_get(root, "dialect"),
                        "the dialect is \"2.0\" or \"1.0\"");
    }
    if (suite->specification_count == JCK_LIMIT_SPECIFICATIONS) {
        (void)jck_wrong(reader, root, "a catalogue has at most %d specifications",
                        JCK_LIMIT_SPECIFICATIONS);
        return;
    }
    suite->specifications[suite->specification_count++] = read;
}

bool jck_load_rules(jck_reader *reader, jck_suite *suite, jrpc_json root)
{
    jck_rule common = {.file = reader->file};
    jrpc_slice ignored;
    if (!jck_read_object(reader, root, "a catalogue file", file_members)) {
        return false;
    }
    jck_read_schema(reader, root);
    (void)jck_read_word(reader, root, "specification", true, &common.specification);
    (void)jck_read_word(reader, root, "title", true, &ignored);
    (void)jck_read_word(reader, root, "url", false, &ignored);
    load_specification(reader, suite, root, common.specification);
    jrpc_json rules = jrpc_json_get(root, "rules");
    if (!jrpc_json_exists(rules)) {
        return jck_wrong(reader, root, "the member \"rules\" is missing");
    }
    if (!jck_read_kind(reader, rules, "rules", JRPC_JSON_ARRAY)) {
        return false;
    }
    jrpc_json_iterator elements = jrpc_json_iterate(rules);
    while (jrpc_json_step(&elements)) {
        load_rule(reader, suite, elements.value, &common);
    }
    return true;
}
