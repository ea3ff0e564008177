// Faults of a client over WebSocket: its handshake, its frames, and what it takes from a server
// that breaks RFC 6455. All act in the relay.
#include "reference/base/utf8.h"
#include "reference/driver/change.h"
#include "reference/driver/relay.h"
#include "reference/wire/websocket_handshake.h"

#include <string.h>

enum { CONTINUATION = 0, TEXT = 1, CLOSE = 8, PING = 9, PONG = 10, LAST_DATA = 2 };
#define OTHER_KEY "AQIDBAUGBwgJCgsMDQ4PEA=="

static bool always(jrpc_slice head, jrpc_slice key)
{
    (void)head;
    (void)key;
    return true;
}

static bool has_wrong_accept(jrpc_slice head, jrpc_slice key)
{
    char accept[JRPC_WEBSOCKET_ACCEPT_BYTES];
    jrpc_websocket_accept(key, accept);
    return !jrpc_slice_is(jrpc_head_value(head, "Sec-WebSocket-Accept"), accept);
}

static bool has_no_accept(jrpc_slice head, jrpc_slice key)
{
    (void)key;
    return jrpc_head_value(head, "Sec-WebSocket-Accept").ptr == NULL;
}

static bool has_wrong_upgrade(jrpc_slice head, jrpc_slice key)
{
    (void)key;
    return !jrpc_head_lists(jrpc_head_value(head, "Upgrade"), "websocket");
}

static bool has_wrong_connection(jrpc_slice head, jrpc_slice key)
{
    (void)key;
    return !jrpc_head_lists(jrpc_head_value(head, "Connection"), "upgrade");
}

static bool has_extension(jrpc_slice head, jrpc_slice key)
{
    (void)key;
    return jrpc_head_value(head, "Sec-WebSocket-Extensions").ptr != NULL;
}

static bool has_protocol(jrpc_slice head, jrpc_slice key)
{
    (void)key;
    return jrpc_head_value(head, "Sec-WebSocket-Protocol").ptr != NULL;
}

static bool has_wrong_status(jrpc_slice head, jrpc_slice key)
{
    (void)key;
    return jrpc_slice_starts_with(head, JRPC_SLICE("HTTP/1.1 200"));
}

static bool has(const jrpc_relay_answer *answer, const char *part)
{
    return jrpc_slice_contains(answer->head, jrpc_slice_str(part));
}

static bool has_lower_names(const jrpc_relay_answer *answer)
{
    return has(answer, "\r\nsec-websocket-accept:");
}

static bool has_other_case(const jrpc_relay_answer *answer)
{
    return has(answer, "\r\nUpgrade: WebSocket\r\n") || has(answer, "\r\nConnection: upgrade\r\n");
}

static bool has_list(const jrpc_relay_answer *answer)
{
    return has(answer, "\r\nConnection: keep-alive, ");
}

static bool has_padding(const jrpc_relay_answer *answer)
{
    return has(answer, "Accept:  ");
}

static bool has_more_fields(const jrpc_relay_answer *answer)
{
    return has(answer, "\r\nSet-Cookie:");
}

static jrpc_relay_verdict unmask(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    frame->masked = false;
    return JRPC_RELAY_PASS;
}

static jrpc_relay_verdict mask_with_zeros(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    memset(frame->mask, 0, sizeof frame->mask);
    return JRPC_RELAY_PASS;
}

static jrpc_relay_verdict mask_alike(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    memcpy(frame->mask, "\x12\x34\x56\x78", sizeof frame->mask);
    return JRPC_RELAY_PASS;
}

static jrpc_relay_verdict set_reserved(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    frame->first |= 0x40;
    return JRPC_RELAY_PASS;
}

static jrpc_relay_verdict empty_pong(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    frame->len = jrpc_relay_opcode(frame) == PONG ? 0 : frame->len;
    return JRPC_RELAY_PASS;
}

static jrpc_relay_verdict drop_pong(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    return jrpc_relay_opcode(frame) == PONG ? JRPC_RELAY_DROP : JRPC_RELAY_PASS;
}

static jrpc_relay_verdict drop_close(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    return jrpc_relay_opcode(frame) == CLOSE ? JRPC_RELAY_CUT : JRPC_RELAY_PASS;
}

// The code 1005, which means that there was none.
static jrpc_relay_verdict close_without_code(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    static char body[] = "\x03\xed";
    (void)memory;
    if (jrpc_relay_opcode(frame) == CLOSE) {
        frame->payload = body;
        frame->len = sizeof body - 1;
    }
    return JRPC_RELAY_PASS;
}

