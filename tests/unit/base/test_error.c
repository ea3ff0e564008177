// Errors: filled once, prefixed, located, safe to print.
#include "reference/base/error.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void the_first_error_stays(void **state)
{
    (void)state;
    jrpc_error error = {0};
    assert_false(jrpc_error_set(&error, JRPC_ERROR_LIMIT, "number %d", 1));
    assert_false(jrpc_error_set(&error, JRPC_ERROR_SYNTAX, "number %d", 2));
    assert_false(jrpc_error_set_errno(&error, ENOENT, "number %d", 3));
    assert_int_equal(error.code, JRPC_ERROR_LIMIT);
    assert_string_equal(error.message, "number 1");
    jrpc_error_clear(&error);
    assert_int_equal(error.code, JRPC_OK);
    assert_false(jrpc_error_set(&error, JRPC_ERROR_USAGE, "again"));
    assert_string_equal(error.message, "again");
}

static void a_sentence_is_kept_as_it_is_unless_there_is_an_error_already(void **state)
{
    (void)state;
    jrpc_error error = {.line = 4, .column = 2, .offset = 9, .source = "old", .message = "old"};
    jrpc_error_clear(&error);
    assert_string_equal(error.message, "");
    assert_string_equal(error.source, "");
    assert_int_equal(error.line + error.column + error.offset, 0);
    assert_false(jrpc_error_set_sentence(&error, JRPC_ERROR_SYNTAX, "100 % wrong, %s too"));
    assert_int_equal(error.code, JRPC_ERROR_SYNTAX);
    assert_string_equal(error.message, "100 % wrong, %s too");
    assert_false(jrpc_error_set_sentence(&error, JRPC_ERROR_LIMIT, "later"));
    assert_int_equal(error.code, JRPC_ERROR_SYNTAX);
    assert_string_equal(error.message, "100 % wrong, %s too");
    assert_false(jrpc_error_set_sentence(NULL, JRPC_ERROR_LIMIT, "later"));
}

static void nobody_has_to_want_the_error(void **state)
{
    (void)state;
    assert_false(jrpc_error_set(NULL, JRPC_ERROR_LIMIT, "x"));
    assert_false(jrpc_error_set_errno(NULL, ENOENT, "x"));
    assert_false(jrpc_error_prefix(NULL, "x"));
    assert_false(jrpc_error_locate(NULL, "x", JRPC_SLICE(""), 0));
    jrpc_error_clear(NULL);
}

static void errno_is_named_behind_the_words(void **state)
{
    (void)state;
    jrpc_error error = {0};
    assert_false(jrpc_error_set_errno(&error, ENOENT, "%s cannot be opened", "f.json"));
    assert_int_equal(error.code, JRPC_ERROR_SYSTEM);
    assert_string_equal(error.message, "f.json cannot be opened: No such file or directory");
}

static void words_are_appended_as_far_as_there_is_room(void **state)
{
    (void)state;
    jrpc_error error = {0};
    assert_false(jrpc_error_append(NULL, "x"));
    (void)jrpc_error_set(&error, JRPC_ERROR_INVALID, "it ended");
    assert_false(jrpc_error_append(&error, "; it wrote: %s", "a\x01"));
    assert_string_equal(error.message, "it ended; it wrote: a?");
    char many[2 * sizeof error.message];
    memset(many, 'b', sizeof many);
    many[sizeof many - 1] = '\0';
    (void)jrpc_error_append(&error, "%s", many);
    assert_int_equal(strlen(error.message), sizeof error.message - 1);
}

static void prefixes_pile_up_in_front(void **state)
{
    (void)state;
    jrpc_error error = {0};
    assert_false(jrpc_error_set(&error, JRPC_ERROR_INVALID, "inner"));
    assert_false(jrpc_error_prefix(&error, "step %d", 2));
    assert_false(jrpc_error_prefix(&error, "case x"));
    assert_string_equal(error.message, "case x: step 2: inner");
    assert_int_equal(error.code, JRPC_ERROR_INVALID);
}

