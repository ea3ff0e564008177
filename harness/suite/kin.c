#include "harness/suite/kin.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WIDER ((int64_t)1 << 32)
#define HALVES_MAX ((int64_t)1 << 51) // a double still holds a half of what is smaller

static const struct {
    const char *suffix;
    const char *before; // added to a String before its content …
    const char *after;  // … and after it
    const char *of_zero;
} kins[] = {
    [JCK_KIN_WIDER] = {"-wider", "", "4294967296", "4294967296"},
    [JCK_KIN_NEGATIVE] = {"-negative", "-", "", "-1"},
    [JCK_KIN_FRACTION] = {"-fraction", "", ".5", "0.5"},
    [JCK_KIN_TENFOLD] = {"-tenfold", "", "0", "1e1"},
    [JCK_KIN_RETYPED] = {"-retyped", "", "?", "\"0\""},
};

bool jck_kin_from_name(jrpc_slice name, jrpc_slice *ret_request, jck_kin *ret_kin)
{
    for (size_t i = 0; i < sizeof kins / sizeof *kins; i++) {
        size_t len = strlen(kins[i].suffix);
        if (name.len > len &&
            jrpc_slice_is(jrpc_slice_from(name, name.len - len), kins[i].suffix)) {
            *ret_request = jrpc_slice_of(name.ptr, name.len - len);
            *ret_kin = (jck_kin)i;
            return true;
        }
    }
    return false;
}

// Whether a text is a whole number without leading zeros, small enough to calculate with.
static bool is_whole(jrpc_slice text, int64_t *ret_number)
{
    enum { DIGITS_MAX = 17 };
    bool negative = text.len > 0 && text.ptr[0] == '-';
    jrpc_slice digits = jrpc_slice_from(text, negative ? 1 : 0);
    if (digits.len == 0 || digits.len > DIGITS_MAX || (digits.ptr[0] == '0' && digits.len > 1)) {
        return false;
    }
    int64_t number = 0;
    for (size_t i = 0; i < digits.len; i++) {
        if (digits.ptr[i] < '0' || digits.ptr[i] > '9') {
            return false;
        }
        number = number * 10 + (digits.ptr[i] - '0');
    }
    *ret_number = negative ? -number : number;
    return true;
}

static bool spell_of_number(jck_kin kin, int64_t number, jrpc_buffer *out)
{
    if (number == 0) {
        return jrpc_buffer_append_str(out, kins[kin].of_zero);
    }
    switch (kin) {
    case JCK_KIN_WIDER:
        return jrpc_buffer_printf(out, "%" PRId64, number + WIDER);
    case JCK_KIN_NEGATIVE:
        return jrpc_buffer_printf(out, "%" PRId64, -number);
    case JCK_KIN_FRACTION:
        // Where a reader of doubles would round the half away, the Number is another one.
        while (number >= HALVES_MAX || number <= -HALVES_MAX) {
            number /= 2;
        }
        return jrpc_buffer_printf(out, "%" PRId64 ".5", number);
    case JCK_KIN_TENFOLD:
        return jrpc_buffer_printf(out, "%" PRId64 "e1", number);
    case JCK_KIN_RETYPED:
        return jrpc_buffer_printf(out, "\"%" PRId64 "\"", number);
    }
    return false;
}

// The kin of a Number with a decimal point, handled as text. False if the buffer is full.
static bool spell_of_text(jck_kin kin, jrpc_slice id, jrpc_buffer *out)
{
    switch (kin) {
    case JCK_KIN_NEGATIVE:
        return (id.ptr[0] == '-' || jrpc_buffer_append_char(out, '-')) &&
               jrpc_buffer_append(out, jrpc_slice_from(id, id.ptr[0] == '-' ? 1 : 0));
    case JCK_KIN_TENFOLD:
        return jrpc_buffer_append(out, id) && jrpc_buffer_append_str(out, "e1");
    case JCK_KIN_RETYPED:
        return jrpc_buffer_append_char(out, '"') && jrpc_buffer_append(out, id) &&
               jrpc_buffer_append_char(out, '"');
    case JCK_KIN_WIDER:
    case JCK_KIN_FRACTION:
        break;
    }
    return jrpc_buffer_append(out, JRPC_SLICE("\"jck-nobody\""));
}

// Whether a spelling is a Number with a decimal point, without an exponent, and not zero.
static bool has_point(jrpc_slice id)
{
    bool number = id.len > 0 && (id.ptr[0] == '-' || (id.ptr[0] >= '0' && id.ptr[0] <= '9'));
    bool point = false;
    bool above_zero = false;
    for (size_t i = 0; i < id.len && number; i++) {
        number = id.ptr[i] != 'e' && id.ptr[i] != 'E';
        point = point || id.ptr[i] == '.';
        above_zero = above_zero || (id.ptr[i] >= '1' && id.ptr[i] <= '9');
    }
    return number && point && above_zero;
}

bool jck_kin_spell(jck_kin kin, jrpc_slice id, jrpc_buffer *out)
{
    int64_t number = 0;
    bool string = id.len >= 2 && id.ptr[0] == '"';
    jrpc_slice content = string ? jrpc_slice_inside(id) : id;
    if (!string && is_whole(id, &number)) {
        return spell_of_number(kin, number, out);
    }
    if (has_point(id)) {
        return spell_of_text(kin, id, out);
    }
    if (string && kin == JCK_KIN_RETYPED && is_whole(content, &number)) {
        return jrpc_buffer_append(out, content);
    }
    // The content of a String with something added, or a String that resembles no id.
    return jrpc_buffer_append_char(out, '"') && jrpc_buffer_append_str(out, kins[kin].before) &&
           jrpc_buffer_append(out, string ? content : JRPC_SLICE("jck-nobody")) &&
           jrpc_buffer_append_str(out, kins[kin].after) && jrpc_buffer_append_char(out, '"');
}
