#include "harness/live/identity.h"

#include "reference/base/hash.h"
#include "reference/json/content.h"
#include "reference/json/double.h"
#include "reference/json/equal.h"

#include <math.h>

// What a float of 32 bits keeps.
#define KEPT 1e-6
// Longer Strings with escapes get no number.
#define CONTENT_MOST 256u
// Shorter beginnings are shared by too many ids.
#define CUT_LEAST 8u

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

static uint64_t key_of_string(jrpc_json id)
{
    jrpc_slice spelling = jrpc_json_spelling(id);
    if (spelling.ptr == NULL) {
        return 0;
    }
    if ((jrpc_json_flags(id) & JRPC_JSON_ESCAPED) == 0) {
        return jrpc_hash_bytes(jrpc_slice_inside(spelling)) | 1u;
    }
    char content[CONTENT_MOST];
    size_t len = jrpc_json_count(id);
    if (len > sizeof content) {
        return 0;
    }
    jrpc_json_content walk = jrpc_json_content_of(id);
    for (size_t i = 0; i < len; i++) {
        content[i] = (char)jrpc_json_content_next(&walk);
    }
    return jrpc_hash_bytes(jrpc_slice_of(content, len)) | 1u;
}

uint64_t jck_id_key(jrpc_json id)
{
    jrpc_slice text = jrpc_json_spelling(id);
    switch (jrpc_json_kind_of(id)) {
    case JRPC_JSON_NUMBER: {
        double number = jck_id_number(id) + 0.0; // -0 becomes 0
        const jrpc_slice bytes = jrpc_slice_of((const char *)&number, sizeof number);
        return jrpc_hash_bytes(bytes) | 1u;
    }
    case JRPC_JSON_STRING:
        return key_of_string(id);
    case JRPC_JSON_NULL:
    case JRPC_JSON_FALSE:
    case JRPC_JSON_TRUE:
        return jrpc_hash_bytes(text) | 1u;
    case JRPC_JSON_NONE:
    case JRPC_JSON_ARRAY:
    case JRPC_JSON_OBJECT:
        break;
    }
    return 0;
}

double jck_id_number(jrpc_json id)
{
    int64_t whole;
    if (!jrpc_json_is(id, JRPC_JSON_NUMBER)) {
        return 0;
    }
    if ((jrpc_json_flags(id) & JRPC_JSON_FRACTIONAL) == 0 && jrpc_json_int64(id, &whole)) {
        return (double)whole;
    }
    double value = jrpc_json_double(jrpc_json_spelling(id));
    return isnan(value) ? INFINITY : value;
}

bool jck_id_number_may_return_as(double sent, double answered)
{
    return !isfinite(sent) || fabs(sent - answered) <= KEPT * fabs(sent);
}

bool jck_id_may_return_as(jrpc_json sent, jrpc_json answered)
{
    if (jrpc_json_kind_of(sent) != jrpc_json_kind_of(answered)) {
        return false;
    }
    return jrpc_json_is(sent, JRPC_JSON_STRING) ||
           (jrpc_json_is(sent, JRPC_JSON_NUMBER) &&
            jck_id_number_may_return_as(jck_id_number(sent), jck_id_number(answered)));
}

bool jck_id_may_be_cut_to(jrpc_json sent, jrpc_json answered)
{
    if (!jrpc_json_is(sent, JRPC_JSON_STRING) || !jrpc_json_is(answered, JRPC_JSON_STRING) ||
        jrpc_json_count(answered) < CUT_LEAST ||
        jrpc_json_count(answered) >= jrpc_json_count(sent)) {
        return false;
    }
    jrpc_json_content whole = jrpc_json_content_of(sent);
    jrpc_json_content part = jrpc_json_content_of(answered);
    bool same = true;
    for (size_t i = jrpc_json_count(answered); i > 0 && same; i--) {
        same = jrpc_json_content_next(&whole) == jrpc_json_content_next(&part);
    }
    return same;
}
