#include "reference/net/http_flaw.h"

#include "reference/wire/websocket_handshake.h"

#include <string.h>
#include <strings.h>

enum { STATUS_NO_CONTENT = 204, CODE_DIGITS = 3 };

// What has been seen of a head.
typedef struct head_notes {
    unsigned types, lengths, dates;
    bool coded; // the body comes in chunks
    bool encoded;
    const char *flaw; // the first one found
} head_notes;

// Removes the first line from `*rest` and returns it with its line end.
static jrpc_slice take_line(jrpc_slice *rest)
{
    const char *end = memchr(rest->ptr, '\n', rest->len);
    size_t len = end == NULL ? rest->len : (size_t)(end - rest->ptr) + 1;
    jrpc_slice line = jrpc_slice_of(rest->ptr, len);
    *rest = jrpc_slice_from(*rest, len);
    return line;
}

static jrpc_slice trim(jrpc_slice text)
{
    while (text.len > 0 && strchr(" \t", text.ptr[0]) != NULL) {
        text = jrpc_slice_from(text, 1);
    }
    while (text.len > 0 && strchr(" \t\r\n", text.ptr[text.len - 1]) != NULL) {
        text.len--;
    }
    return text;
}

// "Sun, 06 Nov 1994 08:49:37 GMT" (RFC 9110, section 5.6.7).
static bool is_date(jrpc_slice value)
{
    static const char form[] = "Aaa, 00 Aaa 0000 00:00:00 GMT";
    static const char *const days[] = {"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun", NULL};
    bool fits = value.len == sizeof form - 1;
    for (size_t i = 0; fits && i < value.len; i++) {
        char c = value.ptr[i];
        bool digit = c >= '0' && c <= '9';
        bool letter = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        fits = form[i] == '0' ? digit : strchr("Aa", form[i]) != NULL ? letter : c == form[i];
    }
    bool day = false;
    for (size_t i = 0; fits && days[i] != NULL; i++) {
        day = day || memcmp(value.ptr, days[i], 3) == 0;
    }
    return fits && day;
}

// Whether a Content-Encoding names a coding that changes every text.
static bool names_coding(jrpc_slice value)
{
    static const char *const codings[] = {"gzip", "x-gzip",   "deflate",    "br",
                                          "zstd", "compress", "x-compress", NULL};
    bool found = false;
    for (size_t i = 0; codings[i] != NULL; i++) {
        found = found || jrpc_head_lists(value, codings[i]);
    }
    return found;
}

static void note(head_notes *notes, bool wrong, const char *flaw)
{
    notes->flaw = notes->flaw == NULL && wrong ? flaw : notes->flaw;
}

// "HTTP/1.1 200 OK".
static void look_at_status_line(head_notes *notes, jrpc_slice line)
{
    jrpc_slice text = line;
    while (text.len > 0 && strchr("\r\n", text.ptr[text.len - 1]) != NULL) {
        text.len--;
    }
    const char *space = memchr(text.ptr, ' ', text.len);
    size_t left = space == NULL ? 0 : text.len - (size_t)(space - text.ptr) - 1;
    note(notes, left < CODE_DIGITS + 1 || space[1 + CODE_DIGITS] != ' ',
         "the status line of an HTTP answer has no space after the status code (RFC 9112, section "
         "4)");
}

static bool is_named(jrpc_slice name, const char *other)
{
    return name.len == strlen(other) && strncasecmp(name.ptr, other, name.len) == 0;
}

static void look_at_field(head_notes *notes, jrpc_slice line)
{
    const char *colon = memchr(line.ptr, ':', line.len);
    bool folded = strchr(" \t", line.ptr[0]) != NULL;
    note(notes, folded,
         "a header field of an HTTP answer goes over two lines (RFC 9112, section 5.2)");
    note(notes, colon == NULL && !folded,
         "a line in the head of an HTTP answer has no colon (RFC 9112, section 5)");
    if (colon == NULL || folded) {
        return;
    }
    jrpc_slice name = jrpc_slice_of(line.ptr, (size_t)(colon - line.ptr));
    jrpc_slice value = trim(jrpc_slice_from(line, name.len + 1));
    note(notes, name.len == 0 || strchr(" \t", name.ptr[name.len - 1]) != NULL,
         "an HTTP answer has white space between a header field's name and its colon (RFC 9112, "
         "section 5.1)");
    notes->types += is_named(name, "Content-Type") ? 1 : 0;
    notes->lengths += is_named(name, "Content-Length") ? 1 : 0;
    notes->coded = notes->coded || is_named(name, "Transfer-Encoding");
    notes->encoded = notes->encoded || (is_named(name, "Content-Encoding") && names_coding(value));
    if (is_named(name, "Date")) {
        notes->dates++;
        note(notes, !is_date(value),
             "the Date of an HTTP answer is not of the form \"Sun, 06 Nov 1994 08:49:37 GMT\" (RFC "
             "9110, section 5.6.7)");
    }
}

const char *jrpc_http_flaw_of_head(jrpc_slice head, int status, bool plain)
{
    head_notes notes = {.flaw = NULL};
    bool over = false;
    while (head.len > 0) {
        jrpc_slice line = take_line(&head);
        if (jrpc_slice_starts_with(line, JRPC_SLICE("HTTP/"))) {
            notes = (head_notes){.flaw = NULL}; // what came before is an interim answer
            over = false;
            look_at_status_line(&notes, line);
        }
        if (over) {
            continue; // a trailer field
        }
        over = line.len <= 2 && (line.ptr[0] == '\r' || line.ptr[0] == '\n');
        note(
            &notes, line.len < 2 || line.ptr[line.len - 2] != '\r',
            "a line in the head of an HTTP answer does not end with CR LF (RFC 9112, section 2.1)");
        if (!over && !jrpc_slice_starts_with(line, JRPC_SLICE("HTTP/"))) {
            look_at_field(&notes, line);
        }
    }
    note(&notes, notes.types > 1, "an HTTP answer has two Content-Types (RFC 9110, section 5.3)");
    note(&notes, notes.lengths > 1,
         "an HTTP answer has two Content-Lengths (RFC 9110, section 8.6)");
    note(&notes, notes.dates > 1, "an HTTP answer has two Dates (RFC 9110, section 5.3)");
    note(
        &notes, notes.lengths > 0 && notes.coded,
        "an HTTP answer has both a Content-Length and a Transfer-Encoding (RFC 9112, section 6.2)");
    note(&notes, status == STATUS_NO_CONTENT && notes.coded,
         "an HTTP answer with status 204 has a Transfer-Encoding (RFC 9112, section 6.1)");
    note(&notes, notes.encoded && plain,
         "the Content-Encoding of an HTTP answer names a compression, but its body is not "
         "compressed (RFC 9110, section 8.4)");
    return notes.flaw;
}
