// The words of `needs`: what a case asks of a target.
#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "harness/suite/target.h"

#include <strings.h>

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

// What a need is asked of, and where the words of a reason go.
typedef struct asking {
    const jck_target *target;
    jrpc_arena *arena;
} asking;

// One kind of need: `knows` says which words it is, `offers` whether a target has it, and, if not,
// why (only then *ret_reason is written).
typedef struct need_kind {
    const char *word; // the whole word, or its beginning if it ends with ':'
    bool (*knows)(jrpc_slice rest);
    bool (*offers)(const asking *of, jrpc_slice rest, jck_reason *ret_reason);
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

static bool knows_credential(jrpc_slice rest)
{
    jck_credential credential;
    return jck_credential_from_word(rest, &credential);
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

static const char *worded(const char *text)
{
    return text == NULL ? "the target does not offer it" : text;
}

// Always false: the target lacks it.
static bool lacks(jck_reason *ret_reason, jck_reason_code code, const char *text)
{
    *ret_reason = (jck_reason){.code = code, .text = worded(text)};
    return false;
}

static bool lacks_word(const asking *of, jck_reason *ret_reason, jck_reason_code code,
                       const char *before, jrpc_slice word, const char *after)
{
    return lacks(ret_reason, code,
                 jrpc_arena_printf(of->arena, "%s%.*s%s", before, JCK_WORD(word), after));
}

static bool offers_connections(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)rest;
    return jck_target_traits(of->target)->can_reconnect ||
           lacks(ret_reason, JCK_REASON_ONE_CONNECTION,
                 "a child process on stdio has one connection only: test it over a socket");
}

static bool offers_receive(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)rest;
    return jck_target_can_push(of->target) ||
           lacks(ret_reason, JCK_REASON_NO_SERVER_MESSAGES,
                 "over plain HTTP a server cannot send on its own: test it over stdio, a socket or "
                 "WebSocket, or name its stream of events (member events of its file)");
}

static bool offers_results(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)rest;
    const jck_target *target = of->target;
    if (jck_target_can_push(target)) {
        return true;
    }
    for (const char *const *header = target->headers; header != NULL && *header != NULL; header++) {
        if (strncmp(*header, "Accept:", 7) == 0 && strstr(*header, "text/event-stream") != NULL) {
            return true;
        }
    }
    *ret_reason = (jck_reason){
        .code = JCK_REASON_NO_EVENT_STREAM,
        .text = "over HTTP results come in a stream of events only: add --header 'Accept: "
                "text/event-stream', or test it over stdio, a socket or WebSocket",
        .unlock = "--header 'Accept: text/event-stream'",
    };
    return false;
}

static bool offers_stdio(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)rest;
    return jck_target_traits(of->target)->is_child ||
           lacks(ret_reason, JCK_REASON_NOT_STDIO,
                 "the target is not a child process: start it with -- COMMAND");
}

// What only a client's driver decides, or the harness sees to.
static bool offers_always(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)of;
    (void)rest;
    (void)ret_reason;
    return true;
}

static bool offers_local(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)rest;
    static const char *const names[] = {"localhost", "127.0.0.1", "[::1]", NULL};
    const char *scheme_end = of->target->url == NULL ? NULL : strstr(of->target->url, "://");
    const char *host = scheme_end == NULL ? "" : scheme_end + strlen("://");
    for (const char *const *name = names; *name != NULL; name++) {
        size_t len = strlen(*name);
        if (strncasecmp(host, *name, len) == 0 && strchr(":/", host[len]) != NULL) {
            return true;
        }
    }
    return lacks(ret_reason, JCK_REASON_NOT_LOCAL,
                 "the target is not at a loopback address, where foreign origins must be refused");
}

