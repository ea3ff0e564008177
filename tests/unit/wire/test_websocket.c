// WebSocket without I/O: the handshake's numbers, and two ends that speak to each other.
#include "reference/wire/sha1.h"
#include "reference/wire/websocket.h"
#include "reference/wire/websocket_handshake.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { LIMIT = 1 << 20 };

static void the_digest_is_that_of_the_rfc(void **state)
{
    (void)state;
    static const struct {
        jrpc_slice text;
        const char *digest;
    } table[] = {
        {JRPC_SLICE_INIT("abc"), "a9993e364706816aba3e25717850c26c9cd0d89d"},
        {JRPC_SLICE_INIT(""), "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
        {JRPC_SLICE_INIT("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
         "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
        {JRPC_SLICE_INIT("0123456701234567012345670123456701234567012345670123456701234567"),
         "e0c094e867ef46c350ef54a7f59dd60bed92ae83"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        unsigned char digest[JRPC_SHA1_BYTES];
        char text[2 * JRPC_SHA1_BYTES + 1];
        jrpc_sha1(table[i].text, digest);
        for (size_t b = 0; b < sizeof digest; b++) {
            (void)snprintf(text + 2 * b, 3, "%02x", digest[b]);
        }
        assert_string_equal(text, table[i].digest);
    }
}

static void the_accept_value_is_that_of_the_rfc(void **state)
{
    (void)state;
    char accept[JRPC_WEBSOCKET_ACCEPT_BYTES];
    jrpc_websocket_accept(JRPC_SLICE("dGhlIHNhbXBsZSBub25jZQ=="), accept);
    assert_string_equal(accept, "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
}

typedef struct pair {
    jrpc_websocket client, server;
} pair;

static void begin(pair *both, size_t max_message)
{
    assert_true(jrpc_websocket_init(&both->client, true, max_message, 1, jrpc_allocator_heap()));
    assert_true(jrpc_websocket_init(&both->server, false, max_message, 2, jrpc_allocator_heap()));
}

static void end(pair *both)
{
    jrpc_websocket_done(&both->client);
    jrpc_websocket_done(&both->server);
}

static void a_server_that_masks_is_understood_and_noticed(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 1, 5, 125, 126, 65535, 65536, 70001};
    for (size_t step = 1; step <= 4096; step *= 8) {
        pair both;
        begin(&both, LIMIT);
        both.server.masks = true;
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            char *text = calloc(lengths[i] + 1, 1);
            assert_non_null(text);
            memset(text, 'm', lengths[i]);
            const jrpc_slice sent = {text, lengths[i]};
            assert_true(jrpc_websocket_send(&both.server, false, sent, NULL, 0));
            for (size_t at = 0; at < both.server.out.len; at += step) {
                size_t left = both.server.out.len - at;
                assert_true(
                    jrpc_websocket_feed(&both.client, jrpc_slice_of(both.server.out.ptr + at,
                                                                    left < step ? left : step)));
            }
            jrpc_buffer_clear(&both.server.out);
            jrpc_slice got = {NULL, 0};
            assert_int_equal(jrpc_websocket_next(&both.client, &got), JRPC_WEBSOCKET_TEXT);
            assert_true(jrpc_slice_equal(got, sent));
            assert_non_null(strstr(both.client.unmask.flaw, "masks"));
            free(text);
        }
        end(&both);
    }
}

// Carries what `from` has to say to `to`, `step` bytes at a time.
static void carry(jrpc_websocket *from, jrpc_websocket *to, size_t step)
{
    while (from->out.len > 0) {
        size_t len = from->out.len < step ? from->out.len : step;
        assert_true(jrpc_websocket_feed(to, jrpc_slice_of(from->out.ptr, len)));
        jrpc_buffer_consume(&from->out, len);
    }
}

static void expect(jrpc_websocket *socket, jrpc_websocket_event event, jrpc_slice payload)
{
    jrpc_slice got = {NULL, 0};
    assert_int_equal(jrpc_websocket_next(socket, &got), event);
    assert_true(jrpc_slice_equal(got, payload));
}

static void messages_travel_whole_in_frames_and_in_pieces(void **state)
{
    (void)state;
    static const char text[70000] = {'x'};
    const size_t lengths[] = {0, 1, 125, 126, 65535, 65536, sizeof text};
    const size_t offsets[] = {1, 100};
    for (size_t step = 1; step < 100000; step = step * 100 + 7) {
        pair both;
        begin(&both, LIMIT);
        for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
            jrpc_slice payload = {text, lengths[i]};
            assert_true(jrpc_websocket_send(&both.client, false, payload, offsets, 2));
            carry(&both.client, &both.server, step);
            expect(&both.server, JRPC_WEBSOCKET_TEXT, payload);
            assert_true(jrpc_websocket_send(&both.server, true, payload, NULL, 0));
            carry(&both.server, &both.client, step);
            expect(&both.client, JRPC_WEBSOCKET_BINARY, payload);
        }
        end(&both);
    }
}

static void a_ping_between_fragments_leaves_the_message_whole(void **state)
{
    (void)state;
    const size_t offsets[] = {2, 3};
    pair both;
    begin(&both, LIMIT);
    assert_true(jrpc_websocket_send_pinged(&both.client, false, JRPC_SLICE("abcdef"), offsets, 2));
    carry(&both.client, &both.server, 3);
    expect(&both.server, JRPC_WEBSOCKET_TEXT, JRPC_SLICE("abcdef"));
    carry(&both.server, &both.client, 100);
    assert_int_equal(both.client.pongs, 1);
    end(&both);
}

static void a_pong_without_the_data_of_the_ping_is_no_answer_to_it(void **state)
{
    (void)state;
    pair both;
    begin(&both, LIMIT);
    assert_true(jrpc_websocket_feed(&both.client, jrpc_slice_of("\x8a\x00", 2)));
    expect(&both.client, JRPC_WEBSOCKET_PONG, JRPC_SLICE(""));
    assert_int_equal(both.client.pongs, 0);
    end(&both);
}

static void a_ping_is_answered_and_a_close_is_answered(void **state)
{
    (void)state;
    pair both;
    begin(&both, LIMIT);
    assert_true(jrpc_websocket_ping(&both.client));
    carry(&both.client, &both.server, 1);
    carry(&both.server, &both.client, 1);
    assert_int_equal(both.client.pongs, 1);
    jrpc_slice pong = {NULL, 0};
    assert_int_equal(jrpc_websocket_next(&both.client, &pong), JRPC_WEBSOCKET_PONG);
    assert_int_equal(pong.len, 125); // the most that a control frame may carry
    assert_true(jrpc_websocket_close(&both.client, 1000, JRPC_SLICE("")));
    carry(&both.client, &both.server, 1);
    assert_true(both.server.closed);
    assert_int_equal(both.server.close_code, 1000);
    carry(&both.server, &both.client, 1);
    assert_true(both.client.closed);
    assert_int_equal(both.client.close_code, 1000);
    end(&both);
}

// RFC 6455, section 5.4: control frames may come between the fragments of a message, but not within
// a frame.
static void what_is_owed_waits_for_the_end_of_the_frame_that_is_sent(void **state)
{
    (void)state;
    static const jrpc_slice frames[] = {
        JRPC_SLICE_INIT("\x81\x82\0\0\0\0{}"),                  // one message
        JRPC_SLICE_INIT("\x01\x81\0\0\0\0{\x80\x81\0\0\0\0}"),  // in fragments
        JRPC_SLICE_INIT("\x81\x80\0\0\0\0\x81\x83\0\0\0\0{ }"), // one of them empty
        JRPC_SLICE_INIT("\x82\xFE\0\3\0\0\0\0abc"),             // lengths that are longer
        JRPC_SLICE_INIT("\x82\xFF\0\0\0\0\0\0\0\3\0\0\0\0abc"), // … than they need be
    };
    static const jrpc_slice from_server[] = {JRPC_SLICE_INIT("\x89\x03why\x89\x00"),
                                             JRPC_SLICE_INIT("\x88\x02\x03\xE8")};
    static const size_t ends[][3] = {{8}, {7, 14}, {6, 15}, {11}, {17}};
    static const size_t owed[] = {6 + 3 + 6, 6 + 2};
    for (size_t row = 0; row < sizeof frames / sizeof *frames; row++) {
        for (size_t at = 0; at <= frames[row].len; at++) {
            for (size_t which = 0; which < 2; which++) {
                pair both;
                begin(&both, LIMIT);
                jrpc_buffer *out = &both.client.out;
                bool between = at == 0;
                size_t end_at = 0; // of the frame that is being sent
                for (size_t i = 0; i < 3 && ends[row][i] > 0; i++) {
                    between = between || at == ends[row][i];
                    end_at = end_at < at ? ends[row][i] : end_at;
                }
                assert_true(
                    jrpc_websocket_send_raw(&both.client, jrpc_slice_of(frames[row].ptr, at)));
                assert_true(jrpc_websocket_feed(&both.client, from_server[which]));
                assert_int_equal(out->len, at + (between ? owed[which] : 0));
                assert_true(
                    jrpc_websocket_send_raw(&both.client, jrpc_slice_from(frames[row], at)));
                assert_int_equal(out->len, frames[row].len + owed[which]);
                assert_memory_equal(out->ptr, frames[row].ptr, end_at);
                assert_memory_equal(out->ptr + end_at + owed[which], frames[row].ptr + end_at,
                                    frames[row].len - end_at);
                end(&both);
            }
        }
    }
}

static void a_close_without_a_code_is_answered_with_one_without(void **state)
{
    (void)state;
    pair both;
    begin(&both, LIMIT);
    assert_true(jrpc_websocket_close(&both.client, 0, JRPC_SLICE("")));
    carry(&both.client, &both.server, 1);
    assert_int_equal(both.server.close_code, 1005);
    assert_true(jrpc_slice_equal(jrpc_buffer_slice(&both.server.out), JRPC_SLICE("\x88\x00")));
    carry(&both.server, &both.client, 1);
    assert_true(both.client.closed && !both.client.broken);
    assert_null(both.client.close_flaw);
    end(&both);
}

// Whole and byte by byte: the library notices some of it in whole frames only.
static void what_a_close_of_the_server_breaks_is_said(void **state)
{
    (void)state;
    static const struct {
        jrpc_slice frames;
        int code;
        const char *flaw; // a part of it; NULL: none
    } table[] = {
        {JRPC_SLICE_INIT("\x88\x00"), 1005, NULL},
        {JRPC_SLICE_INIT("\x88\x02\x03\xE8"), 1000, NULL},
        {JRPC_SLICE_INIT("\x88\x02\x03\xF4"), 1012, NULL}, // registered later
        {JRPC_SLICE_INIT("\x88\x02\x0B\xB7"), 2999, NULL},
        {JRPC_SLICE_INIT("\x88\x02\x13\x87"), 4999, NULL},
        {JRPC_SLICE_INIT("\x88\x04\x03\xE8\xC3\xA9"), 1000, NULL},
        {JRPC_SLICE_INIT("\x88\x01\x03"), 1005, "one byte"},
        {JRPC_SLICE_INIT("\x88\x02\x03\xE7"), 999, "below 1000"},
        {JRPC_SLICE_INIT("\x88\x02\x00\x00"), 0, "below 1000"},
        {JRPC_SLICE_INIT("\x88\x02\x03\xEC"), 1004, "1004"},
        {JRPC_SLICE_INIT("\x88\x02\x03\xED"), 1005, "1005"},
        {JRPC_SLICE_INIT("\x88\x02\x03\xEE"), 1006, "1006"},
        {JRPC_SLICE_INIT("\x88\x02\x03\xF7"), 1015, "1015"},
        {JRPC_SLICE_INIT("\x88\x02\x13\x88"), 5000, "above 4999"},
        {JRPC_SLICE_INIT("\x88\x04\x03\xE8\xC3\x28"), 1000, "not UTF-8"},
        // Behind other frames, masked, and before bytes that nobody reads any more.
        {JRPC_SLICE_INIT("\x81\x02{}\x88\x82\x01\x02\x03\x04\x02\xEF\x88\x00"), 1005, "1005"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (size_t size = 1; size <= table[i].frames.len; size += table[i].frames.len - 1) {
            jrpc_websocket client;
            assert_true(jrpc_websocket_init(&client, true, LIMIT, 1, jrpc_allocator_heap()));
            for (size_t at = 0; at < table[i].frames.len; at += size) {
                jrpc_slice rest = jrpc_slice_from(table[i].frames, at);
                assert_true(jrpc_websocket_feed(
                    &client, jrpc_slice_of(rest.ptr, size < rest.len ? size : rest.len)));
            }
            const char *flaw = client.close_flaw == NULL ? "" : client.close_flaw;
            if (!client.closed || client.broken || client.close_code != table[i].code ||
                (*flaw != '\0') != (table[i].flaw != NULL) ||
                (table[i].flaw != NULL && strstr(flaw, table[i].flaw) == NULL)) {
                fail_msg("row %zu in pieces of %zu: closed %d with %d, \"%s\"", i, size,
                         client.closed, client.close_code, flaw);
            }
            jrpc_websocket_done(&client);
        }
    }
}

// What can be understood is understood all the same.
static void what_the_frames_of_a_server_break_is_said(void **state)
{
    (void)state;
    static const struct {
        jrpc_slice frames;
        int texts;        // how many messages are understood
        const char *flaw; // a part of it; NULL: none
    } table[] = {
        {JRPC_SLICE_INIT("\x81\x02{}\x81\x02[]"), 2, NULL},
        {JRPC_SLICE_INIT("\x01\x01{\x89\x00\x80\x01}"), 1, NULL},
        {JRPC_SLICE_INIT("\x81\x82\0\0\0\0{}"), 1, "masks its frames"},
        {JRPC_SLICE_INIT("\xC1\x02{}"), 1, "a reserved bit"},
        {JRPC_SLICE_INIT("\x83\x00"), 0, "a reserved opcode"},
        {JRPC_SLICE_INIT("\x8B\x00"), 0, "a reserved opcode"},
        {JRPC_SLICE_INIT("\x09\x00"), 0, "in fragments"},
        {JRPC_SLICE_INIT("\x89\x7E\x00\x7E"), 0, "more than 125 bytes"},
        {JRPC_SLICE_INIT("\x81\x7E\x00\x02{}"), 1, "more bytes than necessary"},
        {JRPC_SLICE_INIT("\x81\x7F\0\0\0\0\0\0\0\x02{}"), 1, "more bytes than necessary"},
        {JRPC_SLICE_INIT("\x80\x00"), 0, "has not begun"},
        {JRPC_SLICE_INIT("\x01\x01{\x81\x02[]"), 0, "between the fragments"},
        {JRPC_SLICE_INIT("\x88\x00\x81\x02{}"), 0, "after the Close"},
        {JRPC_SLICE_INIT("\x88\x00\x8A\x00"), 0, NULL},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (size_t size = 1; size <= table[i].frames.len; size += table[i].frames.len - 1) {
            jrpc_websocket client;
            assert_true(jrpc_websocket_init(&client, true, LIMIT, 1, jrpc_allocator_heap()));
            for (size_t at = 0; at < table[i].frames.len; at += size) {
                jrpc_slice rest = jrpc_slice_from(table[i].frames, at);
                assert_true(jrpc_websocket_feed(
                    &client, jrpc_slice_of(rest.ptr, size < rest.len ? size : rest.len)));
            }
            int texts = 0;
            jrpc_slice payload;
            for (jrpc_websocket_event event;
                 (event = jrpc_websocket_next(&client, &payload)) != JRPC_WEBSOCKET_NONE;) {
                texts += event == JRPC_WEBSOCKET_TEXT ? 1 : 0;
            }
            const char *flaw = client.unmask.flaw == NULL ? "" : client.unmask.flaw;
            if (texts != table[i].texts || (*flaw != '\0') != (table[i].flaw != NULL) ||
                (table[i].flaw != NULL && strstr(flaw, table[i].flaw) == NULL)) {
                fail_msg("row %zu in pieces of %zu: %d messages, \"%s\"", i, size, texts, flaw);
            }
            jrpc_websocket_done(&client);
        }
    }
}

static void a_frame_that_breaks_the_protocol_is_not_taken_for_the_close_after_it(void **state)
{
    (void)state;
    jrpc_websocket client;
    assert_true(jrpc_websocket_init(&client, true, LIMIT, 1, jrpc_allocator_heap()));
    (void)jrpc_websocket_feed(&client, JRPC_SLICE("\x83\x00\x88\x02\x03\xED"));
    assert_true(client.closed && client.broken);
    assert_int_equal(client.close_code, 1002);
    assert_null(client.close_flaw);
    jrpc_websocket_done(&client);
}

static void the_answer_to_a_request_without_a_key_has_no_right_value(void **state)
{
    (void)state;
    jrpc_buffer answer;
    jrpc_buffer_init(&answer, jrpc_allocator_heap(), 4096);
    assert_true(jrpc_websocket_upgrade(JRPC_SLICE("short"), &answer));
    jrpc_slice head = jrpc_buffer_slice(&answer);
    assert_true(jrpc_websocket_check_answer(head, "short", NULL));
    assert_true(jrpc_websocket_check_answer(head, NULL, NULL));
    assert_false(jrpc_websocket_check_answer(head, "another", NULL));
    assert_false(jrpc_websocket_check_answer(JRPC_SLICE("HTTP/1.1 400 no\r\n\r\n"), NULL, NULL));
    jrpc_buffer_done(&answer);
}

// Each allocation fails once; the library's own cannot be made to.
static void what_has_no_memory_says_so(void **state)
{
    (void)state;
    static const char text[300] = {'x'};
    const size_t offsets[] = {100, 200};
    bool whole = false;
    for (size_t n = 0; !whole; n++) {
        assert_true(n < 100);
        jrpc_failing_allocator failing;
        jrpc_failing_allocator_init(&failing, SIZE_MAX);
        jrpc_websocket client;
        assert_true(jrpc_websocket_init(&client, true, LIMIT, 1, &failing.allocator));
        failing.remaining = n;
        whole = jrpc_websocket_send_pinged(&client, false, jrpc_slice_of(text, sizeof text),
                                           offsets, 2) &&
                jrpc_websocket_send(&client, false, jrpc_slice_of(text, sizeof text), offsets, 2) &&
                jrpc_websocket_send_raw(&client, JRPC_SLICE("\x81")) &&
                jrpc_websocket_feed(&client, JRPC_SLICE("\x81\x02{}\x89\x00\x81\x02[]")) &&
                jrpc_websocket_send_raw(&client, JRPC_SLICE("\x80\0\0\0\0")) &&
                jrpc_websocket_close(&client, 1000, JRPC_SLICE(""));
        if (whole) {
            jrpc_slice got = {NULL, 0};
            assert_int_equal(jrpc_websocket_next(&client, &got), JRPC_WEBSOCKET_TEXT);
            assert_true(jrpc_slice_is(got, "{}"));
        }
        jrpc_websocket_done(&client);
    }
}

static void what_breaks_the_protocol_ends_it_with_its_code(void **state)
{
    (void)state;
    static const struct {
        jrpc_slice frames;
        int code;
    } table[] = {
        {JRPC_SLICE_INIT("\x81\x02{}"), 1002},                 // not masked
        {JRPC_SLICE_INIT("\xF1\x80\0\0\0\0"), 1002},           // reserved bits
        {JRPC_SLICE_INIT("\x81\x81\0\0\0\0\xFF"), 1007},       // not UTF-8
        {JRPC_SLICE_INIT("\x80\x80\0\0\0\0"), 1002},           // a continuation of nothing
        {JRPC_SLICE_INIT("\x81\xFF\0\0\0\0\x7F\0\0\0"), 1009}, // longer than the limit
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        jrpc_websocket server;
        assert_true(jrpc_websocket_init(&server, false, 1000, 0, jrpc_allocator_heap()));
        (void)jrpc_websocket_feed(&server, table[i].frames);
        // The longest head is completed by its mask, and looked at with its first byte.
        (void)jrpc_websocket_feed(&server, JRPC_SLICE("\0\0\0\0x"));
        if (!server.closed || server.close_code != table[i].code) {
            fail_msg("row %zu: closed %d with %d, expected %d", i, server.closed, server.close_code,
                     table[i].code);
        }
        jrpc_websocket_done(&server);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_server_that_masks_is_understood_and_noticed),
        cmocka_unit_test(the_digest_is_that_of_the_rfc),
        cmocka_unit_test(the_accept_value_is_that_of_the_rfc),
        cmocka_unit_test(messages_travel_whole_in_frames_and_in_pieces),
        cmocka_unit_test(a_ping_between_fragments_leaves_the_message_whole),
        cmocka_unit_test(a_pong_without_the_data_of_the_ping_is_no_answer_to_it),
        cmocka_unit_test(a_ping_is_answered_and_a_close_is_answered),
        cmocka_unit_test(what_is_owed_waits_for_the_end_of_the_frame_that_is_sent),
        cmocka_unit_test(a_close_without_a_code_is_answered_with_one_without),
        cmocka_unit_test(what_a_close_of_the_server_breaks_is_said),
        cmocka_unit_test(what_the_frames_of_a_server_break_is_said),
        cmocka_unit_test(a_frame_that_breaks_the_protocol_is_not_taken_for_the_close_after_it),
        cmocka_unit_test(the_answer_to_a_request_without_a_key_has_no_right_value),
        cmocka_unit_test(what_has_no_memory_says_so),
        cmocka_unit_test(what_breaks_the_protocol_ends_it_with_its_code),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
