#include "harness/cli/lint_owed.h"

#include "reference/base/plural.h"
#include "reference/rpc/message.h"

#include <inttypes.h>
#include <stdio.h>

// "-32600", or "a Response" if its content depends on the method.
static const char *name_owed(const jck_owed *owed, char *out, size_t out_size)
{
    switch (owed->kind) {
    case JCK_OWED_NOTHING:
        return "nothing";
    case JCK_OWED_BATCH:
        (void)snprintf(out, out_size, "an Array of %zu Response%s", owed->calls,
                       jrpc_plural(owed->calls));
        return out;
    case JCK_OWED_RESPONSE:
        if (owed->code == 0) {
            return "the Response of a valid call";
        }
        (void)snprintf(out, out_size, "error %d", owed->code);
        return out;
    case JCK_OWED_UNKNOWN:
        return "something unknown";
    }
    return "";
}

static bool contradict(const char *expected, const jck_owed *owed, char *out, size_t out_size)
{
    char room[64];
    (void)snprintf(out, out_size, "%s is expected where %s is owed", expected,
                   name_owed(owed, room, sizeof room));
    return true;
}

// Whether an error code agrees: the required one, or any that a method may give.
static bool code_agrees(int64_t code, const jck_owed *owed)
{
    if (owed->code != 0) {
        return code == owed->code;
    }
    return code != JRPC_PARSE_ERROR && code != JRPC_INVALID_REQUEST;
}

// Whether the pattern of a code, a Number or {"$in":[…]}, allows one that agrees. Other patterns
// are not checked.
static bool code_pattern_agrees(jrpc_json pattern, const jck_owed *owed)
{
    int64_t code;
    if (jrpc_json_int64(pattern, &code)) {
        return code_agrees(code, owed);
    }
    jrpc_json choices = jrpc_json_get(pattern, "$in");
    if (!jrpc_json_is(choices, JRPC_JSON_ARRAY)) {
        return true;
    }
    jrpc_json_iterator it = jrpc_json_iterate(choices);
    while (jrpc_json_step(&it)) {
        if (jrpc_json_int64(it.value, &code) && code_agrees(code, owed)) {
            return true;
        }
    }
    return false;
}

static bool is_absent(jrpc_json pattern)
{
    return !jrpc_json_exists(pattern) || jrpc_json_exists(jrpc_json_get(pattern, "$absent"));
}

static bool response_contradicts(jrpc_json pattern, const jck_owed *owed, char *out,
                                 size_t out_size)
{
    if (owed->kind != JCK_OWED_RESPONSE) {
        return contradict("one Response", owed, out, out_size);
    }
    jrpc_json code = jrpc_json_get(jrpc_json_get(pattern, "error"), "code");
    if (owed->code != 0 && !is_absent(jrpc_json_get(pattern, "result"))) {
        return contradict("a result", owed, out, out_size);
    }
    if (jrpc_json_exists(code) && !code_pattern_agrees(code, owed)) {
        char words[64];
        jrpc_slice spelling = jrpc_json_spelling(code);
        (void)snprintf(words, sizeof words, "error %.*s",
                       (int)(spelling.len < 40 ? spelling.len : 40), spelling.ptr);
        return contradict(words, owed, out, out_size);
    }
    return false;
}

static bool batch_contradicts(jrpc_json pattern, const jck_owed *owed, char *out, size_t out_size)
{
    char words[64];
    size_t expected = jrpc_json_count(pattern);
    (void)snprintf(words, sizeof words, "an Array of %zu Response%s", expected,
                   jrpc_plural(expected));
    bool agrees = owed->kind == JCK_OWED_BATCH && owed->calls == expected;
    return !agrees && contradict(words, owed, out, out_size);
}

bool jck_lint_contradicts(const jck_expect *expect, const jck_owed *owed, char *out,
                          size_t out_size)
{
    if (owed->kind == JCK_OWED_UNKNOWN) {
        return false;
    }
    switch (expect->kind) {
    case JCK_EXPECT_UNSTATED:
    case JCK_EXPECT_ANYTHING:
    case JCK_EXPECT_CLOSED:
    case JCK_EXPECT_OWED:
    case JCK_EXPECT_PARSER:
        return false;
    case JCK_EXPECT_NOTHING:
        return owed->kind != JCK_OWED_NOTHING && contradict("nothing", owed, out, out_size);
    case JCK_EXPECT_RESPONSE:
        return response_contradicts(expect->pattern, owed, out, out_size);
    case JCK_EXPECT_BATCH:
        return batch_contradicts(expect->pattern, owed, out, out_size);
    case JCK_EXPECT_REJECTED:
        return (owed->kind != JCK_OWED_RESPONSE || owed->code != JRPC_INVALID_REQUEST) &&
               contradict("a rejection (-32600)", owed, out, out_size);
    case JCK_EXPECT_ANY_OF:
        for (size_t i = 0; i < expect->alternative_count; i++) {
            if (!jck_lint_contradicts(&expect->alternatives[i], owed, out, out_size)) {
                return false;
            }
        }
        return expect->alternative_count > 0;
    }
    return false;
}
