#include "harness/live/result.h"

#include "harness/live/scan.h"
#include "reference/json/write.h"

// Numbers whose sums and differences every server computes exactly: also one with doubles that
// writes 14 digits of them.
#define EXACT_MOST INT64_C(1000000000000)

static bool exact(jrpc_json value, int64_t *ret)
{
    return jrpc_json_is(value, JRPC_JSON_NUMBER) &&
           (jrpc_json_flags(value) & JRPC_JSON_FRACTIONAL) == 0 && jrpc_json_int64(value, ret) &&
           *ret <= EXACT_MOST && *ret >= -EXACT_MOST;
}

static bool write_difference(const jck_due *due, jrpc_buffer *out)
{
    jrpc_json params = due->params;
    bool positional = jrpc_json_is(params, JRPC_JSON_ARRAY);
    int64_t minuend;
    int64_t subtrahend;
    return jrpc_json_count(params) == 2 &&
           (positional ? due->mapping->by_position : due->mapping->by_name) &&
           exact(positional ? jrpc_json_element(params, 0) : jrpc_json_get(params, "minuend"),
                 &minuend) &&
           exact(positional ? jrpc_json_element(params, 1) : jrpc_json_get(params, "subtrahend"),
                 &subtrahend) &&
           jrpc_buffer_append_number(out, minuend - subtrahend);
}

static bool write_sum(const jck_due *due, jrpc_buffer *out)
{
    int64_t sum = 0;
    if (!jrpc_json_is(due->params, JRPC_JSON_ARRAY) || !due->mapping->by_position ||
        jrpc_json_count(due->params) == 0 ||
        (due->mapping->fixed && jrpc_json_count(due->params) != 3)) {
        return false;
    }
    for (jrpc_json_iterator it = jrpc_json_iterate(due->params); jrpc_json_step(&it);) {
        int64_t term;
        if (!exact(it.value, &term)) {
            return false;
        }
        sum += term;
    }
    return jrpc_buffer_append_number(out, sum);
}

// Whether a pattern would read the value differently: as a matcher, or a variable.
static bool is_pattern(jrpc_slice text)
{
    return jrpc_slice_contains(text, JRPC_SLICE("\"$")) ||
           jrpc_slice_contains(text, JRPC_SLICE("${")) ||
           jrpc_slice_contains(text, JRPC_SLICE("\\u0024"));
}

static bool write_echo(const jck_due *due, jrpc_buffer *out)
{
    bool positional = jrpc_json_is(due->params, JRPC_JSON_ARRAY);
    // What is too wide, long or deep for a server may be refused, but not be changed.
    const unsigned limits = JCK_ODD_SIZE | JCK_ODD_DEPTH;
    if (!jrpc_json_exists(due->params) || (jck_scan_value(due->params) & ~limits) != 0 ||
        is_pattern(jrpc_json_spelling(due->params)) ||
        !(positional ? due->mapping->by_position : due->mapping->by_name) ||
        jrpc_json_count(due->params) == 0) {
        return false;
    }
    return jrpc_json_compact(out, due->params);
}

bool jck_result_write(const jck_due *due, jrpc_buffer *out)
{
    static const struct {
        const char *capability;
        bool (*write)(const jck_due *due, jrpc_buffer *out);
    } contracts[] = {{"subtract", write_difference}, {"sum", write_sum}, {"echo", write_echo}};
    if (due->mapping == NULL || due->mapping->call != NULL ||
        (due->odd & ~(unsigned)(JCK_ODD_SIZE | JCK_ODD_DEPTH | JCK_ODD_FRACTION | JCK_ODD_ID |
                                JCK_ODD_NUMBER)) != 0) {
        return false;
    }
    for (size_t i = 0; i < sizeof contracts / sizeof *contracts; i++) {
        if (jrpc_slice_is(due->mapping->capability, contracts[i].capability)) {
            return contracts[i].write(due, out);
        }
    }
    return false;
}

bool jck_contract_is_to_fail(const jck_mapping *mapping)
{
    return jrpc_slice_is(mapping->capability, "fail") || jck_contract_gives_error(mapping);
}

bool jck_contract_gives_error(const jck_mapping *mapping)
{
    return jrpc_slice_is(mapping->capability, "app_error");
}

bool jck_error_given_of(const jck_due *due, jck_error_given *ret)
{
    const jrpc_json params = due->params;
    const bool named = jrpc_json_is(params, JRPC_JSON_OBJECT);
    const bool fits =
        named ? due->mapping->by_name : due->mapping->by_position && jrpc_json_count(params) >= 2;
    if (!jrpc_json_exists(params) || !fits || due->mapping->call != NULL || due->odd != 0 ||
        jck_scan_value(params) != 0 || is_pattern(jrpc_json_spelling(params))) {
        return false;
    }
    // Whether a method that takes a code and data also takes a message is not known: it may refuse
    // one by name, and what stands second may be either. Data that is null is like none.
    const jrpc_json data = named ? jrpc_json_get(params, "data") : JRPC_JSON_ABSENT;
    ret->data = jrpc_json_is(data, JRPC_JSON_NULL) ? JRPC_JSON_ABSENT : data;
    return jrpc_json_count(params) == (named && !jrpc_json_exists(data) ? 1u : 2u) &&
           (named || jrpc_json_is(jrpc_json_element(params, 1), JRPC_JSON_STRING)) &&
           jrpc_json_int64(named ? jrpc_json_get(params, "code") : jrpc_json_element(params, 0),
                           &ret->code) &&
           jrpc_code_is_chosen(ret->code);
}

bool jck_result_of_near(const jck_due *due, jrpc_buffer *out)
{
    jck_due known = *due;
    known.odd &= ~(unsigned)JCK_ODD_STRING; // of the name: params are looked at again
    return due->form == JCK_FORM_NEAR && jck_result_write(&known, out);
}
