#include "reference/net/websocket_forms.h"

#include "reference/wire/websocket_handshake.h"

typedef struct jrpc_websocket_welcome {
    const char *word;
    bool wrong;
    bool unasked;                     // … because of what the client did not ask for
    const char *status;               // NULL: 101
    const char *upgrade, *connection; // lines; NULL: as usual; "": none
    const char *accept_name;          // NULL: as usual; "": none
    bool accepts_another;             // … and its value is that of another key
    const char *after_accept;         // NULL: nothing
    const char *fields;               // further lines; NULL: none
} jrpc_websocket_welcome;

static const jrpc_websocket_welcome welcomes[] = {
    {.word = "lower-names",
     .upgrade = "upgrade: websocket\r\n",
     .connection = "connection: Upgrade\r\n",
     .accept_name = "sec-websocket-accept"},
    {.word = "values-in-other-case",
     .upgrade = "Upgrade: WebSocket\r\n",
     .connection = "Connection: upgrade\r\n"},
    {.word = "connection-list", .connection = "Connection: keep-alive, Upgrade\r\n"},
    {.word = "accept-padded", .accept_name = "Sec-WebSocket-Accept:   ", .after_accept = "  "},
    {.word = "more-fields",
     .fields = "Date: Sun, 06 Nov 1994 08:49:37 GMT\r\nServer: a/1 (b)\r\nX-Empty:\r\n"
               "Set-Cookie: a=1; Path=/\r\nVary: Origin\r\n"},
    {.word = "other-accept", .wrong = true, .accepts_another = true},
    {.word = "no-accept", .wrong = true, .accept_name = ""},
    {.word = "no-upgrade", .wrong = true, .upgrade = ""},
    {.word = "other-upgrade", .wrong = true, .upgrade = "Upgrade: h2c\r\n"},
    {.word = "no-connection", .wrong = true, .connection = ""},
    {.word = "other-connection", .wrong = true, .connection = "Connection: keep-alive\r\n"},
    {.word = "unasked-extension",
     .wrong = true,
     .unasked = true,
     .fields = "Sec-WebSocket-Extensions: x-jrpcheck\r\n"},
    {.word = "unasked-protocol",
     .wrong = true,
     .unasked = true,
     .fields = "Sec-WebSocket-Protocol: x-jrpcheck\r\n"},
    {.word = "status-200",
     .wrong = true,
     .status = "HTTP/1.1 200 OK\r\n",
     .fields = "Content-Length: 0\r\n"},
};

const jrpc_websocket_welcome *jrpc_websocket_welcome_find(jrpc_slice word)
{
    for (size_t i = 0; i < sizeof welcomes / sizeof welcomes[0]; i++) {
        if (jrpc_slice_is(word, welcomes[i].word)) {
            return &welcomes[i];
        }
    }
    return NULL;
}

const char *jrpc_websocket_welcome_words(void)
{
    return "lower-names, values-in-other-case, connection-list, accept-padded, more-fields, "
           "other-accept, no-accept, no-upgrade, other-upgrade, no-connection, other-connection, "
           "unasked-extension, unasked-protocol or status-200";
}

const char *jrpc_websocket_welcome_flaw(const jrpc_websocket_welcome *welcome, jrpc_flaw *ret_of)
{
    if (welcome == NULL || !welcome->wrong) {
        return NULL;
    }
    if (ret_of != NULL) {
        *ret_of = welcome->unasked ? JRPC_FLAW_UNASKED : JRPC_FLAW_GOES_ON;
    }
    return welcome->unasked
               ? "the client goes on after an answer to its handshake with an extension or a "
                 "subprotocol that it did not ask for (RFC 6455, section 4.1)"
               : "the client goes on after an answer to its handshake with which it has to fail "
                 "the connection (RFC 6455, section 4.1)";
}

static const char *or_usual(const char *line, const char *usual)
{
    return line == NULL ? usual : line;
}

bool jrpc_websocket_welcome_put(const jrpc_websocket_welcome *welcome, jrpc_slice key,
                                jrpc_buffer *out)
{
    static const jrpc_slice another = JRPC_SLICE_INIT("dGhlIHNhbXBsZSBub25jZQ==");
    const char *name = or_usual(welcome->accept_name, "Sec-WebSocket-Accept");
    char accept[JRPC_WEBSOCKET_ACCEPT_BYTES];
    jrpc_websocket_accept(welcome->accepts_another ? another : key, accept);
    bool put = jrpc_buffer_printf(out, "%s%s%s",
                                  or_usual(welcome->status, "HTTP/1.1 101 Switching Protocols\r\n"),
                                  or_usual(welcome->upgrade, "Upgrade: websocket\r\n"),
                                  or_usual(welcome->connection, "Connection: Upgrade\r\n"));
    if (put && name[0] != '\0') {
        bool ended = strchr(name, ':') != NULL;
        put = jrpc_buffer_printf(out, "%s%s%s%s\r\n", name, ended ? "" : ": ", accept,
                                 or_usual(welcome->after_accept, ""));
    }
    return put && jrpc_buffer_printf(out, "%s\r\n", or_usual(welcome->fields, ""));
}

#define BYTES(literal) .before = (literal), .before_len = sizeof(literal) - 1

static const jrpc_websocket_form forms[] = {
    {.word = "masked", .masked = true},
    {.word = "reserved-bit", .reserved_bits = 0x40},
    {.word = "reserved-bits", .reserved_bits = 0x30},
    {.word = "reserved-opcode", BYTES("\x83\x01 ")},
    {.word = "reserved-control", BYTES("\x8b\x00")},
    {.word = "not-utf8", BYTES("\x81\x02\xc3(")},
    {.word = "continuation-first", BYTES("\x80\x01 ")},
    {.word = "fragmented-ping", BYTES("\x09\x01p")},
    {.word = "pong-unasked",
     BYTES("\x8a\x03"
           "abc")},
    {.word = "empty-ping", BYTES("\x89\x00")},
};

const jrpc_websocket_form *jrpc_websocket_form_find(jrpc_slice word)
{
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (jrpc_slice_is(word, forms[i].word)) {
            return &forms[i];
        }
    }
    return NULL;
}

const char *jrpc_websocket_form_words(void)
{
    return "masked, reserved-bit, reserved-bits, reserved-opcode, reserved-control, not-utf8, "
           "continuation-first, fragmented-ping, pong-unasked or empty-ping";
}