static bool offers_framing(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    jrpc_framing framing;
    return (jck_target_traits(of->target)->byte_stream && jrpc_framing_from_name(rest, &framing) &&
            framing == of->target->framing) ||
           lacks_word(of, ret_reason, JCK_REASON_OTHER_FRAMING, "it is about the framing ", rest,
                      " (see --framing)");
}

static bool offers_transport(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    jrpc_transport transport;
    return (jrpc_transport_from_name(rest, &transport) && transport == of->target->transport) ||
           lacks_word(of, ret_reason, JCK_REASON_OTHER_TRANSPORT, "it is about servers over ", rest,
                      "");
}

static bool offers_declared(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    for (size_t i = 0; i < of->target->declare_count; i++) {
        if (jrpc_slice_equal(of->target->declares[i], rest)) {
            return true;
        }
    }
    return lacks_word(of, ret_reason, JCK_REASON_NOT_DECLARED, "the target does not declare \"",
                      rest, "\" (member declares of its file)");
}

static bool offers_credential(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    jck_credential credential;
    return (jck_credential_from_word(rest, &credential) &&
            (of->target->signer != NULL || of->target->credentials[credential] != NULL)) ||
           lacks(
               ret_reason, JCK_REASON_NOT_DECLARED,
               "it needs credentials, which only a target file can describe (member credentials)");
}

// What a declaration rules out: a server that remembers ids need not answer one again.
static bool offers_undeclared(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    for (size_t i = 0; i < of->target->declare_count; i++) {
        if (jrpc_slice_equal(of->target->declares[i], rest)) {
            return lacks_word(of, ret_reason, JCK_REASON_DECLARED, "the target declares \"", rest,
                              "\", which rules this out");
        }
    }
    return true;
}

// Whether headers name a session that the prelude has opened.
static bool names_session(const char *const *headers)
{
    for (; headers != NULL && *headers != NULL; headers++) {
        if (strstr(*headers, "${") != NULL) {
            return true;
        }
    }
    return false;
}

static bool offers_sessionless(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)rest;
    return (!names_session(of->target->headers) && of->target->session_headers == NULL) ||
           lacks(ret_reason, JCK_REASON_DECLARED,
                 "the target's headers name a session, which this would end");
}

static bool offers_limit(const asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    const jck_target *target = of->target;
    return (jrpc_slice_is(rest, "message") && target->max_message > 0) ||
           (jrpc_slice_is(rest, "depth") && target->max_depth > 0) ||
           (jrpc_slice_is(rest, "async") && target->async_ms > 0) ||
           (jrpc_slice_is(rest, "reply") && target->reply_ms > 0) ||
           lacks_word(of, ret_reason, JCK_REASON_NO_LIMIT, "the target states no limit \"", rest,
                      "\" (member limits of its file)");
}

static const need_kind kinds[] = {
    {"connections", knows_nothing_more, offers_connections},
    {"receive", knows_nothing_more, offers_receive},
    {"results", knows_nothing_more, offers_results},
    {"stdio", knows_nothing_more, offers_stdio},
    {"fresh", knows_nothing_more, offers_always},
    {"timeout", knows_nothing_more, offers_always},
    {"local", knows_nothing_more, offers_local},
    {"sessionless", knows_nothing_more, offers_sessionless},
    {"framing:", knows_framing, offers_framing},
    {"transport:", knows_transport, offers_transport},
    {"declares:", knows_any, offers_declared},
    {"undeclared:", knows_any, offers_undeclared},
    {"credential:", knows_credential, offers_credential},
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

// What a need may ask of the way a capability is called.
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

bool jck_check_need(jck_reader *reader, jrpc_json at, jrpc_slice need)
{
    jrpc_slice rest;
    need_shape shape;
    if (find_kind(need, &rest) != NULL || split_capability(need, &rest, &shape)) {
        return true;
    }
    jck_nearest nearest;
    char hint[160];
    jck_nearest_init(&nearest, rest);
    jck_nearest_offer_all(&nearest, capabilities);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        jck_nearest_offer(&nearest, jrpc_slice_str(kinds[i].word));
    }
    return jck_wrong(reader, at, "the suite knows no need \"%.*s\"%s", JCK_WORD(need),
                     jck_nearest_hint(&nearest, hint, sizeof hint)[0] != '\0'
                         ? hint
                         : "; a capability, CAP/by-position, CAP/by-name, CAP/direct, "
                           "CAP/variadic, connections, "
                           "receive, results, stdio, timeout, local, sessionless, "
                           "framing:NAME, transport:NAME, declares:WORD, undeclared:WORD, "
                           "credential:NAME and "
                           "limits:NAME are known");
}

