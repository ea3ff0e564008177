#include "harness/suite/reason.h"

#include "harness/suite/needs_private.h"
#include "harness/suite/reader.h"

const char *jck_reason_word(jck_reason_code code)
{
    static const char *const words[] = {
        NULL,           "no-method",          "params-shape",    "wrapped",
        "same-name",    "no-subresource",     "one-connection",  "second-connection",
        "too-slow",     "no-server-messages", "no-event-stream", "not-stdio",
        "not-local",    "other-framing",      "other-transport", "not-declared",
        "declared",     "no-limit",           "not-driven",      "not-carried",
        "unknown-need", "repeats-crash",      "repeats-end",     "repeats-mute",
        "rule-broken",  "driver-mistake",     "out-of-memory",
    };
    _Static_assert(sizeof words / sizeof words[0] == JCK_REASON_COUNT, "a word for every code");
    return words[code];
}

jck_reason jck_reason_broken(jrpc_arena *arena, jrpc_slice rule)
{
    const char *text =
        jrpc_arena_printf(arena, "it depends on %.*s, which the target breaks", JCK_WORD(rule));
    return (jck_reason){
        .code = JCK_REASON_RULE_BROKEN,
        .text = text == NULL ? "it depends on a rule that the target breaks" : text,
        .rule = rule,
    };
}

const char *jck_worded(const char *text)
{
    return text == NULL ? "the target does not offer it" : text;
}

bool jck_lacks(jck_reason *ret_reason, jck_reason_code code, const char *text)
{
    *ret_reason = (jck_reason){.code = code, .text = jck_worded(text)};
    return false;
}

bool jck_lacks_word(const jck_asking *of, jck_reason *ret_reason, jck_reason_code code,
                    const char *before, jrpc_slice word, const char *after)
{
    return jck_lacks(ret_reason, code,
                     jrpc_arena_printf(of->arena, "%s%.*s%s", before, JCK_WORD(word), after));
}
