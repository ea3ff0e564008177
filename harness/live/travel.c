#include "harness/live/travel.h"

#include "reference/json/write.h"

#include <string.h>

// Headers that change nothing for any HTTP reader (RFC 9110: names may have any case, and unknown
// fields are ignored).
static const char *const lower[] = {"content-type: application/json", NULL};
static const char *const upper[] = {"CONTENT-TYPE: application/json", NULL};
static const char *const unknown[] = {"X-Jrpcheck: 1", "x-jrpcheck-2: a, b;c=\"d\"", NULL};
static const char *const empty[] = {"X-Jrpcheck-Empty:", NULL};
static const char *const nameless[] = {"User-Agent:", NULL};
static const char *const cookies[] = {"Cookie: a=b; c=\"d\"; e", NULL};
static const char *const weighed[] = {"Accept: application/json;q=1.0, text/plain;q=0.5, */*;q=0.1",
                                      NULL};
static const char *const long_value[] = {
    "X-Jrpcheck-Long: "
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aa"
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
    "aa",
    NULL};
// For messages that a server may refuse without reading their body. If the connection stayed open,
// the unread body could be mistaken for the next request, and its answer for that of the next
// message.
static const char *const closing[] = {"Connection: close", NULL};
static const char *const *const same[] = {lower,    upper,   unknown, empty,
                                          nameless, cookies, weighed, long_value};

static void cut(jck_travel *travel, size_t len, jrpc_random *random)
{
    size_t count = 1 + (size_t)jrpc_random_below(random, JCK_TRAVEL_PIECES);
    for (size_t at = 0; travel->piece_count < count && at + 1 < len; travel->piece_count++) {
        // Pieces of a few bytes, or of any length. At least one byte is left for the last piece.
        size_t most = len - 1 - at;
        size_t few = most < 8 ? most : 8;
        size_t bound = jrpc_random_below(random, 2) == 0 ? few : most;
        at += 1 + (size_t)jrpc_random_below(random, bound);
        travel->pieces[travel->piece_count] = at;
    }
}

static void pick_http(jck_travel *travel, const jck_travel_limits *limits, size_t len, bool open,
                      jrpc_random *random)
{
    static const char *const methods[] = {"PUT", "PATCH", "OPTIONS", "HEAD", "GET"};
    static const char *const types[] = {"", "text/plain", "application/x-www-form-urlencoded",
                                        "multipart/form-data; boundary=x",
                                        "application/json; charset=utf-16"};
    uint64_t kind = jrpc_random_below(random, open ? 12 : 4);
    if (kind < 2 && limits->chunked) {
        travel->chunked = true;
        cut(travel, len, random);
    }
    if ((kind == 0 || kind == 2 || kind == 3) && limits->headers) {
        travel->headers = JRPC_RANDOM_PICK(random, same);
    }
    if (kind > 3) {
        travel->open = true;
        travel->headers = closing;
        travel->http_method = kind > 7 ? JRPC_RANDOM_PICK(random, methods) : NULL;
        travel->content_type = kind <= 7 ? JRPC_RANDOM_PICK(random, types) : NULL;
    }
}

jck_travel jck_travel_pick(const jck_target *target, const jck_travel_limits *limits, size_t len,
                           bool open, jrpc_random *random)
{
    jck_travel travel = {.piece_count = 0};
    const jrpc_traits *traits = jck_target_traits(target);
    if (traits->exchanges) {
        pick_http(&travel, limits, len, open, random);
    } else if (traits->upgrades) {
        travel.ping = jrpc_random_below(random, 3) == 0;
        travel.binary = travel.open = open && jrpc_random_below(random, 4) == 0;
        if (jrpc_random_below(random, 4) > 0) {
            cut(&travel, len, random);
        }
    } else {
        cut(&travel, len, random);
    }
    return travel;
}

unsigned jck_travel_class(const jck_travel *travel)
{
    return (travel->http_method != NULL ? 1u : 0u) | (travel->content_type != NULL ? 2u : 0u) |
           (travel->headers != NULL ? 4u : 0u) | (travel->chunked ? 8u : 0u) |
           (travel->binary ? 16u : 0u) | (travel->ping ? 32u : 0u) |
           (travel->piece_count > 0 ? 64u : 0u);
}

bool jck_travel_is_usual(const jck_travel *travel)
{
    return jck_travel_class(travel) == 0;
}

