#include "harness/live/identity.h"

#include "reference/base/hash.h"
#include "reference/json/equal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Numbers with more digits than that are not compared.
#define DIGITS_MOST 400u
// What a float of 32 bits keeps.
#define KEPT 1e-6

bool jck_ids_equal(jrpc_json a, jrpc_json b)
{
    if (jrpc_json_kind_of(a) != jrpc_json_kind_of(b)) {
        return false;
    }
    jrpc_slice text = jrpc_json_spelling(a);
    if (jrpc_slice_equal(text, jrpc_json_spelling(b))) {
        return true;
    }
    unsigned flags = jrpc_json_flags(a) | jrpc_json_flags(b);
    bool zero = text.len > 0 && text.ptr[text.len - 1] == '0'; // 0 and -0 are equal
    return ((flags & (JRPC_JSON_FRACTIONAL | JRPC_JSON_ESCAPED)) != 0 || zero) &&
           jrpc_json_equal(a, b);
}

uint64_t jck_id_key(jrpc_json id)
{
    jrpc_slice text = jrpc_json_spelling(id);
    unsigned otherwise = jrpc_json_flags(id) & (JRPC_JSON_FRACTIONAL | JRPC_JSON_ESCAPED);
    bool zero = jrpc_slice_is(text, "0") || jrpc_slice_is(text, "-0");
    bool container = jrpc_json_is(id, JRPC_JSON_ARRAY) || jrpc_json_is(id, JRPC_JSON_OBJECT);
    return otherwise != 0 || zero || container ? 0 : jrpc_hash_bytes(text) | 1u;
}

// A Number as the double next to it; infinite where none is, or where it is too long to be looked
// at.
static double double_of(jrpc_json number)
{
    jrpc_slice text = jrpc_json_spelling(number);
    char digits[DIGITS_MOST + 1] = "";
    if (text.ptr == NULL || text.len > DIGITS_MOST) {
        return INFINITY;
    }
    memcpy(digits, text.ptr, text.len);
    return strtod(digits, NULL);
}

bool jck_id_may_return_as(jrpc_json sent, jrpc_json answered)
{
    if (jrpc_json_kind_of(sent) != jrpc_json_kind_of(answered)) {
        return false;
    }
    if (!jrpc_json_is(sent, JRPC_JSON_NUMBER)) {
        return jrpc_json_is(sent, JRPC_JSON_STRING);
    }
    double a = double_of(sent);
    double b = double_of(answered);
    return !isfinite(a) || fabs(a - b) <= KEPT * fabs(a);
}