// No method is mapped: which option would map one.
static bool lacks_method(const asking *of, jrpc_slice capability, bool halved,
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
                               .text = worded(text),
                               .capability = capability,
                               .unlock = unlock};
    return false;
}

static bool lacks_shape(const asking *of, jrpc_slice capability, bool by_name,
                        jck_reason *ret_reason)
{
    const char *shape = by_name ? "by-name" : "by-position";
    const char *text = jrpc_arena_printf(
        of->arena, "the method for %.*s takes no params %s (if it does: --method %.*s=NAME:%s)",
        JCK_WORD(capability), by_name ? "by name" : "by position", JCK_WORD(capability), shape);
    *ret_reason = (jck_reason){
        .code = JCK_REASON_PARAMS_SHAPE,
        .text = worded(text),
        .capability = capability,
        .unlock =
            jrpc_arena_printf(of->arena, "--method %.*s=NAME:%s", JCK_WORD(capability), shape),
    };
    return false;
}

// Whether a capability that is mapped is called in this shape.
static bool offers_shape(const asking *of, const jck_mapping *mapping, need_shape shape,
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
        (void)lacks_word(of, ret_reason, JCK_REASON_WRAPPED, "the params of ", mapping->capability,
                         " are wrapped in those of another method");
        ret_reason->capability = mapping->capability;
        return false;
    case SHAPE_VARIADIC:
        if (mapping->by_position && !mapping->fixed) {
            return true;
        }
        (void)lacks_word(
            of, ret_reason, JCK_REASON_PARAMS_SHAPE, "the method found for ", mapping->capability,
            " is not known to take any number of params (--method CAP=NAME states that it does)");
        ret_reason->capability = mapping->capability;
        return false;
    case SHAPE_ANY:
        break;
    }
    return true;
}

static bool offers_capability(const asking *of, jrpc_slice capability, need_shape shape,
                              jck_reason *ret_reason)
{
    const jck_mapping *mapping = jck_target_mapping(of->target, capability);
    bool halved = memchr(capability.ptr, '/', capability.len) != NULL;
    if (mapping == NULL) {
        return lacks_method(of, capability, halved, ret_reason);
    }
    if (!offers_shape(of, mapping, shape, ret_reason)) {
        return false;
    }
    if (halved && memchr(mapping->method.ptr, '/', mapping->method.len) == NULL) {
        (void)lacks_word(of, ret_reason, JCK_REASON_NO_SUBRESOURCE, "", capability,
                         " is mapped to one word; it takes RESOURCE/SUBRESOURCE");
        ret_reason->capability = capability;
        return false;
    }
    return true;
}

bool jck_target_offers(const jck_target *target, jrpc_slice need, jrpc_arena *arena,
                       jck_reason *ret_reason)
{
    const asking of = {target, arena};
    jrpc_slice rest;
    need_shape shape;
    const need_kind *kind = find_kind(need, &rest);
    if (kind != NULL) {
        return kind->offers(&of, rest, ret_reason);
    }
    if (split_capability(need, &rest, &shape)) {
        return offers_capability(&of, rest, shape, ret_reason);
    }
    return lacks_word(&of, ret_reason, JCK_REASON_UNKNOWN_NEED, "the suite knows no need \"", need,
                      "\"");
}
