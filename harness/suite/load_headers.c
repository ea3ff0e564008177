// Headers of a target or a profile: plain ones, those with values that a prelude captures, and
// those that repeat a part of each message.
#include "harness/suite/payload.h"
#include "harness/suite/target_private.h"

#include <string.h>

// "${message/POINTER}" names a part of the message that a header is sent with.
static const jrpc_slice message_prefix = JRPC_SLICE_INIT("message/");

typedef struct loading {
    jck_reader *reader;
    jck_places *places;
    const char **plain;
    const char **session;
    jck_mirror *mirrors;
    size_t plain_count, session_count, mirror_count;
} loading;

static bool is_of_message(jrpc_json value, jrpc_slice *ret_pointer)
{
    jrpc_slice name;
    if (!jck_is_variable(value, &name) || !jrpc_slice_starts_with(name, message_prefix)) {
        return false;
    }
    *ret_pointer = jrpc_slice_from(name, message_prefix.len - 1);
    return true;
}

static bool check_name(const loading *load, jrpc_json key, const char **ret_name)
{
    return jck_read_string_value(load->reader, key, "headers", ret_name) &&
           ((*ret_name[0] != '\0' && strpbrk(*ret_name, "=:\r\n") == NULL) ||
            jck_wrong(load->reader, key,
                      "headers: a name must not be empty or contain '=' or ':'"));
}

static void load_text(loading *load, const char *name, jrpc_json key, jrpc_json value)
{
    const char *text;
    jrpc_error error = {0};
    if (!jck_read_string_value(load->reader, value, "headers", &text)) {
        return;
    }
    text = jck_places_fill(load->places, text, true, &error);
    if (text == NULL) {
        (void)jck_reader_refuse(load->reader, value, "headers", &error);
        return;
    }
    if (strpbrk(text, "\r\n") != NULL) {
        (void)jck_wrong(load->reader, key, "headers: a value must be one line");
        return;
    }
    const char *line = jrpc_arena_printf(load->reader->arena, "%s: %s", name, text);
    if (line == NULL) {
        (void)jck_reader_starve(load->reader);
    } else if (load->places->has_later) {
        load->session[load->session_count++] = line;
    } else {
        load->plain[load->plain_count++] = line;
    }
}

// One "${message/POINTER}", or a list of them: the first one that exists is used.
static void load_mirror(loading *load, const char *name, jrpc_json value)
{
    size_t room = jrpc_json_is(value, JRPC_JSON_ARRAY) ? (size_t)jrpc_json_count(value) : 1;
    jrpc_slice *pointers = jck_reader_array(load->reader, room, sizeof *pointers);
    size_t count = 0;
    if (pointers == NULL) {
        return;
    }
    if (is_of_message(value, &pointers[0])) {
        count = 1;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(value);
         jrpc_json_is(value, JRPC_JSON_ARRAY) && jrpc_json_step(&it);) {
        if (!is_of_message(it.value, &pointers[count])) {
            (void)jck_wrong(load->reader, it.value,
                            "headers: a list contains parts of the message, such as "
                            "\"${message/method}\"");
            return;
        }
        count++;
    }
    if (count == 0) {
        (void)jck_wrong(load->reader, value,
                        "headers: a list names at least one part of the message, such as "
                        "\"${message/method}\"");
        return;
    }
    load->mirrors[load->mirror_count++] =
        (jck_mirror){.name = name, .pointers = pointers, .pointer_count = count};
}

void jck_load_headers(jck_reader *reader, jck_places *places, jrpc_json headers,
                      jck_header_lists *ret)
{
    *ret = (jck_header_lists){.plain = NULL};
    if (!jrpc_json_exists(headers) ||
        !jck_read_kind(reader, headers, "headers", JRPC_JSON_OBJECT)) {
        return;
    }
    size_t room = (size_t)jrpc_json_count(headers) + 1;
    loading load = {
        .reader = reader,
        .places = places,
        .plain = jck_reader_array(reader, room, sizeof *load.plain),
        .session = jck_reader_array(reader, room, sizeof *load.session),
        .mirrors = jck_reader_array(reader, room, sizeof *load.mirrors),
    };
    if (load.plain == NULL || load.session == NULL || load.mirrors == NULL) {
        return;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(headers); jrpc_json_step(&it);) {
        const char *name;
        jrpc_slice pointer;
        if (!check_name(&load, it.key, &name)) {
            continue;
        }
        if (jrpc_json_is(it.value, JRPC_JSON_ARRAY) || is_of_message(it.value, &pointer)) {
            load_mirror(&load, name, it.value);
        } else {
            load_text(&load, name, it.key, it.value);
        }
    }
    *ret = (jck_header_lists){.plain = load.plain,
                              .session = load.session_count > 0 ? load.session : NULL,
                              .mirrors = load.mirrors,
                              .mirror_count = load.mirror_count};
}
