// The words of `needs`: what a case asks of a target.
#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "harness/suite/target.h"

static const char *const capabilities[] = {
    "subtract",     "sum",      "get_data",   "update",       "notify_hello", "notify_sum",
    "echo",         "fail",     "app_error",  "slow",         "count",        "push",
    "stream",       "optional", "denied",     "signed",       "nonce",        "flow",
    "failing_flow", "user",     "repo/issue", "project/task", "attachment",   "job",
    "session",      NULL};

const char *const *jck_capabilities(void)
{
    return capabilities;
}

const char *const *jck_resources(void)
{
    static const char *const resources[] = {
        "user", "repo/issue", "project/task", "attachment", "job", "session", NULL};
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

// One kind of need: `matches` tells which words it is, `offers` whether a target has it.
typedef struct need_kind {
    const char *word; // the whole word, or its beginning if it ends with ':'
    bool (*knows)(jrpc_slice rest);
    bool (*offers)(jck_target *target, jrpc_slice rest, const char **ret_reason);
} need_kind;

static bool knows_nothing_more(jrpc_slice rest)
{
    return rest.len == 0;
}

static bool knows_any(jrpc_slice rest)
{
    return rest.len > 0;
}

static bool knows_framing(jrpc_slice rest)
{
    jrpc_framing framing;
    return jrpc_framing_from_name(rest, &framing);
}

static bool knows_transport(jrpc_slice rest)
{
    jrpc_transport transport;
    return jrpc_transport_from_name(rest, &transport);
}

static bool knows_limit(jrpc_slice rest)
{
    static const char *const limits[] = {"message", "depth", "async", "reply", NULL};
    for (const char *const *limit = limits; *limit != NULL; limit++) {
        if (jrpc_slice_is(rest, *limit)) {
            return true;
        }
    }
    return false;
}

static const char *reason_with(jck_target *target, const char *before, jrpc_slice word,
                               const char *behind)
{
    const char *reason =
        jrpc_arena_printf(&target->arena, "%s%.*s%s", before, JCK_WORD(word), behind);
    return reason == NULL ? "the target does not offer it" : reason;
}

static bool offers_connections(jck_target *target, jrpc_slice rest, const char **ret_reason)
{
    (void)rest;
    *ret_reason = "a child process on stdio has one connection only: test it over a socket";
    return jck_target_traits(target)->can_reconnect;
}

static bool offers_receive(jck_target *target, jrpc_slice rest, const char **ret_reason)
{
    (void)rest;
    *ret_reason =
        "over plain HTTP a server cannot send on its own: test it over stdio, a socket or "
        "WebSocket, or name its stream of events (member events of its file)";
    return jck_target_can_push(target);
}

static bool offers_results(jck_target *target, jrpc_slice rest, const char **ret_reason)
{
    (void)rest;
    *ret_reason = "over HTTP results come in a stream of events only: add --header 'Accept: "
                  "text/event-stream', or test it over stdio, a socket or WebSocket";
    if (jck_target_can_push(target)) {
        return true;
    }
    for (const char *const *header = target->headers; header != NULL && *header != NULL; header++) {
        if (strncmp(*header, "Accept:", 7) == 0 && strstr(*header, "text/event-stream") != NULL) {
            return true;
        }
    }
    return false;
}

static bool offers_stdio(jck_target *target, jrpc_slice rest, const char **ret_reason)
{
    (void)rest;
    *ret_reason = "the target is no child process: start it with -- COMMAND";
    return jck_target_traits(target)->is_child;
}

static bool offers_framing(jck_target *target, jrpc_slice rest, const char **ret_reason)
{
    jrpc_framing framing;
    *ret_reason =
        reason_with(target, "the target does not speak the framing ", rest, " (see --framing)");
    return jck_target_traits(target)->byte_stream && jrpc_framing_from_name(rest, &framing) &&
           framing == target->framing;
}

static bool offers_transport(jck_target *target, jrpc_slice rest, const char **ret_reason)
{
    jrpc_transport transport;
    *ret_reason = reason_with(target, "the target does not speak over ", rest, "");
    return jrpc_transport_from_name(rest, &transport) && transport == target->transport;
}

static bool offers_declared(jck_target *target, jrpc_slice rest, const char **ret_reason)
{
    for (size_t i = 0; i < target->declare_count; i++) {
        if (jrpc_slice_equal(target->declares[i], rest)) {
            return true;
        }
    }
    *ret_reason = reason_with(target, "the target does not declare \"", rest,
                              "\" (member declares of its file)");
    return false;
}

static bool offers_limit(jck_target *target, jrpc_slice rest, const char **ret_reason)
{
    *ret_reason = reason_with(target, "the target states no limit \"", rest,
                              "\" (member limits of its file)");
    return (jrpc_slice_is(rest, "message") && target->max_message > 0) ||
           (jrpc_slice_is(rest, "depth") && target->max_depth > 0) ||
           (jrpc_slice_is(rest, "async") && target->async_ms > 0) ||
           (jrpc_slice_is(rest, "reply") && target->reply_ms > 0);
}

static const need_kind kinds[] = {
    {"connections", knows_nothing_more, offers_connections},
    {"receive", knows_nothing_more, offers_receive},
    {"results", knows_nothing_more, offers_results},
    {"stdio", knows_nothing_more, offers_stdio},
    {"framing:", knows_framing, offers_framing},
    {"transport:", knows_transport, offers_transport},
    {"declares:", knows_any, offers_declared},
    {"limits:", knows_limit, offers_limit},
};

static const need_kind *find_kind(jrpc_slice need, jrpc_slice *ret_rest)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        jrpc_slice word = jrpc_slice_str(kinds[i].word);
        if (jrpc_slice_starts_with(need, word) && kinds[i].knows(jrpc_slice_from(need, word.len))) {
            *ret_rest = jrpc_slice_from(need, word.len);
            return &kinds[i];
        }
    }
    return NULL;
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

