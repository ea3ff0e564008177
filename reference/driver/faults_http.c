// Faults of a client over HTTP: how it writes the head of a request, and what it cannot read in
// answers. All act in the relay.
#include "reference/driver/change.h"
#include "reference/driver/relay.h"

#include <string.h>

static bool has(jrpc_slice text, const char *part)
{
    return jrpc_slice_contains(text, jrpc_slice_str(part));
}

static bool is_chunked(const jrpc_relay_answer *answer)
{
    return has(answer->head, "Transfer-Encoding:");
}

static bool has_extensions(const jrpc_relay_answer *answer)
{
    return answer->extensions;
}

static bool has_trailers(const jrpc_relay_answer *answer)
{
    return answer->trailers;
}

static bool has_zeros(const jrpc_relay_answer *answer)
{
    return has(answer->bytes, "\r\n\r\n00");
}

static bool has_odd_coding(const jrpc_relay_answer *answer)
{
    return has(answer->head, "Chunked");
}

static bool has_interim(const jrpc_relay_answer *answer)
{
    return jrpc_slice_starts_with(answer->bytes, JRPC_SLICE("HTTP/1.1 1"));
}

static bool has_other_interim(const jrpc_relay_answer *answer)
{
    return has_interim(answer) &&
           !jrpc_slice_starts_with(answer->bytes, JRPC_SLICE("HTTP/1.1 100"));
}

static bool has_many_interims(const jrpc_relay_answer *answer)
{
    return has(answer->bytes, "\r\n\r\nHTTP/1.1 10");
}

static bool has_lower_names(const jrpc_relay_answer *answer)
{
    return has(answer->head, "content-length:");
}

static bool has_upper_names(const jrpc_relay_answer *answer)
{
    return has(answer->head, "CONTENT-LENGTH:");
}

static bool has_no_space(const jrpc_relay_answer *answer)
{
    return has(answer->head, "Content-Length:") && !has(answer->head, "Content-Length: ");
}

static bool has_space_after(const jrpc_relay_answer *answer)
{
    return has(answer->head, "  \r\n");
}

static bool has_tab_after(const jrpc_relay_answer *answer)
{
    return has(answer->head, "\t\r\n");
}

static bool announces_end(const jrpc_relay_answer *answer)
{
    return has(answer->head, "Connection: close") && has(answer->head, "Content-Length:");
}

static bool announces_end_oddly(const jrpc_relay_answer *answer)
{
    return has(answer->head, "Connection: Close");
}

static bool has_no_length(const jrpc_relay_answer *answer)
{
    return answer->head.len > 0 && !is_chunked(answer) && !has_lower_names(answer) &&
           !has_upper_names(answer) && !has(answer->head, "Content-Length:") &&
           !has(answer->head, " 204 ");
}

static bool is_old(const jrpc_relay_answer *answer)
{
    return jrpc_slice_starts_with(answer->bytes, JRPC_SLICE("HTTP/1.0"));
}

static bool has_no_reason(const jrpc_relay_answer *answer)
{
    return has(answer->head, "200 \r\n");
}

static bool has_other_reason(const jrpc_relay_answer *answer)
{
    return has(answer->head, "HTTP/1.1 200 ") && !has(answer->head, " OK\r\n") &&
           !has_no_reason(answer);
}

static bool has_long_head(const jrpc_relay_answer *answer)
{
    return answer->head.len > 400;
}

static bool has_keep_alive(const jrpc_relay_answer *answer)
{
    return has(answer->head, "Keep-Alive:");
}

// The client takes what it reads first for the whole answer.
static bool comes_in_pieces(const jrpc_relay_answer *answer)
{
    return answer->bytes.len > 0 && answer->bytes.len < 1000 && !answer->whole &&
           !has_no_length(answer);
}

