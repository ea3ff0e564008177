// Why an opening failed, in words.
#include "harness/evidence/evidence.h"
#include "harness/link/open.h"
#include "reference/base/limits.h"
#include "reference/wire/websocket_handshake.h"

#include <stdio.h>
#include <string.h>

void jck_remember_words(jck_link *link, jrpc_slice bytes)
{
    if (link->opening.words[0] == '\0' && bytes.len > 0) {
        jrpc_arena arena;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
        (void)snprintf(link->opening.words, sizeof link->opening.words, "%s",
                       jck_excerpt(&arena, bytes, 30));
        jrpc_arena_done(&arena);
    }
}

// Adds to an error the end of the target's standard error or, without that, what it wrote instead
// of an answer: most often that is the reason.
static void repeat_last_words(const jck_link *link, const jrpc_buffer *tail, jrpc_error *error)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
    const char *words = jck_quote_last_words(&arena, jrpc_buffer_slice(tail));
    if (words[0] != '\0') {
        (void)jrpc_error_append(error, "; its last output: %s", words);
    } else if (link->opening.words[0] != '\0') {
        (void)jrpc_error_append(error, "; it wrote \"%s\" first; is it a JSON-RPC server?",
                                link->opening.words);
    }
    jrpc_arena_done(&arena);
}

// Adds to an error how the target's process ended, and its last output.
void jck_explain_end(jck_link *link, char connection, jrpc_error *error)
{
    jck_connection *open = jck_link_connection(link, connection);
    if (open->peer == NULL || error == NULL) {
        return;
    }
    jrpc_peer_ending ending =
        jrpc_peer_end(open->peer, jrpc_deadline_in_ms(link->clock, link->timing.grace_ms));
    if (ending.kind == JRPC_END_EXITED) {
        jrpc_error_prefix(error, "the target exited with status %d", ending.value);
    } else if (ending.kind == JRPC_END_SIGNALED) {
        jrpc_error_prefix(error, "the target was ended by signal %d", ending.value);
    } else if (ending.kind <= JRPC_END_RESET && error->code == JRPC_ERROR_CLOSED) {
        jrpc_error_prefix(error, "the target closed the connection");
    }
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), JRPC_LIMIT_STDERR_TAIL_BYTES);
    jrpc_peer_stderr_tail(open->peer, &tail);
    repeat_last_words(link, &tail, error);
    jck_remember_words(link, jrpc_buffer_slice(&tail));
    jrpc_buffer_done(&tail);
}

void jck_explain_start(jck_link *link, jrpc_error *error)
{
    jck_host_end end;
    if (!jck_host_is_gone(link->host, link->generation, 0, &end) || end.by_us) {
        return;
    }
    bool signaled = end.ending.kind == JRPC_END_SIGNALED;
    bool succeeded = !signaled && end.ending.value == 0;
    jrpc_error_clear(error);
    (void)jrpc_error_set(error, JRPC_ERROR_CLOSED,
                         "the started command %s %d before it could be reached%s",
                         signaled ? "was ended by signal" : "exited with status", end.ending.value,
                         succeeded ? "; start the server in the foreground" : "");
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), JRPC_LIMIT_STDERR_TAIL_BYTES);
    jck_host_stderr_tail(link->host, link->generation, &tail);
    repeat_last_words(link, &tail, error);
    jrpc_buffer_done(&tail);
}

void jck_remember_http(jck_link *link, const jck_heard *heard)
{
    jck_opening *opening = &link->opening;
    const jrpc_received *received = &heard->received;
    if (received->http_status == 0) {
        return;
    }
    jrpc_slice challenge = jrpc_head_value(received->http_headers, "WWW-Authenticate");
    jrpc_slice type = jrpc_head_value(received->http_headers, "Content-Type");
    opening->http_status = received->http_status;
    opening->unended = heard->kind == JCK_HEARD_TIMEOUT;
    opening->streams = jrpc_slice_starts_with(type, JRPC_SLICE("text/event-stream"));
    if (challenge.len > 0) {
        jrpc_arena arena;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
        (void)snprintf(opening->challenge, sizeof opening->challenge, "%s",
                       jck_excerpt(&arena, challenge, 160));
        jrpc_arena_done(&arena);
    }
}

// What an HTTP status says about a target that gives no Response.
static const char *explain_status(int status)
{
    static const struct {
        int first, last;
        const char *words;
    } known[] = {
        {202, 202,
         "the call was taken and its Response did not come; if it comes on a stream of events, the "
         "target needs \"events\": true in a target file"},
        {300, 399, "a redirect, which is not followed; name the address it leads to"},
        {401, 401, "credentials are missing or wrong: --header 'Authorization: Bearer ...'"},
        {403, 403, "the credentials do not allow it: --header 'Authorization: Bearer ...'"},
        {404, 404, "nothing is served at this path; check the URL"},
        {405, 405, "no POST is served at this path; check the URL"},
        {406, 406, "it does not offer an accepted content type: --header 'Accept: ...'"},
        {407, 407, "the proxy asks for credentials: --proxy http://NAME:PASSWORD@HOST:PORT"},
        {415, 415, "it requires another content type: --header 'Content-Type: ...'"},
        {500, 599, "the server, or a gateway in front of it, failed"},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (status >= known[i].first && status <= known[i].last) {
            return known[i].words;
        }
    }
    return "is a JSON-RPC server served there?";
}