static void long_words_are_cut_at_a_whole_character(void **state)
{
    (void)state;
    char words[2000];
    for (size_t i = 0; i + 3 < sizeof words; i += 3) {
        memcpy(words + i, "\xE2\x82\xAC", 3);
    }
    words[1998] = '\0';
    jrpc_error error = {0};
    assert_false(jrpc_error_set(&error, JRPC_ERROR_INVALID, "%s", words));
    assert_int_equal(strlen(error.message), 510); // 511 is no multiple of three
    assert_false(jrpc_error_prefix(&error, "p"));
    assert_memory_equal(error.message, "p: \xE2\x82\xAC", 6);
    assert_true(strlen(error.message) < sizeof error.message);
    jrpc_error_clear(&error);
    assert_false(jrpc_error_set_errno(&error, ENOENT, "%s", words));
    assert_non_null(strstr(error.message, "No such file"));
}

static void nothing_in_a_message_can_reach_a_terminal_as_a_command(void **state)
{
    (void)state;
    jrpc_error error = {0};
    assert_false(jrpc_error_set(&error, JRPC_ERROR_INVALID, "%s",
                                "a\x1B[2J\nb\x7F\xC2\x9B"
                                "c\xFF\xC3\xA9\xED\xA0\x80z"));
    assert_string_equal(error.message, "a?[2J?b???c?\xC3\xA9???z");
    assert_false(jrpc_error_prefix(&error, "\r%s", "x"));
    assert_memory_equal(error.message, "?x: a?", 6);
}

static void offsets_become_lines_and_columns(void **state)
{
    (void)state;
    static const struct {
        size_t offset, line, column;
    } table[] = {{0, 1, 1}, {1, 1, 2}, {2, 1, 3}, {3, 2, 1}, {4, 3, 1}, {6, 3, 3}, {99, 3, 3}};
    jrpc_slice text = JRPC_SLICE("ab\n\ncd");
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        size_t line = 0;
        size_t column = 0;
        jrpc_text_position(text, table[i].offset, &line, &column);
        assert_int_equal(line, table[i].line);
        assert_int_equal(column, table[i].column);
    }
}

static void a_located_error_is_printed_with_its_place(void **state)
{
    (void)state;
    jrpc_error error = {0};
    char text[1024];
    assert_false(jrpc_error_set(&error, JRPC_ERROR_SYNTAX, "broken"));
    jrpc_error_format(&error, text, sizeof text);
    assert_string_equal(text, "broken");
    error.line = 3;
    jrpc_error_format(&error, text, sizeof text);
    assert_string_equal(text, "3: broken");
    assert_false(jrpc_error_locate(&error, "a\nb.json", JRPC_SLICE("x\nyz"), 3));
    jrpc_error_format(&error, text, sizeof text);
    assert_string_equal(text, "a?b.json:2:2: broken");
    assert_int_equal(error.offset, 3);
    jrpc_error_format(&error, text, 5);
    assert_string_equal(text, "a?b.");
    error.line = 0;
    jrpc_error_format(&error, text, sizeof text);
    assert_string_equal(text, "a?b.json: broken");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_error_stays),
        cmocka_unit_test(a_sentence_is_kept_as_it_is_unless_there_is_an_error_already),
        cmocka_unit_test(nobody_has_to_want_the_error),
        cmocka_unit_test(errno_is_named_behind_the_words),
        cmocka_unit_test(words_are_appended_as_far_as_there_is_room),
        cmocka_unit_test(prefixes_pile_up_in_front),
        cmocka_unit_test(long_words_are_cut_at_a_whole_character),
        cmocka_unit_test(nothing_in_a_message_can_reach_a_terminal_as_a_command),
        cmocka_unit_test(offsets_become_lines_and_columns),
        cmocka_unit_test(a_located_error_is_printed_with_its_place),
    };
    return cmocka_run_group_tests_name("base/error", tests, NULL, NULL);
}
