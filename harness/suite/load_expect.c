// What a step expects.
#include "harness/suite/load.h"
#include "harness/suite/nearest.h"

// Forms of an expectation that is an Object, each recognised by one member.
static const struct {
    const char *member;
    jck_expect_kind kind;
    jrpc_json_kind value;
} forms[] = {
    {"any-of", JCK_EXPECT_ANY_OF, JRPC_JSON_ARRAY},
    {"batch", JCK_EXPECT_BATCH, JRPC_JSON_ARRAY},
    {"nothing", JCK_EXPECT_NOTHING, JRPC_JSON_TRUE},
    {"anything", JCK_EXPECT_ANYTHING, JRPC_JSON_TRUE},
    {"rejected", JCK_EXPECT_REJECTED, JRPC_JSON_STRING},
    {"closed", JCK_EXPECT_CLOSED, JRPC_JSON_TRUE},
    {"parser", JCK_EXPECT_PARSER, JRPC_JSON_STRING},
};

bool jck_check_rule(jck_reader *reader, const jck_scope *scope, jrpc_json at, jrpc_slice *ret)
{
    jrpc_slice id;
    if (!jck_read_kind(reader, at, "a rule", JRPC_JSON_STRING)) {
        return false;
    }
    if (!jrpc_json_string(at, reader->arena, &id)) {
        return jck_reader_starve(reader);
    }
    if (scope->suite != NULL && jck_suite_find_rule(scope->suite, id) == NULL) {
        jck_nearest nearest;
        char hint[160];
        jck_nearest_init(&nearest, id);
        for (size_t i = 0; i < scope->suite->rule_count; i++) {
            jck_nearest_offer(&nearest, scope->suite->rules[i].id);
        }
        return jck_wrong(reader, at, "the catalogue has no rule \"%.*s\"%s", JCK_WORD(id),
                         jck_nearest_hint(&nearest, hint, sizeof hint));
    }
    *ret = id;
    return true;
}

// The pattern without the members `as` and `rule`, which belong to the alternative around it. The
// copy has its own nodes over the same text, so places stay right.
static jrpc_json strip(jck_reader *reader, jrpc_json object)
{
    const jrpc_json_document *source = object.document;
    const jrpc_json_node *root = &source->nodes[object.index];
    jrpc_json_document *copy = jck_reader_array(reader, 1, sizeof *copy);
    jrpc_json_node *nodes =
        copy == NULL ? NULL : jck_reader_array(reader, root->next - object.index, sizeof *nodes);
    if (nodes == NULL) {
        return object;
    }
    uint32_t count = 1;
    nodes[0] = *root;
    jrpc_json_iterator members = jrpc_json_iterate(object);
    while (jrpc_json_step(&members)) {
        if (jrpc_json_string_is(members.key, JRPC_SLICE("as")) ||
            jrpc_json_string_is(members.key, JRPC_SLICE("rule")) ||
            jrpc_json_string_is(members.key, JRPC_SLICE("http-status"))) {
            nodes[0].count--;
            continue;
        }
        uint32_t from = members.key.index;
        uint32_t to = source->nodes[members.value.index].next;
        for (uint32_t i = from; i < to; i++) {
            nodes[count + i - from] = source->nodes[i];
            nodes[count + i - from].next = source->nodes[i].next - from + count;
        }
        count += to - from;
    }
    nodes[0].next = count;
    *copy = *source;
    copy->nodes = nodes;
    copy->count = count;
    copy->capacity = count;
    return jrpc_json_root(copy);
}

// Whether every element is an Object; each pattern is checked.
static void check_batch(jck_reader *reader, const jck_scope *scope, jrpc_json array)
{
    if (jrpc_json_count(array) == 0) {
        (void)jck_wrong(reader, array,
                        "a batch Response is never empty; expect \"nothing\" where none is owed");
    }
    jrpc_json_iterator elements = jrpc_json_iterate(array);
    while (jrpc_json_step(&elements)) {
        (void)jck_read_kind(reader, elements.value, "an element of a batch", JRPC_JSON_OBJECT);
    }
    jck_check_pattern(reader, scope, array);
}

// A Response, given by its members: names that are nearly a known one are typing errors. Others are
// allowed: extensions add members of their own. What a client's driver reports is not a Response.
static void check_response(jck_reader *reader, const jck_scope *scope, jrpc_json pattern)
{
    static const char *const known[] = {"jsonrpc",  "result", "error",   "id",
                                        "any-of",   "batch",  "nothing", "anything",
                                        "rejected", "closed", "parser",  NULL};
    jrpc_json_iterator members = jrpc_json_iterate(pattern);
    while (jrpc_json_step(&members) && scope->asked_count == 0) {
        jrpc_slice name;
        jck_nearest nearest;
        char hint[160];
        if (!jrpc_json_string(members.key, reader->arena, &name)) {
            (void)jck_reader_starve(reader);
            return;
        }
        if (name.len > 0 && name.ptr[0] == '$') {
            (void)jck_wrong(reader, members.key,
                            "a whole Response cannot be a matcher; name its members");
            continue;
        }
        jck_nearest_init(&nearest, name);
        jck_nearest_offer_all(&nearest, known);
        if (nearest.distance > 0 && jck_nearest_hint(&nearest, hint, sizeof hint)[0] != '\0') {
            (void)jck_wrong(reader, members.key, "no Response has a member \"%.*s\"%s",
                            JCK_WORD(name), hint);
        }
    }
    jck_check_pattern(reader, scope, pattern);
}