const char *jck_explain_http(const jck_link *link, char *out, size_t size)
{
    const jck_opening *opening = &link->opening;
    const char *wrote = opening->words;
    if (opening->unended) {
        (void)snprintf(out, size, "%s that does not end and holds no Response",
                       opening->streams ? "a stream of events" : "an answer");
    } else if (opening->streams && opening->http_status == 200) {
        (void)snprintf(out, size,
                       "a stream of events, in which no event has a Response as its data: an empty "
                       "line ends each event, and each line of its data begins with \"data:\"");
    } else if (opening->http_status == 401 && opening->challenge[0] != '\0') {
        (void)snprintf(out, size,
                       "no Response: it asks for credentials, %s; pass them with --header "
                       "'Authorization: %.*s ...'",
                       opening->challenge, (int)strcspn(opening->challenge, " ,"),
                       opening->challenge);
    } else {
        (void)snprintf(out, size, "no Response%s%s%s: %s", wrote[0] != '\0' ? " (\"" : "", wrote,
                       wrote[0] != '\0' ? "\")" : "", explain_status(opening->http_status));
    }
    return out;
}

// Explains why a target may have left our first fence unanswered.
void jck_explain_silence(const jck_link *link, jrpc_error *error)
{
    if (link->opening.status == JCK_LINK_ECHOES) {
        jrpc_error_set(error, JRPC_ERROR_INVALID,
                       "the target sends back what it is sent, as cat does: it is not a JSON-RPC "
                       "server; check the command or the address");
    } else if (link->opening.framed && link->opening.framing == JRPC_FRAMING_CONCATENATED) {
        jrpc_error_set(error, JRPC_ERROR_INVALID,
                       "the target ends no answer with a line feed, so that a client cannot read "
                       "its answers as lines: add --framing concatenated if that is intended");
    } else if (link->opening.framed) {
        jrpc_error_set(error, JRPC_ERROR_INVALID,
                       "the target answers no call written as a line, but answers calls with "
                       "Content-Length: add --framing content-length, or for a language server "
                       "--profile lsp");
    } else if (link->opening.http_status != 0) {
        char words[JCK_EXPLANATION_BYTES];
        jrpc_error_set(error, JRPC_ERROR_INVALID,
                       "the target answers calls with HTTP status %d and %s",
                       link->opening.http_status, jck_explain_http(link, words, sizeof words));
    } else if (link->opening.status == JCK_LINK_FLOODS) {
        bool said = link->opening.words[0] != '\0'; // other than messages
        jrpc_error_set(error, JRPC_ERROR_INVALID,
                       "the target writes without end and answers no call; %s%s%sis it a JSON-RPC "
                       "server?",
                       said ? "it wrote \"" : "", said ? link->opening.words : "",
                       said ? "\" first; " : "");
    } else if (strncmp(link->opening.words, "Content-Length", 14) == 0 &&
               link->target->framing == JRPC_FRAMING_LINE) {
        jrpc_error_set(
            error, JRPC_ERROR_TIMEOUT,
            "the target answered no call within %lld ms; it wrote \"%s\" first, as servers "
            "do that frame messages by headers: try --framing content-length",
            (long long)link->opening.granted_ms, link->opening.words);
    } else if (link->opening.words[0] == '{' && link->target->framing == JRPC_FRAMING_LINE) {
        jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                       "the target answered no call within %lld ms with one line: it wrote \"%s\", "
                       "spread over several lines or without a line feed at its end; it may need "
                       "--framing concatenated",
                       (long long)link->opening.granted_ms, link->opening.words);
    } else if (link->opening.words[0] != '\0') {
        jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                       "the target answered no call within %lld ms; it wrote \"%s\" first, which "
                       "is not an answer; it may need --framing, a prelude, or to log elsewhere",
                       (long long)link->opening.granted_ms, link->opening.words);
    } else {
        bool framed = jck_target_traits(link->target)->byte_stream;
        jrpc_error_set(error, JRPC_ERROR_TIMEOUT,
                       "the target accepted the connection but answered no call within %lld ms; it "
                       "may need %sa "
                       "prelude (--prelude FILE)%s",
                       (long long)link->opening.granted_ms, framed ? "another --framing, or " : "",
                       framed ? "" : ", or another protocol is spoken at this address");
    }
}
