// Frames without their masks, and where a Close stands among them, however the bytes are split.
#include "reference/wire/unmask.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

typedef struct sample {
    jrpc_slice frames, plain;
    bool at_close; // at the end
    size_t body;   // bytes of that Close
} sample;

static const sample samples[] = {
    {JRPC_SLICE_INIT("\x81\x02{}"), JRPC_SLICE_INIT("\x81\x02{}"), false, 0},
    {JRPC_SLICE_INIT("\x81\x82\1\2\3\4\x7a\x7f"), JRPC_SLICE_INIT("\x81\x02{}"), false, 0},
    {JRPC_SLICE_INIT("\x88\x00"), JRPC_SLICE_INIT("\x88\x00"), true, 0},
    {JRPC_SLICE_INIT("\x88\x82\1\2\3\4\x02\xEA"), JRPC_SLICE_INIT("\x88\x02\x03\xE8"), true, 2},
    {JRPC_SLICE_INIT("\x88\x02\x03"), JRPC_SLICE_INIT("\x88\x02\x03"), false, 1},
    // After a Close: the head of another frame has begun.
    {JRPC_SLICE_INIT("\x88\x00\x81"), JRPC_SLICE_INIT("\x88\x00"), false, 0},
};

static void a_close_is_seen_however_the_bytes_are_split(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        for (size_t size = 1; size <= samples[i].frames.len; size++) {
            jrpc_unmask unmask = {.head_len = 0};
            jrpc_buffer out;
            jrpc_buffer_init(&out, jrpc_allocator_heap(), 1000);
            for (size_t at = 0; at < samples[i].frames.len; at += size) {
                jrpc_slice rest = jrpc_slice_from(samples[i].frames, at);
                rest = jrpc_slice_of(rest.ptr, size < rest.len ? size : rest.len);
                while (rest.len > 0) {
                    assert_true(jrpc_unmask_feed(&unmask, &rest, &out));
                }
            }
            assert_true(jrpc_slice_equal(jrpc_buffer_slice(&out), samples[i].plain));
            assert_int_equal(jrpc_unmask_at_close(&unmask), samples[i].at_close);
            assert_int_equal(unmask.body_len, samples[i].body);
            jrpc_buffer_done(&out);
        }
    }
}

// 125 bytes are the most that a Close may have: one of 126 is passed on, and nothing of it is kept.
static void the_body_of_a_close_that_is_too_long_is_not_kept(void **state)
{
    (void)state;
    for (size_t len = 124; len <= 127; len++) {
        char frame[4 + 127] = "\x88";
        size_t head = len <= 125 ? 2 : 4;
        frame[1] = (char)(len <= 125 ? len : 126);
        frame[head - 1] = (char)len;
        memset(frame + head, 'r', len);
        jrpc_unmask unmask = {.head_len = 0};
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), 1000);
        jrpc_slice bytes = jrpc_slice_of(frame, head + len);
        assert_true(jrpc_unmask_feed(&unmask, &bytes, &out));
        assert_int_equal(bytes.len, 0);
        assert_true(jrpc_slice_equal(jrpc_buffer_slice(&out), jrpc_slice_of(frame, head + len)));
        assert_int_equal(jrpc_unmask_at_close(&unmask), len <= JRPC_UNMASK_CLOSE);
        assert_int_equal(unmask.body_len, len <= JRPC_UNMASK_CLOSE ? len : 0);
        jrpc_buffer_done(&out);
    }
}

static void what_does_not_fit_is_said(void **state)
{
    (void)state;
    for (size_t most = 0; most <= 4; most++) {
        jrpc_unmask unmask = {.head_len = 0};
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), most);
        jrpc_slice bytes = JRPC_SLICE("\x81\x02{}");
        assert_int_equal(jrpc_unmask_feed(&unmask, &bytes, &out), most == 4);
        jrpc_buffer_done(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_close_is_seen_however_the_bytes_are_split),
        cmocka_unit_test(the_body_of_a_close_that_is_too_long_is_not_kept),
        cmocka_unit_test(what_does_not_fit_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
