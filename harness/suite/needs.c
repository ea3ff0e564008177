// The words of `needs`: what a case asks of a target.
#include "harness/suite/load.h"
#include "harness/suite/nearest.h"
#include "harness/suite/needs_private.h"

#include <strings.h>

// One kind of need: `knows` says which words it is, `offers` whether a target has it, and, if not,
// why (only then *ret_reason is written).
typedef struct need_kind {
    const char *word; // the whole word, or its beginning if it ends with ':'
    bool (*knows)(jrpc_slice rest);
    bool (*offers)(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason);
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

static bool offers_connections(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)rest;
    return jck_target_traits(of->target)->can_reconnect ||
           jck_lacks(ret_reason, JCK_REASON_ONE_CONNECTION,
                     "a child process on stdio has one connection only: test it over a socket");
}

static bool offers_receive(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)rest;
    return jck_target_can_push(of->target) ||
           jck_lacks(
               ret_reason, JCK_REASON_NO_SERVER_MESSAGES,
               "over plain HTTP a server cannot send on its own: test it over stdio, a socket or "
               "WebSocket, or name its stream of events (member events of its file)");
}

static bool offers_results(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
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

static bool offers_stdio(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)rest;
    return jck_target_traits(of->target)->is_child ||
           jck_lacks(ret_reason, JCK_REASON_NOT_STDIO,
                     "the target is not a child process: start it with -- COMMAND");
}

// What only a client's driver decides, or the harness sees to.
static bool offers_always(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)of;
    (void)rest;
    (void)ret_reason;
    return true;
}

static bool offers_local(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
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
    return jck_lacks(
        ret_reason, JCK_REASON_NOT_LOCAL,
        "the target is not at a loopback address, where foreign origins must be refused");
}

static bool offers_framing(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    jrpc_framing framing;
    const bool stream = jck_target_traits(of->target)->byte_stream;
    return (stream && jrpc_framing_from_name(rest, &framing) && framing == of->target->framing) ||
           jck_lacks_word(of, ret_reason, JCK_REASON_OTHER_FRAMING, "it is for the framing ", rest,
                          stream ? " (see --framing)" : ", which only streams have");
}

static bool offers_transport(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    jrpc_transport transport;
    return (jrpc_transport_from_name(rest, &transport) && transport == of->target->transport) ||
           jck_lacks_word(of, ret_reason, JCK_REASON_OTHER_TRANSPORT, "it is for servers over ",
                          rest, "");
}

static bool offers_declared(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    for (size_t i = 0; i < of->target->declare_count; i++) {
        if (jrpc_slice_equal(of->target->declares[i], rest)) {
            return true;
        }
    }
    return jck_lacks_word(of, ret_reason, JCK_REASON_NOT_DECLARED, "the target does not declare \"",
                          rest, "\" (in \"declares\" of its target file)");
}

static bool offers_credential(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    jck_credential credential;
    return (jck_credential_from_word(rest, &credential) &&
            (of->target->signer != NULL || of->target->credentials[credential] != NULL)) ||
           jck_lacks(ret_reason, JCK_REASON_NOT_DECLARED,
                     "it needs credentials, which a target file describes (\"credentials\")");
}

// What a declaration rules out: a server that remembers ids need not answer one again.
static bool offers_undeclared(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    for (size_t i = 0; i < of->target->declare_count; i++) {
        if (jrpc_slice_equal(of->target->declares[i], rest)) {
            return jck_lacks_word(of, ret_reason, JCK_REASON_DECLARED, "the target declares \"",
                                  rest, "\", which rules this out");
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

static bool offers_sessionless(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    (void)rest;
    return (!names_session(of->target->headers) && of->target->session_headers == NULL) ||
           jck_lacks(ret_reason, JCK_REASON_DECLARED,
                     "the target's headers name a session, which this would end");
}

static bool offers_limit(const jck_asking *of, jrpc_slice rest, jck_reason *ret_reason)
{
    const jck_target *target = of->target;
    return (jrpc_slice_is(rest, "message") && target->max_message > 0) ||
           (jrpc_slice_is(rest, "depth") && target->max_depth > 0) ||
           (jrpc_slice_is(rest, "async") && target->async_ms > 0) ||
           (jrpc_slice_is(rest, "reply") && target->reply_ms > 0) ||
           jck_lacks_word(of, ret_reason, JCK_REASON_NO_LIMIT, "the target states no limit \"",
                          rest, "\" (member limits of its file)");
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

bool jck_check_need(jck_reader *reader, jrpc_json at, jrpc_slice need)
{
    jrpc_slice rest;
    if (find_kind(need, &rest) != NULL || jck_is_capability_need(need, &rest)) {
        return true;
    }
    jck_nearest nearest;
    char hint[160];
    jck_nearest_init(&nearest, rest);
    jck_nearest_offer_all(&nearest, jck_capabilities());
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

bool jck_target_offers(const jck_target *target, jrpc_slice need, jrpc_arena *arena,
                       jck_reason *ret_reason)
{
    const jck_asking of = {target, arena};
    jrpc_slice rest;
    const need_kind *kind = find_kind(need, &rest);
    if (kind != NULL) {
        return kind->offers(&of, rest, ret_reason);
    }
    if (jck_is_capability_need(need, &rest)) {
        return jck_offers_capability(&of, need, ret_reason);
    }
    return jck_lacks_word(&of, ret_reason, JCK_REASON_UNKNOWN_NEED, "the suite knows no need \"",
                          need, "\"");
}