// Splits "subtract/by-name" into capability and shape; false if there is no such capability.
static bool split_capability(jrpc_slice need, jrpc_slice *ret_capability, bool *ret_by_position,
                             bool *ret_by_name)
{
    *ret_capability = need;
    *ret_by_position = drop_suffix(ret_capability, "/by-position");
    *ret_by_name = !*ret_by_position && drop_suffix(ret_capability, "/by-name");
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

bool jck_check_need(jck_reader *reader, jrpc_json at, jrpc_slice need)
{
    jrpc_slice rest;
    bool by_position;
    bool by_name;
    if (find_kind(need, &rest) != NULL || split_capability(need, &rest, &by_position, &by_name)) {
        return true;
    }
    jck_nearest nearest;
    char hint[160];
    jck_nearest_init(&nearest, rest);
    jck_nearest_offer_all(&nearest, capabilities);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        jck_nearest_offer(&nearest, jrpc_slice_str(kinds[i].word));
    }
    return jck_wrong(
        reader, at, "the suite knows no need \"%.*s\"%s", JCK_WORD(need),
        jck_nearest_hint(&nearest, hint, sizeof hint)[0] != '\0'
            ? hint
            : "; a capability, CAP/by-position, CAP/by-name, connections, receive, results, stdio, "
              "framing:NAME, transport:NAME, declares:WORD and limits:NAME are known");
}

bool jck_target_offers(jck_target *target, jrpc_slice need, const char **ret_reason)
{
    jrpc_slice rest;
    const char *reason = "";
    bool by_position;
    bool by_name;
    bool offers = false;
    const need_kind *kind = find_kind(need, &rest);
    if (kind != NULL) {
        offers = kind->offers(target, rest, &reason);
    } else if (!split_capability(need, &rest, &by_position, &by_name)) {
        reason = reason_with(target, "the suite knows no need \"", need, "\"");
    } else {
        const jck_mapping *mapping = jck_target_mapping(target, rest);
        offers = mapping != NULL && (!by_position || mapping->by_position) &&
                 (!by_name || mapping->by_name);
        bool halved = memchr(rest.ptr, '/', rest.len) != NULL;
        if (offers && halved && memchr(mapping->method.ptr, '/', mapping->method.len) == NULL) {
            offers = false;
            reason = reason_with(target, "", rest,
                                 " is mapped to one word; it takes RESOURCE/SUBRESOURCE");
        } else if (!offers && mapping == NULL) {
            bool resource = is_resource(rest);
            reason =
                jrpc_arena_printf(&target->arena, "no %s is mapped to %.*s: --method %.*s=%s",
                                  resource ? "resource" : "method", JCK_WORD(rest), JCK_WORD(rest),
                                  !resource ? "NAME"
                                  : halved  ? "RESOURCE/SUBRESOURCE"
                                            : "RESOURCE");
        } else if (!offers) {
            reason = jrpc_arena_printf(
                &target->arena,
                "the method mapped to %.*s takes no params %s (see --method CAP=NAME:%s)",
                JCK_WORD(rest), by_name ? "by name" : "by position",
                by_name ? "by-name" : "by-position");
        }
    }
    if (!offers) {
        *ret_reason = reason == NULL ? "the target does not offer it" : reason;
    }
    return offers;
}
