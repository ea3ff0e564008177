#include "harness/suite/reason.h"

#include "harness/suite/needs_private.h"
#include "harness/suite/reader.h"

const char *jck_reason_word(jck_reason_code code)
{
    static const char *const words[] = {
        [JCK_REASON_NO_METHOD] = "no-method",
        [JCK_REASON_PARAMS_SHAPE] = "params-shape",
        [JCK_REASON_WRAPPED] = "wrapped",
        [JCK_REASON_SAME_NAME] = "same-name",
        [JCK_REASON_NO_SUBRESOURCE] = "no-subresource",
        [JCK_REASON_ONE_CONNECTION] = "one-connection",
        [JCK_REASON_SECOND_CONNECTION] = "second-connection",
        [JCK_REASON_TOO_SLOW] = "too-slow",
        [JCK_REASON_NO_SERVER_MESSAGES] = "no-server-messages",
        [JCK_REASON_NO_EVENT_STREAM] = "no-event-stream",
        [JCK_REASON_NOT_STDIO] = "not-stdio",
        [JCK_REASON_NOT_LOCAL] = "not-local",
        [JCK_REASON_OTHER_FRAMING] = "other-framing",
        [JCK_REASON_OTHER_TRANSPORT] = "other-transport",
        [JCK_REASON_NOT_DECLARED] = "not-declared",
        [JCK_REASON_DECLARED] = "declared",
        [JCK_REASON_NO_LIMIT] = "no-limit",
        [JCK_REASON_NOT_DRIVEN] = "not-driven",
        [JCK_REASON_NOT_CARRIED] = "not-carried",
        [JCK_REASON_UNKNOWN_NEED] = "unknown-need",
        [JCK_REASON_REPEATS_CRASH] = "repeats-crash",
        [JCK_REASON_REPEATS_END] = "repeats-end",
        [JCK_REASON_REPEATS_MUTE] = "repeats-mute",
        [JCK_REASON_RULE_BROKEN] = "rule-broken",
        [JCK_REASON_DRIVER_MISTAKE] = "driver-mistake",
        [JCK_REASON_OUT_OF_MEMORY] = "out-of-memory",
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
