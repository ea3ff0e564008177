// Ways of travelling: what is chosen can be written into a case, and gets simpler step by step.
#include "harness/live/travel.h"

#include "reference/json/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { ROUNDS = 400, ROOM = 1 << 16, LENGTH = 50 };

static const jck_travel_limits all = {.chunked = true, .headers = true};

static void check_written(const jck_travel *travel)
{
    jrpc_buffer out;
    jrpc_json_document document;
    jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    (void)jrpc_buffer_append_str(&out, "{\"send\":[]");
    jck_travel_write(travel, &out);
    (void)jrpc_buffer_append_char(&out, '}');
    assert_true(jrpc_json_read(&document, jrpc_buffer_slice(&out), 8, NULL));
    jrpc_json root = jrpc_json_root(&document);
    jrpc_json http = jrpc_json_get(root, "http");
    assert_int_equal(jrpc_json_count(jrpc_json_get(root, "chunks")), travel->piece_count);
    assert_int_equal(jrpc_json_exists(http), travel->http_method != NULL ||
                                                 travel->headers != NULL ||
                                                 travel->content_type != NULL || travel->chunked);
    assert_int_equal(jrpc_json_exists(jrpc_json_get(http, "chunked")), travel->chunked);
    assert_int_equal(jrpc_json_exists(jrpc_json_get(root, "websocket")),
                     travel->ping || travel->binary);
    jrpc_json_document_done(&document);
    jrpc_buffer_done(&out);
}

static void test_ways_are_possible_ones_and_can_be_written(void **state)
{
    (void)state;
    unsigned seen = 0;
    for (int transport = 0; transport < JRPC_TRANSPORT_COUNT; transport++) {
        const jck_target target = {.transport = (jrpc_transport)transport};
        bool web = target.transport == JRPC_TRANSPORT_HTTP;
        for (uint64_t seed = 0; seed < ROUNDS; seed++) {
            jrpc_random random;
            jrpc_random_init(&random, seed);
            bool open = seed % 2 == 0;
            jck_travel travel = jck_travel_pick(&target, &all, 1 + seed % LENGTH, open, &random);
            seen |= jck_travel_class(&travel);
            assert_true(open || !travel.open);
            assert_true(web || (!travel.chunked && travel.headers == NULL));
            for (size_t i = 0; i < travel.piece_count; i++) {
                size_t before = i == 0 ? 0 : travel.pieces[i - 1];
                assert_true(travel.pieces[i] > before && travel.pieces[i] < 1 + seed % LENGTH);
            }
            check_written(&travel);
        }
    }
    assert_int_equal(seen, 127);
}

static void test_limits_are_kept(void **state)
{
    (void)state;
    const jck_target target = {.transport = JRPC_TRANSPORT_HTTP};
    const jck_travel_limits none = {.chunked = false};
    for (uint64_t seed = 0; seed < ROUNDS; seed++) {
        jrpc_random random;
        jrpc_random_init(&random, seed);
        jck_travel travel = jck_travel_pick(&target, &none, LENGTH, false, &random);
        assert_true(jck_travel_is_usual(&travel));
    }
}

static void test_each_thing_can_be_left_out(void **state)
{
    (void)state;
    static const char *const headers[] = {"X: y", NULL};
    const jck_travel whole = {
        .headers = headers, .chunked = true, .ping = true, .pieces = {3, 7}, .piece_count = 2};
    jck_travel less;
    unsigned gone = 0;
    size_t index = 0;
    for (; jck_travel_without(&whole, index, &less); index++) {
        gone |= jck_travel_class(&whole) & ~jck_travel_class(&less);
    }
    assert_int_equal(index, 7);
    assert_int_equal(gone, jck_travel_class(&whole));
    assert_true(jck_travel_without(&whole, 5, &less));
    assert_int_equal(less.piece_count, 1);
    assert_int_equal(less.pieces[0], 7);
}

static void test_pieces_move_into_a_shorter_message(void **state)
{
    (void)state;
    jck_travel travel = {.pieces = {3, 40, 60}, .piece_count = 3};
    jck_travel_fit(&travel, 50);
    assert_int_equal(travel.piece_count, 3);
    assert_int_equal(travel.pieces[1], 40);
    assert_int_equal(travel.pieces[2], 49);
    jck_travel_fit(&travel, 3);
    assert_int_equal(travel.piece_count, 2);
    assert_int_equal(travel.pieces[0], 1);
    assert_int_equal(travel.pieces[1], 2);
    jck_travel_fit(&travel, 1);
    assert_int_equal(travel.piece_count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways_are_possible_ones_and_can_be_written),
        cmocka_unit_test(test_limits_are_kept),
        cmocka_unit_test(test_pieces_move_into_a_shorter_message),
        cmocka_unit_test(test_each_thing_can_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
