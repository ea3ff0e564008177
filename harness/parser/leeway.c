#include "harness/parser/leeway.h"

#include "harness/parser/loss.h"
#include "reference/json/equal.h"

// Nesting that every limit in use allows.
#define DEPTH 16
// Any two binary64 numbers differ within that many digits.
#define DIGITS 17
// Objects with more members are not searched for duplicate names.
#define MEMBERS_MAX 512

// The depth of a node, below the containers whose ends are kept.
typedef struct path {
    uint32_t ends[DEPTH];
    size_t depth;
} path;

// Follows the nodes in order. False if they are deeper than DEPTH.
static bool follow(path *at, uint32_t index, const jrpc_json_node *node)
{
    while (at->depth > 0 && at->ends[at->depth - 1] <= index) {
        at->depth--;
    }
    bool container = node->kind == JRPC_JSON_ARRAY || node->kind == JRPC_JSON_OBJECT;
    if (container && at->depth == DEPTH) {
        return false;
    }
    if (container) {
        at->ends[at->depth++] = node->next;
    }
    return true;
}

// Whether the number has more digits, or another magnitude, than every binary64 keeps.
static bool is_beyond_binary64(jrpc_json number)
{
    jrpc_slice spelling = jrpc_json_spelling(number);
    size_t digits = 0;
    for (size_t i = 0; i < spelling.len && (spelling.ptr[i] | ' ') != 'e'; i++) {
        bool digit = spelling.ptr[i] >= '0' && spelling.ptr[i] <= '9';
        digits += digit && (digits > 0 || spelling.ptr[i] != '0') ? 1 : 0;
    }
    bool whole = (jrpc_json_flags(number) & JRPC_JSON_FRACTIONAL) == 0;
    jck_class as_zero = jck_loss_of_number(spelling, JRPC_SLICE("0"));
    return digits >= DIGITS || as_zero == JCK_CLASS_NUMBER_INFINITE ||
           as_zero == JCK_CLASS_NUMBER_ZERO || as_zero == JCK_CLASS_NUMBER_COARSE ||
           (whole && as_zero == JCK_CLASS_NUMBER_WRAPPED);
}

static bool has_duplicates(jrpc_json object)
{
    if (jrpc_json_count(object) > MEMBERS_MAX) {
        return false;
    }
    jrpc_json_iterator one = jrpc_json_iterate(object);
    while (jrpc_json_step(&one)) {
        jrpc_json_iterator other = one; // those after it
        while (jrpc_json_step(&other)) {
            if (jrpc_json_equal(one.key, other.key)) {
                return true;
            }
        }
    }
    return false;
}

jck_class jck_leeway_of(jrpc_json root)
{
    bool number = false;
    bool surrogate = false;
    bool duplicate = false;
    bool nul = false;
    path at = {.depth = 0};
    uint32_t count = root.document == NULL ? 0 : root.document->count;
    for (uint32_t i = 0; i < count; i++) {
        jrpc_json value = {root.document, i};
        if (!follow(&at, i, &root.document->nodes[i])) {
            return JCK_CLASS_REFUSES_DEPTH;
        }
        number = number || (jrpc_json_is(value, JRPC_JSON_NUMBER) && is_beyond_binary64(value));
        surrogate = surrogate || (jrpc_json_flags(value) & JRPC_JSON_LONE_SURROGATE) != 0;
        nul = nul || (jrpc_json_flags(value) & JRPC_JSON_HAS_NUL) != 0;
        duplicate = duplicate || (jrpc_json_is(value, JRPC_JSON_OBJECT) && has_duplicates(value));
    }
    return number      ? JCK_CLASS_REFUSES_NUMBER
           : surrogate ? JCK_CLASS_REFUSES_SURROGATE
           : duplicate ? JCK_CLASS_REFUSES_DUPLICATE
           : nul       ? JCK_CLASS_REFUSES_NUL
                       : JCK_CLASS_REFUSES_JSON;
}
