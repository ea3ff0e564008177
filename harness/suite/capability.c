// Capabilities: methods and resources that a case needs, and the ways in which they are called.
#include "harness/suite/load.h"
#include "harness/suite/needs_private.h"

#include <string.h>

static const char *const capabilities[] = {
    "subtract",   "sum",          "get_data",     "update",       "notify_hello",
    "notify_sum", "echo",         "fail",         "app_error",    "slow",
    "count",      "push",         "stream",       "optional",     "denied",
    "signed",     "nonce",        "flow",         "failing_flow", "user",
    "repo/issue", "project/task", "attachment",   "job",          "session",
    "tokens",     "restricted",   "sign",         "context",      "reserved",
    "known",      "throw",        "collect",      "overdue",      "once",
    "debug",      "tool",         "token_stream", "tokened",      NULL};

const char *const *jck_capabilities(void)
{
    return capabilities;
}

const char *const *jck_resources(void)
{
    static const char *const resources[] = {"user", "repo/issue", "project/task", "attachment",
                                            "job",  "session",    "tool",         NULL};
    return resources;
}

static bool is_resource(jrpc_slice capability)
{
    for (const char *const *known = jck_resources(); *known != NULL; known++) {
        if (jrpc_slice_is(capability, *known)) {
            return true;
        }
    }
    return false;
}

static bool drop_suffix(jrpc_slice *word, const char *suffix)
{
    jrpc_slice end = jrpc_slice_str(suffix);
    if (word->len <= end.len ||
        !jrpc_slice_equal(jrpc_slice_from(*word, word->len - end.len), end)) {
        return false;
    }
    word->len -= end.len;
    return true;
}

// The ways of calling a capability that a need may require.
typedef enum need_shape {
    SHAPE_ANY,
    SHAPE_BY_POSITION,
    SHAPE_BY_NAME,
    SHAPE_DIRECT,   // the params of the case are those of the call
    SHAPE_VARIADIC, // any number of params, by position
} need_shape;

static const struct {
    const char *suffix;
    need_shape shape;
} shapes[] = {
    {"/by-position", SHAPE_BY_POSITION},
    {"/by-name", SHAPE_BY_NAME},
    {"/direct", SHAPE_DIRECT},
    {"/variadic", SHAPE_VARIADIC},
};

// Splits "subtract/by-name" into capability and shape; false if there is no such capability.
static bool split_capability(jrpc_slice need, jrpc_slice *ret_capability, need_shape *ret_shape)
{
    *ret_capability = need;
    *ret_shape = SHAPE_ANY;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes && *ret_shape == SHAPE_ANY; i++) {
        *ret_shape = drop_suffix(ret_capability, shapes[i].suffix) ? shapes[i].shape : SHAPE_ANY;
    }
    return jck_is_capability(*ret_capability);
}

bool jck_is_capability(jrpc_slice name)
{
    for (const char *const *known = capabilities; *known != NULL; known++) {
        if (jrpc_slice_is(name, *known)) {
            return true;
        }
    }
    return false;
}

bool jck_is_respelled_variable(jrpc_slice word, jrpc_slice *ret_capability,
                               jck_name_spelling *ret_how)
{
    static const char *const words[] = {
        [JCK_NAME_ESCAPED] = "escaped",       [JCK_NAME_SHORTENED] = "shortened",
        [JCK_NAME_RAISED] = "raised",         [JCK_NAME_WIDENED] = "widened",
        [JCK_NAME_HYPHENATED] = "hyphenated",
    };
    const char *colon = memchr(word.ptr, ':', word.len);
    if (colon == NULL) {
        return false;
    }
    jrpc_slice capability = jrpc_slice_of(word.ptr, (size_t)(colon - word.ptr));
    jrpc_slice spelling = jrpc_slice_from(word, capability.len + 1);
    for (jck_name_spelling how = JCK_NAME_ESCAPED; how <= JCK_NAME_HYPHENATED; how++) {
        if (jrpc_slice_is(spelling, words[how]) && jck_is_capability(capability)) {
            *ret_capability = capability;
            *ret_how = how;
            return true;
        }
    }
    return false;
}

bool jck_is_optional_variable(jrpc_slice word, jrpc_slice *ret_capability)
{
    *ret_capability = word;
    return drop_suffix(ret_capability, ":or-absent") && jck_is_capability(*ret_capability);
}

bool jck_case_needs_method(const jck_case *test_case)
{
    for (size_t i = 0; i < test_case->need_count; i++) {
        jrpc_slice need = test_case->needs[i];
        size_t len = 0;
        while (len < need.len && need.ptr[len] != '/') {
            len++;
        }
        if (jck_is_capability(need) || jck_is_capability(jrpc_slice_of(need.ptr, len))) {
            return true;
        }
    }
    return false;
}

