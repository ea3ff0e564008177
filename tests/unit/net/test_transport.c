// The table of transports: one row each, and every row reached by its name and its schemes.
#include "reference/net/transport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void every_transport_is_found_by_its_name(void **state)
{
    (void)state;
    for (int i = 0; i < JRPC_TRANSPORT_COUNT; i++) {
        jrpc_transport found = JRPC_TRANSPORT_STDIO;
        const char *name = jrpc_transport_traits((jrpc_transport)i)->name;
        assert_true(jrpc_transport_from_name(jrpc_slice_str(name), &found));
        assert_int_equal(found, i);
    }
    jrpc_transport untouched = JRPC_TRANSPORT_UNIX;
    assert_false(jrpc_transport_from_name(JRPC_SLICE("carrier pigeon"), &untouched));
    assert_false(jrpc_transport_from_name(JRPC_SLICE(""), &untouched));
    assert_int_equal(untouched, JRPC_TRANSPORT_UNIX);
}

static void every_scheme_leads_to_its_transport(void **state)
{
    (void)state;
    static const struct {
        const char *address;
        jrpc_transport transport;
        const char *rest;
    } rows[] = {
        {"tcp://h:1", JRPC_TRANSPORT_TCP, "h:1"},  {"unix:/s", JRPC_TRANSPORT_UNIX, "/s"},
        {"http://h/", JRPC_TRANSPORT_HTTP, "h/"},  {"https://h", JRPC_TRANSPORT_HTTP, "h"},
        {"ws://h", JRPC_TRANSPORT_WEBSOCKET, "h"}, {"wss://", JRPC_TRANSPORT_WEBSOCKET, ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        jrpc_transport found = JRPC_TRANSPORT_STDIO;
        const char *rest = NULL;
        assert_true(jrpc_transport_from_address(rows[i].address, &found, &rest));
        assert_int_equal(found, rows[i].transport);
        assert_string_equal(rest, rows[i].rest);
    }
    jrpc_transport untouched = JRPC_TRANSPORT_HTTP;
    const char *rest = NULL;
    assert_false(jrpc_transport_from_address("gopher://h", &untouched, &rest));
    assert_int_equal(untouched, JRPC_TRANSPORT_HTTP);
    assert_null(rest);
}

// What the code that asks for traits takes for granted of every row.
static void traits_do_not_contradict_each_other(void **state)
{
    (void)state;
    for (int i = 0; i < JRPC_TRANSPORT_COUNT; i++) {
        const jrpc_traits *traits = jrpc_transport_traits((jrpc_transport)i);
        assert_int_equal(traits->is_child, traits->address == JRPC_ADDRESS_COMMAND);
        assert_int_equal(traits->is_child, !traits->can_reconnect);
        assert_int_equal(traits->is_web, traits->address == JRPC_ADDRESS_URL);
        assert_false(traits->byte_stream && traits->exchanges);
        assert_false(traits->exchanges && traits->can_push);
        assert_true(!traits->byte_stream || traits->carries_raw);
        assert_true(!traits->upgrades || traits->is_web);
    }
}

static void the_names_are_listed_and_cut_where_there_is_no_room(void **state)
{
    (void)state;
    char names[80];
    jrpc_transport_names(names, sizeof names);
    assert_string_equal(names, "stdio, tcp, unix, http, websocket");
    char few[9];
    jrpc_transport_names(few, sizeof few);
    assert_string_equal(few, "stdio, t");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_transport_is_found_by_its_name),
        cmocka_unit_test(every_scheme_leads_to_its_transport),
        cmocka_unit_test(traits_do_not_contradict_each_other),
        cmocka_unit_test(the_names_are_listed_and_cut_where_there_is_no_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