// Whether a Close has another code than 1000.
static jrpc_relay_verdict refuse_other_codes(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    bool other = frame->len >= 2 && memcmp(frame->payload, "\x03\xe8", 2) != 0;
    return jrpc_relay_opcode(frame) == CLOSE && other ? JRPC_RELAY_CUT : JRPC_RELAY_PASS;
}

static jrpc_relay_verdict refuse_reasons(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    return jrpc_relay_opcode(frame) == CLOSE && frame->len > 2 ? JRPC_RELAY_CUT : JRPC_RELAY_PASS;
}

static jrpc_relay_verdict clear_reserved(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    frame->first &= ~(unsigned)JRPC_FRAME_RESERVED;
    return JRPC_RELAY_PASS;
}

static jrpc_relay_verdict drop_unknown(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    unsigned opcode = jrpc_relay_opcode(frame);
    (void)memory;
    return opcode > PONG || (opcode > LAST_DATA && opcode < CLOSE) ? JRPC_RELAY_DROP
                                                                   : JRPC_RELAY_PASS;
}

static jrpc_relay_verdict drop_bad_text(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    bool whole = frame->first == (JRPC_FRAME_FINAL | (unsigned)TEXT);
    return whole && !jrpc_utf8_is_valid(frame->payload, frame->len) ? JRPC_RELAY_DROP
                                                                    : JRPC_RELAY_PASS;
}

static jrpc_relay_verdict lose_fragments(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    if (jrpc_relay_opcode(frame) <= LAST_DATA) {
        memory->in_fragments = (frame->first & JRPC_FRAME_FINAL) == 0;
    }
    return jrpc_relay_opcode(frame) == PING && memory->in_fragments ? JRPC_RELAY_CUT
                                                                    : JRPC_RELAY_PASS;
}

static jrpc_relay_verdict refuse_fragments(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    return (frame->first & JRPC_FRAME_FINAL) == 0 ? JRPC_RELAY_CUT : JRPC_RELAY_PASS;
}

static jrpc_relay_verdict refuse_pong(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    return jrpc_relay_opcode(frame) == PONG ? JRPC_RELAY_CUT : JRPC_RELAY_PASS;
}

static jrpc_relay_verdict refuse_empty_ping(jrpc_relay_frame *frame, jrpc_relay_memory *memory)
{
    (void)memory;
    return jrpc_relay_opcode(frame) == PING && frame->len == 0 ? JRPC_RELAY_CUT : JRPC_RELAY_PASS;
}

#define WAY(...)                                                                                   \
    .relay = &(const jrpc_relay_way)                                                               \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define KEY(value)                                                                                 \
    .name = "Sec-WebSocket-Key", .line = "Sec-WebSocket-Key: " value, .forgives = always