bool jck_taken_from_word(jrpc_slice word, jck_taken_as *ret_taken, jrpc_slice *ret_name)
{
    static const struct {
        const char *prefix;
        jck_taken_as taken;
    } named[] = {{"observe:", JCK_TAKEN_AS_OBSERVE}, {"enough:", JCK_TAKEN_AS_ENOUGH}};
    *ret_taken = JCK_TAKEN_AS_WARN;
    *ret_name = (jrpc_slice){NULL, 0};
    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        jrpc_slice prefix = jrpc_slice_str(named[i].prefix);
        if (jrpc_slice_starts_with(word, prefix) && word.len > prefix.len) {
            *ret_taken = named[i].taken;
            *ret_name = jrpc_slice_from(word, prefix.len);
            return true;
        }
    }
    return jrpc_slice_is(word, "warn");
}

static void load_as(jck_reader *reader, const jck_scope *scope, jrpc_json object, jck_expect *ret)
{
    jrpc_json rule = jrpc_json_get(object, "rule");
    if (jrpc_json_exists(rule)) {
        (void)jck_check_rule(reader, scope, rule, &ret->rule);
    }
    ret->http_status = jrpc_json_get(object, "http-status");
    if (jrpc_json_exists(ret->http_status)) {
        jck_check_pattern(reader, scope, ret->http_status);
    }
    jrpc_slice as;
    if (!jck_read_text(reader, object, "as", false, &as)) {
        return;
    }
    if (!jck_taken_from_word(as, &ret->taken_as, &ret->observation)) {
        (void)jck_wrong(reader, jrpc_json_get(object, "as"), "as is \"%.*s\"; it must be %s",
                        JCK_WORD(as), JCK_TAKEN_WORDS);
    }
}

static bool load_form(jck_reader *reader, const jck_scope *scope, jrpc_json object, bool inner,
                      jck_expect *ret);

void jck_load_alternatives(jck_reader *reader, const jck_scope *scope, jrpc_json array,
                           jck_expect *ret)
{
    jck_expect *alternatives =
        jck_reader_array(reader, jrpc_json_count(array), sizeof *alternatives);
    if (alternatives == NULL) {
        return;
    }
    size_t count = 0;
    jrpc_json_iterator elements = jrpc_json_iterate(array);
    while (jrpc_json_step(&elements)) {
        jck_expect alternative = {0};
        if (!jck_read_kind(reader, elements.value, "an alternative", JRPC_JSON_OBJECT)) {
            continue;
        }
        load_as(reader, scope, elements.value, &alternative);
        if (load_form(reader, scope, strip(reader, elements.value), true, &alternative)) {
            alternatives[count++] = alternative;
        }
    }
    if (jrpc_json_count(array) == 0) {
        (void)jck_wrong(reader, array, "any-of is empty; at least one alternative is needed");
    }
    ret->alternatives = alternatives;
    ret->alternative_count = count;
}

const char *jck_parser_owes_word(jck_parser_owes owes)
{
    static const char *const words[] = {"accepts", "refuses", "chooses"};
    return words[owes];
}

// {"parser": "accepts"}, or "refuses", or "chooses" with the name of the observation.
static bool load_parser(jck_reader *reader, jrpc_json object, jck_expect *ret)
{
    jrpc_json value = jrpc_json_get(object, "parser");
    (void)jck_read_word(reader, object, "observe", false, &ret->observation);
    for (int i = JCK_PARSER_ACCEPTS; i <= JCK_PARSER_CHOOSES; i++) {
        const char *word = jck_parser_owes_word((jck_parser_owes)i);
        if (jrpc_json_string_is(value, jrpc_slice_str(word))) {
            ret->parser = (jck_parser_owes)i;
            bool named = ret->observation.len > 0;
            return named == (ret->parser == JCK_PARSER_CHOOSES) ||
                   jck_wrong(reader, object,
                             "\"chooses\" needs \"observe\", the name of what is noted; nothing "
                             "else takes it");
        }
    }
    return jck_wrong(reader, value, "parser is \"accepts\", \"refuses\" or \"chooses\"");
}