bool jck_travel_without(const jck_travel *travel, size_t index, jck_travel *ret)
{
    *ret = *travel;
    switch (index) {
    case 0: // nothing special is left
        *ret = (jck_travel){.piece_count = 0};
        return true;
    case 1:
        ret->headers = travel->open ? closing : NULL;
        return true;
    case 2:
        ret->ping = false;
        return true;
    case 3:
        ret->piece_count = 0;
        return true;
    case 4:
        ret->chunked = false;
        return true;
    default:
        break;
    }
    size_t piece = index - 5;
    if (piece >= travel->piece_count) {
        return false;
    }
    ret->piece_count--;
    memmove(ret->pieces + piece, ret->pieces + piece + 1,
            (ret->piece_count - piece) * sizeof *ret->pieces);
    return true;
}

void jck_travel_fit(jck_travel *travel, size_t len)
{
    size_t count = 0;
    for (size_t i = 0; i < travel->piece_count; i++) {
        size_t rest = travel->piece_count - i; // at least so many bytes follow it
        size_t most = len > rest ? len - rest : 0;
        size_t at = travel->pieces[i] < most ? travel->pieces[i] : most;
        if (at > (count == 0 ? 0 : travel->pieces[count - 1])) {
            travel->pieces[count++] = at;
        }
    }
    travel->piece_count = count;
}

const char *jck_travel_words(const jck_travel *travel)
{
    return travel->open              ? ", sent in an unusual way"
           : travel->piece_count > 0 ? ", in pieces"
           : travel->chunked         ? ", chunked"
           : travel->ping            ? ", after a ping"
           : travel->headers != NULL ? ", with other headers"
                                     : "";
}

jrpc_manner jck_travel_manner(const jck_travel *travel)
{
    return (jrpc_manner){
        .http_method = travel->http_method,
        .content_type = travel->content_type,
        .headers = travel->headers,
        .chunked = travel->chunked,
        .binary = travel->binary,
        .ping = travel->ping,
        .pieces = travel->pieces,
        .piece_count = travel->piece_count,
    };
}

static void put_word(jrpc_buffer *out, const char *before, const char *name, const char *word)
{
    (void)jrpc_buffer_printf(out, "%s\"%s\":", before, name);
    (void)jrpc_json_quote(out, jrpc_slice_str(word));
}

static void write_headers(const char *const *lines, const char *before, jrpc_buffer *out)
{
    (void)jrpc_buffer_printf(out, "%s\"headers\":{", before);
    for (size_t i = 0; lines[i] != NULL; i++) {
        const char *colon = strchr(lines[i], ':');
        (void)jrpc_buffer_append_str(out, i == 0 ? "" : ",");
        (void)jrpc_json_quote(out, jrpc_slice_of(lines[i], (size_t)(colon - lines[i])));
        (void)jrpc_buffer_append_char(out, ':');
        if (colon[1] == '\0') {
            (void)jrpc_buffer_append_str(out, "null");
        } else {
            (void)jrpc_json_quote(out, jrpc_slice_str(colon + 2));
        }
    }
    (void)jrpc_buffer_append_char(out, '}');
}

static void write_http(const jck_travel *travel, jrpc_buffer *out)
{
    const char *before = ",\"http\":{";
    if (travel->http_method != NULL) {
        put_word(out, before, "method", travel->http_method);
        before = ",";
    }
    if (travel->content_type != NULL) {
        put_word(out, before, "content-type", travel->content_type);
        before = ",";
    }
    if (travel->headers != NULL) {
        write_headers(travel->headers, before, out);
        before = ",";
    }
    if (travel->chunked) {
        (void)jrpc_buffer_printf(out, "%s\"chunked\":true", before);
        before = ",";
    }
    (void)jrpc_buffer_append_str(out, before[1] == '\0' ? "}" : "");
}

void jck_travel_write(const jck_travel *travel, jrpc_buffer *out)
{
    for (size_t i = 0; i < travel->piece_count; i++) {
        (void)jrpc_buffer_printf(out, "%s%zu", i == 0 ? ",\"chunks\":[" : ",", travel->pieces[i]);
    }
    (void)jrpc_buffer_append_str(out, travel->piece_count > 0 ? "]" : "");
    write_http(travel, out);
    if (travel->ping || travel->binary) {
        (void)jrpc_buffer_printf(
            out, ",\"websocket\":{%s%s%s}", travel->ping ? "\"ping\":true" : "",
            travel->ping && travel->binary ? "," : "", travel->binary ? "\"binary\":true" : "");
    }
}
