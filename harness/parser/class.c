#include "harness/parser/class.h"

static const struct {
    const char *name, *topic, *word;
} classes[JCK_CLASS_COUNT] = {
    [JCK_CLASS_NONE] = {"none", "", "kept"},
    [JCK_CLASS_REFUSES_JSON] = {"refuses-json", "json", "refused"},
    [JCK_CLASS_REFUSES_DEPTH] = {"refuses-depth", "depth", "refused"},
    [JCK_CLASS_REFUSES_NUMBER] = {"refuses-number", "numbers", "refused"},
    [JCK_CLASS_REFUSES_SURROGATE] = {"refuses-surrogate", "lone-surrogates", "refused"},
    [JCK_CLASS_REFUSES_DUPLICATE] = {"refuses-duplicate", "duplicate-names", "refused"},
    [JCK_CLASS_REFUSES_NUL] = {"refuses-nul", "nul-in-strings", "refused"},
    [JCK_CLASS_ACCEPTS_BOM] = {"accepts-bom", "byte-order-mark", "accepted"},
    [JCK_CLASS_ACCEPTS_TRUNCATED] = {"accepts-truncated", "truncated", "accepted"},
    [JCK_CLASS_ACCEPTS_INVALID_UTF8] = {"accepts-invalid-utf8", "invalid-utf8", "accepted"},
    [JCK_CLASS_ACCEPTS_TRAILING] = {"accepts-trailing", "trailing", "accepted"},
    [JCK_CLASS_ACCEPTS_MISMATCHED] = {"accepts-mismatched", "brackets", "accepted"},
    [JCK_CLASS_ACCEPTS_OTHER] = {"accepts-other", "extensions", "accepted"},
    [JCK_CLASS_NUMBER_ROUNDED] = {"number-rounded", "numbers", "rounded to binary64"},
    [JCK_CLASS_NUMBER_COARSE] = {"number-coarse", "numbers", "rounded further than binary64"},
    [JCK_CLASS_NUMBER_CHANGED] = {"number-changed", "numbers", "another number"},
    [JCK_CLASS_NUMBER_WRAPPED] = {"number-wrapped", "numbers", "wrapped or cut off"},
    [JCK_CLASS_NUMBER_INFINITE] = {"number-infinite", "numbers", "not finite"},
    [JCK_CLASS_NUMBER_ZERO] = {"number-zero", "numbers", "zero"},
    [JCK_CLASS_NUMBER_SIGN] = {"number-sign", "negative-zero", "sign lost"},
    [JCK_CLASS_STRING_CUT_AT_NUL] = {"string-cut-at-nul", "strings", "cut at NUL"},
    [JCK_CLASS_STRING_CUT] = {"string-cut", "strings", "cut"},
    [JCK_CLASS_STRING_REPLACED] = {"string-replaced", "strings", "replaced by U+FFFD"},
    [JCK_CLASS_STRING_CHANGED] = {"string-changed", "strings", "changed"},
    [JCK_CLASS_SURROGATE_REPLACED] = {"surrogate-replaced", "lone-surrogates", "replaced"},
    [JCK_CLASS_SURROGATE_CHANGED] = {"surrogate-changed", "lone-surrogates", "dropped or changed"},
    [JCK_CLASS_DUPLICATE_FIRST] = {"duplicate-first", "duplicate-names", "the first"},
    [JCK_CLASS_DUPLICATE_LAST] = {"duplicate-last", "duplicate-names", "the last"},
    [JCK_CLASS_DUPLICATE_ONE] = {"duplicate-one", "duplicate-names", "one of them"},
    [JCK_CLASS_DUPLICATE_MERGED] = {"duplicate-merged", "duplicate-names", "merged"},
    [JCK_CLASS_DUPLICATE_OTHER] = {"duplicate-other", "duplicate-names", "something else"},
    [JCK_CLASS_MEMBER_LOST] = {"member-lost", "members", "lost"},
    [JCK_CLASS_MEMBER_ADDED] = {"member-added", "members", "added"},
    [JCK_CLASS_ELEMENTS_CHANGED] = {"elements-changed", "elements",
                                    "lost, added or in another order"},
    [JCK_CLASS_KIND_CHANGED] = {"kind-changed", "kinds", "changed"},
    [JCK_CLASS_WRITES_NO_JSON] = {"writes-no-json", "written", "not JSON"},
    [JCK_CLASS_CRASHES] = {"crashes", "survival", "crashed"},
    [JCK_CLASS_HANGS] = {"hangs", "survival", "hung"},
    [JCK_CLASS_BREAKS_PROTOCOL] = {"breaks-protocol", "adapter", "broke the protocol"},
    [JCK_CLASS_TIME_GROWS] = {"time-grows", "growth", "faster than the text"},
    [JCK_CLASS_MEMORY_GROWS] = {"memory-grows", "memory", "faster than the text"},
};

const char *jck_class_name(jck_class class)
{
    return classes[class].name;
}

const char *jck_class_topic(jck_class class)
{
    return classes[class].topic;
}

const char *jck_class_word(jck_class class)
{
    return classes[class].word;
}

bool jck_class_is_fatal(jck_class class)
{
    return class == JCK_CLASS_CRASHES || class == JCK_CLASS_HANGS;
}

bool jck_class_is_refusal(jck_class class)
{
    return class == JCK_CLASS_REFUSES_JSON || class == JCK_CLASS_REFUSES_DEPTH ||
           class == JCK_CLASS_REFUSES_NUMBER || class == JCK_CLASS_REFUSES_SURROGATE ||
           class == JCK_CLASS_REFUSES_DUPLICATE || class == JCK_CLASS_REFUSES_NUL;
}

bool jck_class_is_acceptance(jck_class class)
{
    return class == JCK_CLASS_ACCEPTS_BOM || class == JCK_CLASS_ACCEPTS_TRUNCATED ||
           class == JCK_CLASS_ACCEPTS_INVALID_UTF8 || class == JCK_CLASS_ACCEPTS_TRAILING ||
           class == JCK_CLASS_ACCEPTS_MISMATCHED || class == JCK_CLASS_ACCEPTS_OTHER;
}

const jck_rule *jck_class_rule(const jck_suite *suite, jrpc_slice specification, jck_class class)
{
    for (size_t i = 0; i < jck_suite_rule_count(suite); i++) {
        const jck_rule *rule = jck_suite_rule(suite, i);
        if (!jrpc_slice_equal(rule->specification, specification)) {
            continue;
        }
        for (size_t k = 0; k < rule->class_count; k++) {
            if (jrpc_slice_is(rule->classes[k], classes[class].name)) {
                return rule;
            }
        }
    }
    return NULL;
}
