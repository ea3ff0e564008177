#include "harness/suite/rule.h"

#include "harness/suite/case.h"
#include "harness/suite/load.h"

const char *jck_level_name(jck_level level)
{
    switch (level) {
    case JCK_LEVEL_OBSERVE:
        return "OBSERVE";
    case JCK_LEVEL_SHOULD:
        return "SHOULD";
    case JCK_LEVEL_MUST:
        return "MUST";
    }
    return "OBSERVE";
}

bool jck_level_from_letter(jrpc_json value, jck_level *ret_level)
{
    static const struct {
        const char *letter;
        jck_level level;
    } letters[] = {{"M", JCK_LEVEL_MUST}, {"S", JCK_LEVEL_SHOULD}, {"O", JCK_LEVEL_OBSERVE}};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
        if (jrpc_json_string_is(value, jrpc_slice_str(letters[i].letter))) {
            *ret_level = letters[i].level;
            return true;
        }
    }
    return false;
}

jck_level jck_case_level(const jck_case *test_case, const jck_rule *rule)
{
    jck_level level = rule->level;
    if (!rule->profiled) {
        (void)jck_level_from_letter(jrpc_json_member(test_case->level_of, rule->id), &level);
    }
    return level;
}

bool jck_case_names_role(const jck_case *test_case, jck_role role)
{
    return jck_role_set_has(&test_case->roles, role);
}

bool jck_case_names(const jck_case *test_case, jrpc_slice rule)
{
    for (size_t i = 0; i < test_case->rule_count; i++) {
        if (jrpc_slice_equal(test_case->rules[i], rule)) {
            return true;
        }
    }
    return false;
}
