#include "harness/drive/portable.h"

#include "reference/json/double.h"
#include "reference/json/equal.h"

#include <math.h>
#include <stdio.h>

enum {
    LEVELS_MAX = 64,    // some libraries stop at 100 or 128
    DIGITS_MAX = 17,    // of a double
    SPELLING_BYTES = 40 // of a double with that many digits
};

static bool is_portable_number(jrpc_slice spelling)
{
    double value = jrpc_json_double(spelling);
    if (!isfinite(value) || (value == 0.0 && spelling.ptr[0] == '-')) {
        return false;
    }
    for (int digits = 1; digits <= DIGITS_MAX; digits++) {
        char text[SPELLING_BYTES];
        (void)snprintf(text, sizeof text, "%.*g", digits, value);
        if (jrpc_json_number_compare(spelling, jrpc_slice_str(text)) == 0) {
            return true;
        }
    }
    return false;
}

static bool has_duplicates(jrpc_json object)
{
    bool duplicates = false;
    for (jrpc_json_iterator it = jrpc_json_iterate(object); !duplicates && jrpc_json_step(&it);) {
        for (jrpc_json_iterator later = it; !duplicates && jrpc_json_step(&later);) {
            duplicates = jrpc_json_equal(it.key, later.key);
        }
    }
    return duplicates;
}

static bool is_portable_node(jrpc_json value)
{
    switch (jrpc_json_kind_of(value)) {
    case JRPC_JSON_NUMBER:
        return is_portable_number(jrpc_json_spelling(value));
    case JRPC_JSON_STRING:
        return (jrpc_json_flags(value) & (JRPC_JSON_HAS_NUL | JRPC_JSON_LONE_SURROGATE)) == 0;
    case JRPC_JSON_OBJECT:
        return !has_duplicates(value);
    case JRPC_JSON_NONE:
    case JRPC_JSON_NULL:
    case JRPC_JSON_FALSE:
    case JRPC_JSON_TRUE:
    case JRPC_JSON_ARRAY:
        break;
    }
    return true;
}

bool jck_is_portable(jrpc_json value)
{
    if (!jrpc_json_exists(value)) {
        return true;
    }
    const jrpc_json_node *nodes = value.document->nodes;
    uint32_t ends[LEVELS_MAX]; // of the containers around a node
    size_t levels = 0;
    bool portable = true;
    for (uint32_t i = value.index; i < nodes[value.index].next && portable; i++) {
        while (levels > 0 && ends[levels - 1] <= i) {
            levels--;
        }
        portable = is_portable_node((jrpc_json){value.document, i}) && levels < LEVELS_MAX;
        if (portable && nodes[i].next > i + 1) {
            ends[levels++] = nodes[i].next;
        }
    }
    return portable;
}
