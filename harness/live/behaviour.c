#include "harness/live/behaviour.h"

#include "reference/base/hash.h"

// Only the beginning of a longer text counts.
#define TEXT_MOST 200u

uint64_t jck_behaviour_of_text(jrpc_slice text)
{
    uint64_t hash = JRPC_HASH_START;
    char quote = '\0';
    for (size_t i = 0; i < text.len && i < TEXT_MOST; i++) {
        char c = text.ptr[i];
        if (quote != '\0') {
            quote = c == quote ? '\0' : quote;
            continue;
        }
        bool opens = c == '"' || c == '\'' || c == '`';
        quote = opens ? c : '\0';
        if (c < '0' || c > '9') {
            hash = jrpc_hash_byte(hash, (unsigned char)c);
        }
    }
    return hash;
}

// The kinds of the members of an Object, in any order.
static uint64_t shape_of(jrpc_json object)
{
    uint64_t sum = jrpc_json_kind_of(object);
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        uint64_t name = jrpc_hash_bytes(jrpc_json_spelling(it.key));
        sum += jrpc_hash_number(name, jrpc_json_kind_of(it.value));
        if (sum == 0 || jrpc_json_is(object, JRPC_JSON_ARRAY)) {
            break; // the first element of an Array represents all
        }
    }
    return sum;
}

uint64_t jck_behaviour_of(jrpc_json value)
{
    jrpc_json response = jrpc_json_is(value, JRPC_JSON_ARRAY) ? jrpc_json_element(value, 0) : value;
    jrpc_json error = jrpc_json_get(response, "error");
    jrpc_slice message = jrpc_json_spelling(jrpc_json_get(error, "message"));
    uint64_t hash = jrpc_hash_number(JRPC_HASH_START, jrpc_json_kind_of(value));
    hash = jrpc_hash_number(hash, shape_of(response));
    hash = jrpc_hash_more(hash, jrpc_json_spelling(jrpc_json_get(error, "code")));
    if (message.len > 2) {
        message = jrpc_slice_inside(message);
        hash = jrpc_hash_number(hash, jck_behaviour_of_text(message));
    }
    return hash | 1u;
}
