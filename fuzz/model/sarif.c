#include "fuzz/model/sarif.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/plain.h"
#include "fuzz/model/unsafe.h"

static const char *const levels[] = {"note", "warning", "error"};

static jrpc_slice text_of(const tree *object, const char *name)
{
    const tree *value = object == NULL ? NULL : tree_member(object, name);
    return value != NULL && value->kind == 's' ? value->content : (jrpc_slice){"", 0};
}

static bool flag_of(const tree *object, const char *name)
{
    const tree *value = tree_member(object, name);
    return value != NULL && value->kind == 'b' && value->spelling.ptr[0] == 't';
}

// As the schema of events: what is neither is a MUST.
static int level_of(const tree *object)
{
    const tree *level = tree_member(object, "level");
    return tree_is_text(level, "OBSERVE") ? 0 : tree_is_text(level, "SHOULD") ? 1 : 2;
}

static bool is_known(const tree *finding)
{
    return flag_of(finding, "known") && !flag_of(finding, "repeats");
}

// Whether a text has no half of a surrogate pair, which a report cannot show.
static bool is_whole(jrpc_slice text)
{
    for (size_t i = 0; i + 1 < text.len; i++) {
        if ((unsigned char)text.ptr[i] == 0xED && (unsigned char)text.ptr[i + 1] >= 0xA0) {
            return false;
        }
    }
    return true;
}

static const tree *list_of(const tree *object, const char *name)
{
    static const tree none = {.kind = 'a'};
    const tree *list = tree_member(object, name);
    return list != NULL && list->kind == 'a' ? list : &none;
}

static const tree *first_of(const tree *object, const char *name)
{
    const tree *list = list_of(object, name);
    FUZZ_REQUIRE(list->count == 1);
    return list->items[0];
}

static void raise(int *level, int to)
{
    *level = to > *level ? to : *level;
}

// The worst level of a rule in a run; -1 where nothing was said.
static int worst_level(const runs_run *told, jrpc_slice id)
{
    int worst = -1;
    for (const runs_rule *rule = told->rules; rule != NULL; rule = rule->next) {
        if (jrpc_slice_equal(text_of(rule->event, "id"), id)) {
            raise(&worst, level_of(rule->event));
        }
    }
    for (const runs_case *one = told->first; one != NULL; one = one->next) {
        const tree *findings = list_of(one->event, "findings");
        for (size_t i = 0; i < findings->count; i++) {
            if (jrpc_slice_equal(text_of(findings->items[i], "rule"), id)) {
                raise(&worst, level_of(findings->items[i]));
            }
        }
    }
    return worst;
}

// Whether the rule is named in the run: by itself, by a case, or by a finding.
static bool is_named(const runs_run *told, jrpc_slice id)
{
    bool named = worst_level(told, id) >= 0;
    for (const runs_case *one = told->first; one != NULL && !named; one = one->next) {
        const tree *rules = list_of(one->event, "rules");
        for (size_t i = 0; i < rules->count; i++) {
            named = named || tree_is_text(rules->items[i], "jrpcheck");
        }
    }
    return named;
}

// Whether a result has the rule that is used for findings without a rule.
static bool has_unnamed(const tree *run)
{
    const tree *results = list_of(run, "results");
    for (size_t i = 0; i < results->count; i++) {
        if (jrpc_slice_is(text_of(results->items[i], "ruleId"), "jrpcheck")) {
            return true;
        }
    }
    return false;
}

static void require_rules(const tree *run, const runs_run *told)
{
    const tree *rules = list_of(tree_member(tree_member(run, "tool"), "driver"), "rules");
    for (size_t i = 0; i < rules->count; i++) {
        bool unnamed = jrpc_slice_is(text_of(rules->items[i], "id"), "jrpcheck");
        FUZZ_REQUIRE(!unnamed || has_unnamed(run) || is_named(told, JRPC_SLICE("jrpcheck")));
        const tree *level = tree_member(rules->items[i], "defaultConfiguration");
        int worst = worst_level(told, text_of(rules->items[i], "id"));
        FUZZ_REQUIRE(level == NULL || worst < 0 ||
                     tree_is_text(tree_member(level, "level"), levels[worst]));
    }
}

// A message shows the bytes of the case's name and of what was said.
static void require_message(tree_pool *pool, jrpc_slice message, const runs_case *one,
                            jrpc_slice said)
{
    jrpc_slice shown = unsafe_bytes(pool, unsafe_from_sarif(pool, message));
    if (!is_whole(one->id) || !is_whole(said)) {
        return;
    }
    FUZZ_REQUIRE(jrpc_slice_starts_with(shown, one->id));
    shown = jrpc_slice_from(shown, one->id.len);
    FUZZ_REQUIRE(jrpc_slice_starts_with(shown, JRPC_SLICE(": ")));
    FUZZ_REQUIRE(jrpc_slice_equal(jrpc_slice_from(shown, 2), unsafe_sentence(pool, said)));
}

static void require_place(tree_pool *pool, const tree *result, const runs_case *one)
{
    const tree *physical = tree_member(first_of(result, "locations"), "physicalLocation");
    jrpc_slice uri = text_of(tree_member(physical, "artifactLocation"), "uri");
    jrpc_slice path = unsafe_from_uri(pool, uri);
    jrpc_slice file = text_of(one->event, "file");
    file = file.len == 0 ? text_of(one->event, "suite") : file;
    FUZZ_REQUIRE(jrpc_slice_starts_with(path, JRPC_SLICE("cases/")));
    FUZZ_REQUIRE(!is_whole(file) || jrpc_slice_equal(jrpc_slice_from(path, 6), file));
}

void sarif_require(tree_pool *pool, const tree *run, const runs_run *told)
{
    const tree *results = list_of(run, "results");
    size_t next = 0;
    require_rules(run, told);
    for (const runs_case *one = told->first; one != NULL; one = one->next) {
        const tree *findings = list_of(one->event, "findings");
        size_t said = 0;
        for (size_t i = 0; i < findings->count; i++) {
            const tree *finding = findings->items[i];
            if (is_known(finding) || level_of(finding) == 0) {
                continue;
            }
            FUZZ_REQUIRE(next < results->count);
            const tree *result = results->items[next++];
            jrpc_slice rule = text_of(finding, "rule");
            jrpc_slice named = text_of(result, "ruleId");
            said++;
            FUZZ_REQUIRE(tree_is_text(tree_member(result, "level"), levels[level_of(finding)]));
            FUZZ_REQUIRE(jrpc_slice_equal(rule, named) || !is_whole(rule) || rule.len == 0 ||
                         jrpc_slice_is(named, "jrpcheck"));
            require_message(pool, text_of(tree_member(result, "message"), "text"), one,
                            text_of(finding, "text"));
            require_place(pool, result, one);
            FUZZ_REQUIRE((tree_member(result, "suppressions") != NULL) == one->expected);
        }
        if (said == 0 && one->breach) {
            FUZZ_REQUIRE(next < results->count);
            require_place(pool, results->items[next++], one);
        }
    }
    FUZZ_REQUIRE(next == results->count);
}