static const jrpc_client_fault rows[] = {
    {JRPC_CLIENT_ROW("websocket-key-constant", "CLW-a", "each handshake has the same key"),
     WAY(KEY(OTHER_KEY))},
    {JRPC_CLIENT_ROW("websocket-key-short", "CLW-a", "the key of a handshake has 8 bytes"),
     WAY(KEY("AQIDBAUGBwg="))},
    {JRPC_CLIENT_ROW("websocket-key-plain", "CLW-a", "the key of a handshake is not base64"),
     WAY(KEY("jrpc-reference-client-01"))},
    {JRPC_CLIENT_ROW("websocket-version-8", "CLW-a", "a handshake asks for version 8"),
     WAY(.name = "Sec-WebSocket-Version", .line = "Sec-WebSocket-Version: 8")},
    {JRPC_CLIENT_ROW("websocket-host-without-port", "CLH-b",
                     "the Host of a handshake does not name the port"),
     WAY(.name = "Host", .line = "Host: 127.0.0.1")},
    {JRPC_CLIENT_ROW("websocket-line-feeds", "CLH-a",
                     "the head of a handshake ends in two LF without CR"),
     WAY(.from = "\r\n\r\n", .to = "\n\n")},
    {JRPC_CLIENT_ROW("websocket-accept-unchecked", "CLW-b", "Sec-WebSocket-Accept may be wrong"),
     WAY(.forgives = has_wrong_accept)},
    {JRPC_CLIENT_ROW("websocket-accept-missing", "CLW-b", "Sec-WebSocket-Accept may be missing"),
     WAY(.forgives = has_no_accept)},
    {JRPC_CLIENT_ROW("websocket-upgrade-unchecked", "CLW-b", "Upgrade may be missing or another"),
     WAY(.forgives = has_wrong_upgrade)},
    {JRPC_CLIENT_ROW("websocket-connection-unchecked", "CLW-b",
                     "Connection may be missing or another"),
     WAY(.forgives = has_wrong_connection)},
    {JRPC_CLIENT_ROW("websocket-extension-taken", "CLW-i",
                     "an extension that was not offered is accepted"),
     WAY(.forgives = has_extension)},
    {JRPC_CLIENT_ROW("websocket-protocol-taken", "CLW-i",
                     "a subprotocol that was not requested is accepted"),
     WAY(.forgives = has_protocol)},
    {JRPC_CLIENT_ROW("websocket-status-unchecked", "CLW-b", "the status 200 is taken for 101"),
     WAY(.forgives = has_wrong_status)},
    {JRPC_CLIENT_ROW("websocket-names-exact", "CLW-g", "header names in lower case are not known"),
     WAY(.chokes = has_lower_names)},
    {JRPC_CLIENT_ROW("websocket-values-exact", "CLW-g", "values in another case are not known"),
     WAY(.chokes = has_other_case)},
    {JRPC_CLIENT_ROW("websocket-connection-exact", "CLW-g", "Connection must be Upgrade alone"),
     WAY(.chokes = has_list)},
    {JRPC_CLIENT_ROW("websocket-padding-kept", "CLW-g", "white space belongs to a value"),
     WAY(.chokes = has_padding)},
    {JRPC_CLIENT_ROW("websocket-few-fields", "CLW-g", "other header fields are not accepted"),
     WAY(.chokes = has_more_fields)},
    {JRPC_CLIENT_ROW("websocket-unmasked", "CLW-d", "frames are not masked"), WAY(.up = unmask)},
    {JRPC_CLIENT_ROW("websocket-mask-zero", "CLW-d", "all masks are zero"),
     WAY(.up = mask_with_zeros)},
    {JRPC_CLIENT_ROW("websocket-mask-constant", "CLW-d", "all masks are the same"),
     WAY(.up = mask_alike)},
    {JRPC_CLIENT_ROW("websocket-reserved-set", "CLW-d", "a reserved bit is set"),
     WAY(.up = set_reserved)},
    {JRPC_CLIENT_ROW("websocket-pong-empty", "CLW-e", "a Pong does not have the data of its Ping"),
     WAY(.up = empty_pong)},
    {JRPC_CLIENT_ROW("websocket-pong-missing", "CLW-e", "a Ping is not answered"),
     WAY(.up = drop_pong)},
    {JRPC_CLIENT_ROW("websocket-close-unanswered", "CLW-f", "a Close is not answered"),
     WAY(.up = drop_close)},
    {JRPC_CLIENT_ROW("websocket-close-1005", "CLW-f", "a Close has the status code 1005"),
     WAY(.up = close_without_code)},
    {JRPC_CLIENT_ROW("websocket-close-1000-only", "CLW-f",
                     "a Close with another code than 1000 is not answered"),
     WAY(.down = refuse_other_codes)},
    {JRPC_CLIENT_ROW("websocket-close-reasonless", "CLW-f",
                     "a Close with a reason is not answered"),
     WAY(.down = refuse_reasons)},
    {JRPC_CLIENT_ROW("websocket-masked-taken", "CLW-c", "masked frames are read"),
     WAY(.down = unmask)},
    {JRPC_CLIENT_ROW("websocket-reserved-taken", "CLW-c", "reserved bits are ignored"),
     WAY(.down = clear_reserved)},
    {JRPC_CLIENT_ROW("websocket-opcode-taken", "CLW-c", "frames with unknown opcodes are dropped"),
     WAY(.down = drop_unknown)},
    {JRPC_CLIENT_ROW("websocket-text-taken", "CLW-c", "text that is not UTF-8 is dropped"),
     WAY(.down = drop_bad_text)},
    {JRPC_CLIENT_ROW("websocket-fragments-refused", "CLW-g", "messages in fragments are not read"),
     WAY(.down = refuse_fragments)},
    {JRPC_CLIENT_ROW("websocket-fragments-lost", "CLW-g",
                     "a Ping between fragments is not expected"),
     WAY(.down = lose_fragments)},
    {JRPC_CLIENT_ROW("websocket-pong-refused", "CLW-g",
                     "a Pong that answers no Ping is not accepted"),
     WAY(.down = refuse_pong)},
    {JRPC_CLIENT_ROW("websocket-ping-refused", "CLW-g", "an empty Ping is not accepted"),
     WAY(.down = refuse_empty_ping)},
};

const jrpc_client_fault_table jrpc_client_faults_websocket = JRPC_CLIENT_FAULT_TABLE(rows);