#define WAY(...)                                                                                   \
    .relay = &(const jrpc_relay_way)                                                               \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("http-host-without-port", "CLH-b", "Host does not name the port"),
     WAY(.name = "Host", .line = "Host: 127.0.0.1")},
    {JRPC_CLIENT_ROW("http-host-missing", "CLH-b", "there is no Host"),
     WAY(.name = "Host", .line = "")},
    {JRPC_CLIENT_ROW("http-host-twice", "CLH-b", "there are two Hosts"),
     WAY(.from = "\r\nHost:", .to = "\r\nHost: 127.0.0.1\r\nHost:")},
    {JRPC_CLIENT_ROW("http-target-absolute", "CLH-a", "the request line has the whole URL"),
     WAY(.from = "POST /", .to = "POST http://127.0.0.1/")},
    {JRPC_CLIENT_ROW("http-two-types", "CLH-a", "there are two Content-Types"),
     WAY(.from = "\r\nContent-Type:", .to = "\r\nContent-Type: application/json\r\nContent-Type:")},
    {JRPC_CLIENT_ROW("http-two-lengths", "CLH-a", "there are two Content-Lengths"),
     WAY(.from = "\r\n\r\n", .to = "\r\nContent-Length: 2\r\n\r\n")},
    {JRPC_CLIENT_ROW("http-line-feeds", "CLH-a", "a line of the head ends in LF alone"),
     WAY(.from = "\r\nContent-Type:", .to = "\nContent-Type:")},
    {JRPC_CLIENT_ROW("http-redirect-get", "CLH-j", "a redirect with status 307 is followed by GET"),
     WAY(.follows = "GET /jrpcheck-redirected HTTP/1.1\r\n")},
    {JRPC_CLIENT_ROW("http-gzip-unread", "CLH-k", "gzip is listed, and not read"),
     WAY(.name = "Accept-Encoding", .line = "Accept-Encoding: gzip, deflate")},
    {JRPC_CLIENT_ROW("http-folded", "CLH-a", "a header field goes over two lines"),
     WAY(.name = "X-Client", .line = "X-Client: a\r\n b")},
    {JRPC_CLIENT_ROW("http-spaced-colon", "CLH-a", "a space stands before a colon"),
     WAY(.name = "X-Client", .line = "X-Client : a")},
    {JRPC_CLIENT_ROW("http-no-chunks", "CLH-c", "an answer in chunks is not read"),
     WAY(.chokes = is_chunked)},
    {JRPC_CLIENT_ROW("http-no-extensions", "CLH-c", "an answer with chunk extensions is not read"),
     WAY(.chokes = has_extensions)},
    {JRPC_CLIENT_ROW("http-no-trailers", "CLH-c", "an answer with trailer fields is not read"),
     WAY(.chokes = has_trailers)},
    {JRPC_CLIENT_ROW("http-no-zeros", "CLH-c", "chunk sizes with leading zeros are not read"),
     WAY(.chokes = has_zeros)},
    {JRPC_CLIENT_ROW("http-coding-exact", "CLH-c", "the coding Chunked is not known"),
     WAY(.chokes = has_odd_coding)},
    {JRPC_CLIENT_ROW("http-no-interim", "CLH-d", "an interim answer is taken for the final one"),
     WAY(.chokes = has_interim)},
    {JRPC_CLIENT_ROW("http-interim-100-only", "CLH-d", "of the interim answers only 100 is known"),
     WAY(.chokes = has_other_interim)},
    {JRPC_CLIENT_ROW("http-interim-once", "CLH-d", "only one interim answer is passed over"),
     WAY(.chokes = has_many_interims)},
    {JRPC_CLIENT_ROW("http-no-lower-names", "CLH-e", "content-length is not known"),
     WAY(.chokes = has_lower_names)},
    {JRPC_CLIENT_ROW("http-no-upper-names", "CLH-e", "CONTENT-LENGTH is not known"),
     WAY(.chokes = has_upper_names)},
    {JRPC_CLIENT_ROW("http-space-expected", "CLH-e", "a colon must be followed by a space"),
     WAY(.chokes = has_no_space)},
    {JRPC_CLIENT_ROW("http-space-kept", "CLH-e", "white space after a value is part of it"),
     WAY(.chokes = has_space_after)},
    {JRPC_CLIENT_ROW("http-tab-kept", "CLH-h", "a tab after a value is part of it"),
     WAY(.chokes = has_tab_after)},
    {JRPC_CLIENT_ROW("http-close-ignored", "CLH-f", "a connection is used after Connection: close"),
     WAY(.stays = announces_end)},
    {JRPC_CLIENT_ROW("http-close-exact", "CLH-f", "a connection is used after Connection: Close"),
     WAY(.stays = announces_end_oddly)},
    {JRPC_CLIENT_ROW("http-length-needed", "CLH-g", "an answer without a length is not read"),
     WAY(.chokes = has_no_length)},
    {JRPC_CLIENT_ROW("http-no-1.0", "CLH-h", "an answer of HTTP/1.0 is not read"),
     WAY(.chokes = is_old)},
    {JRPC_CLIENT_ROW("http-reason-needed", "CLH-h", "an answer needs a reason phrase"),
     WAY(.chokes = has_no_reason)},
    {JRPC_CLIENT_ROW("http-reason-read", "CLH-h", "the reason phrase of 200 must be OK"),
     WAY(.chokes = has_other_reason)},
    {JRPC_CLIENT_ROW("http-head-short", "CLH-h", "the head of an answer has to be short"),
     WAY(.chokes = has_long_head)},
    {JRPC_CLIENT_ROW("http-no-keep-alive", "CLH-h", "an answer with Keep-Alive is not read"),
     WAY(.chokes = has_keep_alive)},
    {JRPC_CLIENT_ROW("http-reads-once", "CLH-h", "what is read first is taken for the answer"),
     WAY(.chokes = comes_in_pieces)},
};

const jrpc_client_fault_table jrpc_client_faults_http = JRPC_CLIENT_FAULT_TABLE(rows);
