#include "harness/judge/doubles.h"

#include "reference/base/buffer.h"
#include "reference/json/double.h"
#include "reference/json/equal.h"

#include <math.h>
#include <string.h>

enum { SPELLING_MAX = 32 };

static bool is_one_of(char c, const char *which)
{
    return strchr(which, c) != NULL; // JSON has no NUL
}

// The length of the token at the start of JSON: a String, a number, or one byte.
static size_t measure_token(jrpc_slice text)
{
    size_t len = 1;
    if (text.ptr[0] == '"') {
        while (text.ptr[len] != '"') {
            len += text.ptr[len] == '\\' ? 2 : 1;
        }
        return len + 1;
    }
    while (is_one_of(text.ptr[0], "-0123456789") && len < text.len &&
           is_one_of(text.ptr[len], "+-.0123456789Ee")) {
        len++;
    }
    return len;
}

static bool is_number(jrpc_slice token)
{
    return is_one_of(token.ptr[0], "-0123456789");
}

static bool has_fraction(jrpc_slice token)
{
    return jrpc_slice_contains(token, JRPC_SLICE(".")) ||
           jrpc_slice_contains(token, JRPC_SLICE("e")) ||
           jrpc_slice_contains(token, JRPC_SLICE("E"));
}

// Which numbers become doubles.
typedef enum conversion { WITH_FRACTION, ALL_NUMBERS } conversion;

static bool append_token(jrpc_buffer *out, jrpc_slice token, conversion which)
{
    if (is_number(token) && (which == ALL_NUMBERS || has_fraction(token))) {
        double value = jrpc_json_double(token);
        if (isfinite(value)) {
            return jrpc_buffer_printf(out, "%.17g", value);
        }
        if (which == ALL_NUMBERS) {
            return jrpc_buffer_append(out, JRPC_SLICE("null"));
        }
    }
    return jrpc_buffer_append(out, token);
}

static jrpc_json convert(jck_trial *trial, jrpc_json value, conversion which)
{
    jrpc_slice rest = jrpc_json_spelling(value);
    jrpc_slice kept = {NULL, 0};
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), rest.len * SPELLING_MAX + SPELLING_MAX);
    bool room = true;
    while (room && rest.len > 0) {
        size_t len = measure_token(rest);
        room = append_token(&text, jrpc_slice_of(rest.ptr, len), which);
        rest = jrpc_slice_from(rest, len);
    }
    room = room && jrpc_arena_copy(trial->arena, jrpc_buffer_slice(&text), &kept);
    jrpc_buffer_done(&text);
    return room ? jck_trial_read(trial, kept, NULL) : JRPC_JSON_ABSENT;
}

jrpc_json jck_in_doubles(jck_trial *trial, jrpc_json value)
{
    return convert(trial, value, WITH_FRACTION);
}

bool jck_equal_when_rounded(jck_trial *trial, jrpc_json a, jrpc_json b)
{
    jrpc_json left = convert(trial, a, ALL_NUMBERS);
    return jrpc_json_exists(left) && jrpc_json_equal(left, convert(trial, b, ALL_NUMBERS));
}

bool jck_equal_in_doubles(jck_trial *trial, jrpc_json a, jrpc_json b)
{
    if (jrpc_json_equal(a, b)) {
        return true;
    }
    jrpc_json left = jck_in_doubles(trial, a);
    return jrpc_json_exists(left) && jrpc_json_equal(left, jck_in_doubles(trial, b));
}