// No method is mapped: says which option would map one.
static bool lacks_method(const jck_asking *of, jrpc_slice capability, bool halved,
                         jck_reason *ret_reason)
{
    bool resource = is_resource(capability);
    for (size_t i = 0; i < of->target->sighting_count; i++) {
        const jck_sighting *seen = &of->target->sightings[i];
        if (jrpc_slice_equal(seen->capability, capability)) {
            *ret_reason = (jck_reason){
                .code = JCK_REASON_NO_METHOD,
                .text = seen->text,
                .capability = capability,
                .unlock = jrpc_arena_printf(of->arena, "--method %.*s=%.*s", JCK_WORD(capability),
                                            JCK_WORD(capability)),
            };
            return false;
        }
    }
    const char *unlock = jrpc_arena_printf(of->arena, "--method %.*s=%s", JCK_WORD(capability),
                                           !resource ? "NAME"
                                           : halved  ? "RESOURCE/SUBRESOURCE"
                                                     : "RESOURCE");
    const char *text = unlock == NULL ? NULL
                                      : jrpc_arena_printf(of->arena, "no %s is mapped to %.*s: %s",
                                                          resource ? "resource" : "method",
                                                          JCK_WORD(capability), unlock);
    *ret_reason = (jck_reason){.code = JCK_REASON_NO_METHOD,
                               .text = jck_worded(text),
                               .capability = capability,
                               .unlock = unlock};
    return false;
}

static bool lacks_shape(const jck_asking *of, jrpc_slice capability, bool by_name,
                        jck_reason *ret_reason)
{
    const char *shape = by_name ? "by-name" : "by-position";
    const char *text = jrpc_arena_printf(
        of->arena, "the method for %.*s takes no params %s (if it does: --method %.*s=NAME:%s)",
        JCK_WORD(capability), by_name ? "by name" : "by position", JCK_WORD(capability), shape);
    *ret_reason = (jck_reason){
        .code = JCK_REASON_PARAMS_SHAPE,
        .text = jck_worded(text),
        .capability = capability,
        .unlock =
            jrpc_arena_printf(of->arena, "--method %.*s=NAME:%s", JCK_WORD(capability), shape),
    };
    return false;
}

// Whether a capability that is mapped is called in this shape.
static bool offers_shape(const jck_asking *of, const jck_mapping *mapping, need_shape shape,
                         jck_reason *ret_reason)
{
    switch (shape) {
    case SHAPE_BY_POSITION:
        return mapping->by_position || lacks_shape(of, mapping->capability, false, ret_reason);
    case SHAPE_BY_NAME:
        return mapping->by_name || lacks_shape(of, mapping->capability, true, ret_reason);
    case SHAPE_DIRECT:
        if (mapping->call == NULL || !jrpc_json_exists(mapping->call->params)) {
            return true;
        }
        (void)jck_lacks_word(of, ret_reason, JCK_REASON_WRAPPED, "the params of ",
                             mapping->capability, " are wrapped in those of another method");
        ret_reason->capability = mapping->capability;
        return false;
    case SHAPE_VARIADIC:
        if (mapping->by_position && !mapping->fixed) {
            return true;
        }
        (void)jck_lacks_word(
            of, ret_reason, JCK_REASON_PARAMS_SHAPE, "the method found for ", mapping->capability,
            " is not known to take any number of params (--method CAP=NAME states that it does)");
        ret_reason->capability = mapping->capability;
        return false;
    case SHAPE_ANY:
        break;
    }
    return true;
}

// Whether a capability that is mapped has a name that can be respelled.
static bool offers_spelling(const jck_asking *of, const jck_mapping *mapping, jck_name_spelling how,
                            jck_reason *ret_reason)
{
    jrpc_slice spelling = {NULL, 0};
    if (jck_kin_spell_name(mapping->method, how, of->arena, &spelling)) {
        return true;
    }
    (void)jck_lacks_word(of, ret_reason, JCK_REASON_SAME_NAME, "the name of the method for ",
                         mapping->capability, " has nothing that could be spelled otherwise");
    ret_reason->capability = mapping->capability;
    return false;
}

bool jck_is_capability_need(jrpc_slice need, jrpc_slice *ret_capability)
{
    need_shape shape;
    jck_name_spelling how;
    if (jck_is_respelled_variable(need, ret_capability, &how)) {
        return true;
    }
    return split_capability(need, ret_capability, &shape);
}

bool jck_offers_capability(const jck_asking *of, jrpc_slice need, jck_reason *ret_reason)
{
    jrpc_slice capability;
    need_shape shape = SHAPE_ANY;
    jck_name_spelling how;
    bool respelled = jck_is_respelled_variable(need, &capability, &how);
    if (!respelled) {
        (void)split_capability(need, &capability, &shape);
    }
    const jck_mapping *mapping = jck_target_mapping(of->target, capability);
    bool halved = memchr(capability.ptr, '/', capability.len) != NULL;
    if (mapping == NULL) {
        return lacks_method(of, capability, halved, ret_reason);
    }
    if (!offers_shape(of, mapping, shape, ret_reason) ||
        (respelled && !offers_spelling(of, mapping, how, ret_reason))) {
        return false;
    }
    if (halved && memchr(mapping->method.ptr, '/', mapping->method.len) == NULL) {
        (void)jck_lacks_word(of, ret_reason, JCK_REASON_NO_SUBRESOURCE, "", capability,
                             " is mapped to one word; it takes RESOURCE/SUBRESOURCE");
        ret_reason->capability = capability;
        return false;
    }
    return true;
}