// "status" beside "closed": the exit status of a process that ends.
static bool load_status(jck_reader *reader, jrpc_json object, jck_expect *ret)
{
    int64_t status = 0;
    ret->with_status = jrpc_json_exists(jrpc_json_get(object, "status"));
    bool read = jck_read_integer(reader, object, "status", false, 0, 255, &status);
    ret->status = (int)status;
    return read || !ret->with_status;
}

// One of `forms`, with a value of the kind that the form requires.
static bool load_special(jck_reader *reader, const jck_scope *scope, jrpc_json object, size_t form,
                         bool inner, jck_expect *ret)
{
    const char *const any_of[] = {forms[form].member, "else", NULL};
    const char *const batch[] = {forms[form].member, "in-order", NULL};
    const char *const parser[] = {forms[form].member, "observe", NULL};
    const char *const closed[] = {forms[form].member, "status", NULL};
    const char *const alone[] = {forms[form].member, NULL};
    jrpc_json value = jrpc_json_get(object, forms[form].member);
    bool is_any_of = forms[form].kind == JCK_EXPECT_ANY_OF;
    bool is_batch = forms[form].kind == JCK_EXPECT_BATCH;
    bool is_parser = forms[form].kind == JCK_EXPECT_PARSER;
    bool is_closed = forms[form].kind == JCK_EXPECT_CLOSED;
    (void)jck_read_object(reader, object, is_any_of ? "any-of" : "this form of expect",
                          is_any_of   ? any_of
                          : is_batch  ? batch
                          : is_parser ? parser
                          : is_closed ? closed
                                      : alone);
    if (is_batch) {
        (void)jck_read_flag(reader, object, "in-order", &ret->in_order);
    }
    if (is_any_of && inner) {
        return jck_wrong(reader, object,
                         "an any-of is inside another any-of; list all alternatives in one");
    }
    if (!jck_read_kind(reader, value, forms[form].member, forms[form].value)) {
        return false;
    }
    ret->kind = forms[form].kind;
    if (is_parser) {
        return load_parser(reader, object, ret);
    }
    if (is_closed) {
        return load_status(reader, object, ret);
    }
    if (ret->kind == JCK_EXPECT_REJECTED) {
        (void)jck_check_rule(reader, scope, value, &ret->rule);
    } else if (ret->kind == JCK_EXPECT_BATCH) {
        ret->pattern = value;
        check_batch(reader, scope, value);
    } else if (is_any_of) {
        jck_load_alternatives(reader, scope, value, ret);
        jrpc_json otherwise = jrpc_json_get(object, "else");
        if (jrpc_json_exists(otherwise)) {
            (void)jck_check_rule(reader, scope, otherwise, &ret->otherwise);
        }
    }
    return true;
}

// An Object: one of the forms, or the members of a Response.
static bool load_form(jck_reader *reader, const jck_scope *scope, jrpc_json object, bool inner,
                      jck_expect *ret)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (jrpc_json_exists(jrpc_json_get(object, forms[i].member))) {
            return load_special(reader, scope, object, i, inner, ret);
        }
    }
    jrpc_json stray = jrpc_json_get(object, "as");
    if (!jrpc_json_exists(stray)) {
        stray = jrpc_json_get(object, "else");
    }
    if (jrpc_json_exists(stray)) {
        (void)jck_wrong(reader, stray, "as and else have a meaning only with any-of");
    }
    ret->kind = JCK_EXPECT_RESPONSE;
    ret->pattern = object;
    check_response(reader, scope, object);
    return true;
}

bool jck_load_expect(jck_reader *reader, const jck_scope *scope, jrpc_json value,
                     jck_expect *ret_expect)
{
    jck_expect expect = {0};
    bool done = true;
    if (jrpc_json_string_is(value, JRPC_SLICE("nothing"))) {
        expect.kind = JCK_EXPECT_NOTHING;
    } else if (jrpc_json_string_is(value, JRPC_SLICE("anything"))) {
        expect.kind = JCK_EXPECT_ANYTHING;
    } else if (jrpc_json_string_is(value, JRPC_SLICE("owed"))) {
        expect.kind = JCK_EXPECT_OWED;
    } else if (jrpc_json_is(value, JRPC_JSON_ARRAY)) {
        expect.kind = JCK_EXPECT_BATCH;
        expect.pattern = value;
        check_batch(reader, scope, value);
    } else if (jrpc_json_is(value, JRPC_JSON_OBJECT)) {
        done = load_form(reader, scope, value, false, &expect);
    } else {
        done = jck_wrong(reader, value,
                         "expect is %s; it must be \"nothing\", \"anything\", \"owed\", a Response "
                         "as an Object, a "
                         "batch as an Array, or an Object with any-of, rejected or closed",
                         jrpc_json_is(value, JRPC_JSON_STRING)
                             ? "another String"
                             : jck_kind_name(jrpc_json_kind_of(value)));
    }
    if (done) {
        *ret_expect = expect;
    }
    return done;
}
