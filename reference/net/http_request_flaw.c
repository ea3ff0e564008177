#include "reference/net/http_request_flaw.h"

#include "reference/wire/websocket_handshake.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

// What has been read of a head so far.
typedef struct request_notes {
    unsigned hosts, types, lengths;
    bool coded;
    bool old; // HTTP/1.0
    jrpc_slice host;
    const char *flaw; // the first one found
} request_notes;

static void note(request_notes *notes, bool wrong, const char *flaw)
{
    notes->flaw = notes->flaw == NULL && wrong ? flaw : notes->flaw;
}

// A character of a token (RFC 9110, section 5.6.2).
static bool is_token(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           (c != '\0' && strchr("!#$%&'*+-.^_`|~", c) != NULL);
}

// Removes the first line from `*rest` and returns it without its line end; notes one that is wrong.
static jrpc_slice take_line(request_notes *notes, jrpc_slice *rest)
{
    const char *end = memchr(rest->ptr, '\n', rest->len);
    size_t len = end == NULL ? rest->len : (size_t)(end - rest->ptr);
    jrpc_slice line = jrpc_slice_of(rest->ptr, len);
    *rest = jrpc_slice_from(*rest, end == NULL ? len : len + 1);
    note(notes, len == 0 || line.ptr[len - 1] != '\r',
         "a line in the head of a request ends with LF alone (RFC 9112, section 2.1: CR LF; RFC "
         "9110, section 2.2)");
    line.len -= len > 0 && line.ptr[len - 1] == '\r' ? 1 : 0;
    return line;
}

// "POST /path HTTP/1.1".
static void look_at_request_line(request_notes *notes, jrpc_slice line)
{
    size_t at = 0;
    while (at < line.len && is_token(line.ptr[at])) {
        at++;
    }
    size_t from = at + 1;
    bool right = at > 0 && at < line.len && line.ptr[at] == ' ';
    at = from;
    while (at < line.len && line.ptr[at] > ' ' && line.ptr[at] < 0x7f && line.ptr[at] != '#') {
        at++;
    }
    jrpc_slice version = at < line.len ? jrpc_slice_from(line, at) : (jrpc_slice){"", 0};
    note(notes,
         !right || at == from || !jrpc_slice_starts_with(version, JRPC_SLICE(" HTTP/1.")) ||
             version.len != strlen(" HTTP/1.1"),
         "the first line of a request is not a method, a target without spaces and the version, "
         "with a space between them (RFC 9112, section 3)");
    note(notes, right && from < line.len && line.ptr[from] != '/',
         "the target of a request to the server itself does not begin with a slash (RFC 9112, "
         "section 3.2.1)");
    notes->old = jrpc_slice_is(version, " HTTP/1.0");
}

static bool is_named(jrpc_slice name, const char *other)
{
    return name.len == strlen(other) && strncasecmp(name.ptr, other, name.len) == 0;
}

static void look_at_field(request_notes *notes, jrpc_slice line)
{
    const char *colon = memchr(line.ptr, ':', line.len);
    bool folded = strchr(" \t", line.ptr[0]) != NULL;
    note(notes, folded, "a header field of a request goes over two lines (RFC 9112, section 5.2)");
    note(notes, colon == NULL && !folded,
         "a line in the head of a request has no colon (RFC 9112, section 5)");
    if (colon == NULL || folded) {
        return;
    }
    jrpc_slice name = jrpc_slice_of(line.ptr, (size_t)(colon - line.ptr));
    size_t token = 0;
    while (token < name.len && is_token(name.ptr[token])) {
        token++;
    }
    note(notes, token == 0 || token < name.len,
         "the name of a header field of a request is not a token followed by its colon (RFC 9112, "
         "section 5.1)");
    jrpc_slice value = jrpc_slice_from(line, name.len + 1);
    note(
        notes,
        memchr(value.ptr, '\r', value.len) != NULL || memchr(value.ptr, '\0', value.len) != NULL,
        "the value of a header field of a request has a CR or a NUL in it (RFC 9110, section 5.5)");
    notes->types += is_named(name, "Content-Type") ? 1 : 0;
    notes->lengths += is_named(name, "Content-Length") ? 1 : 0;
    notes->coded = notes->coded || is_named(name, "Transfer-Encoding");
    notes->hosts += is_named(name, "Host") ? 1 : 0;
}

// The part of an address between "://" and the slash.
static jrpc_slice authority_of(const char *address)
{
    const char *from = strstr(address, "://");
    from = from == NULL ? address : from + strlen("://");
    return jrpc_slice_of(from, strcspn(from, "/"));
}

// Whether a Host names the port of the authority, which is not the usual one. Its name may be
// another: a client may have been given another one.
static bool has_port(jrpc_slice host, jrpc_slice authority)
{
    size_t at = authority.len;
    while (at > 0 && authority.ptr[at - 1] != ':') {
        at--;
    }
    jrpc_slice port = jrpc_slice_from(authority, at > 0 ? at - 1 : 0);
    return host.len > port.len && memcmp(host.ptr + host.len - port.len, port.ptr, port.len) == 0;
}

static const char *flaw_of_host(const request_notes *notes, const char *address)
{
    if (notes->hosts == 0) {
        return notes->old
                   ? NULL
                   : "a request over HTTP/1.1 has no Host (RFC 9112, section 3.2: \"A client "
                     "MUST send a Host header field\")";
    }
    if (notes->hosts > 1) {
        return "a request has two Hosts (RFC 9112, section 3.2)";
    }
    return has_port(notes->host, authority_of(address))
               ? NULL
               : "the Host of a request does not name the port that the URL names (RFC 9112, "
                 "section 3.2: it is \"identical to that authority component\")";
}

const char *jrpc_http_flaw_of_request(jrpc_slice head, const char *address, jrpc_flaw *ret_of)
{
    request_notes notes = {.host = jrpc_head_value(head, "Host")};
    look_at_request_line(&notes, take_line(&notes, &head));
    while (head.len > 0) {
        jrpc_slice line = take_line(&notes, &head);
        if (line.len > 0) {
            look_at_field(&notes, line);
        }
    }
    note(&notes, notes.types > 1, "a request has two Content-Types (RFC 9110, section 5.3)");
    note(&notes, notes.lengths > 1, "a request has two Content-Lengths (RFC 9110, section 8.6)");
    note(&notes, notes.lengths > 0 && notes.coded,
         "a request has both a Content-Length and a Transfer-Encoding (RFC 9112, section 6.2)");
    const char *of_host = flaw_of_host(&notes, address);
    *ret_of = of_host != NULL ? JRPC_FLAW_HOST : JRPC_FLAW_FIELDS;
    return of_host != NULL ? of_host : notes.flaw;
}
