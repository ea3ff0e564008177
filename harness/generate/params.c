#include "harness/generate/params.h"

#include "harness/generate/fitting.h"
#include "harness/generate/making.h"
#include "harness/generate/values.h"

#define VALUE_DEPTH 3
// What few messages have: one in so many.
#define FEW 50u

// A Number that servers calculate with: usually small, sometimes beyond 32 bits.
static void put_term(const jck_making *m)
{
    static const int64_t bounds[] = {2147483647, 4294967295, 99999999999};
    if (jck_one_in(m, 8)) {
        int64_t number = JRPC_RANDOM_PICK(m->random, bounds);
        (void)jrpc_buffer_append_number(m->out, jck_one_in(m, 2) ? number : -number);
    } else {
        jck_value_small(m->random, m->out);
    }
}

static void put_numbers(const jck_making *m, size_t count)
{
    jck_put(m, "[");
    for (size_t i = 0; i < count; i++) {
        jck_put(m, i == 0 ? "" : ",");
        put_term(m);
    }
    jck_put(m, "]");
}

// Members with the names that the method declares, sometimes with one left out.
static void put_members(const jck_making *m, const jck_method *method)
{
    bool first = true;
    jck_put(m, "{");
    for (size_t i = 0; i < method->name_count; i++) {
        if (jck_one_in(m, 8)) {
            continue;
        }
        jck_put(m, first ? "" : ",");
        (void)jrpc_buffer_append(m->out, method->names[i]);
        jck_put(m, ":");
        jck_value_any(m->random, VALUE_DEPTH, m->out);
        first = false;
    }
    jck_put(m, "}");
}

static void put_difference(const jck_making *m, bool by_name)
{
    if (!by_name) {
        put_numbers(m, 2);
        return;
    }
    bool swapped = jck_one_in(m, 2);
    jck_put(m, swapped ? "{\"subtrahend\":" : "{\"minuend\":");
    put_term(m);
    jck_put(m, swapped ? ",\"minuend\":" : ",\"subtrahend\":");
    put_term(m);
    jck_put(m, "}");
}

// The error that the method is to give: a code that a method may choose, a message, and data.
static void put_error(const jck_making *m, bool by_name)
{
    static const int64_t codes[] = {1,      7,      404,    -1,      -31999,     -32769,
                                    -32001, -32050, -32099, 1000000, 2147483647, -2147483648};
    jck_put(m, by_name ? "{\"code\":" : "[");
    (void)jrpc_buffer_append_number(m->out, JRPC_RANDOM_PICK(m->random, codes));
    if (jck_one_in(m, 8)) { // which some methods of this kind take, and others refuse
        jck_put(m, by_name ? ",\"message\":\"refused\"" : ",\"refused\"");
    }
    if (!jck_one_in(m, 6)) {
        jck_put(m, by_name ? ",\"data\":" : ",");
        jck_value_plain(m->random, VALUE_DEPTH, m->out);
    }
    jck_put(m, by_name ? "}" : "]");
}

// Params as a structure with arbitrary content.
static void put_structure(const jck_making *m, bool plain)
{
    bool object = jck_one_in(m, 2);
    size_t count = jck_one_in(m, 30) ? jck_value_size(m->random, m->grammar->text_most)
                                     : (size_t)jrpc_random_below(m->random, 4);
    size_t first = (size_t)jrpc_random_below(m->random, 64);
    bool named = count < 8 && jck_one_in(m, 3);
    jck_put(m, object ? "{" : "[");
    for (size_t i = 0; i < count; i++) {
        jck_put(m, i == 0 ? "" : ",");
        if (object && named) {
            const char *name = jck_value_name(first + i);
            jck_put(m, "\"");
            jck_put(m, name[0] == '\\' ? "alias" : name);
            jck_put(m, "\":");
        } else if (object) {
            jck_put(m, "\"p");
            jck_put_index(m, i);
            jck_put(m, "\":");
        }
        if (count > 40) {
            jck_value_small(m->random, m->out);
        } else if (plain) {
            jck_value_plain(m->random, count > 8 ? 0 : VALUE_DEPTH, m->out);
        } else {
            jck_value_any(m->random, count > 8 ? 0 : VALUE_DEPTH, m->out);
        }
    }
    jck_put(m, object ? "}" : "]");
}

// Params that fit the method, as a whole `,"params":…`; nothing if it takes none.
static void put_fitting(const jck_making *m, const jck_method *method)
{
    bool by_name = method != NULL && method->by_name && (!method->by_position || jck_one_in(m, 2));
    jck_taste taste = method == NULL ? JCK_TASTE_ANYTHING : method->taste;
    // Where calls without params were seen to be refused, few are made.
    if ((taste == JCK_TASTE_NONE || (taste == JCK_TASTE_ANYTHING && jck_one_in(m, 3))) &&
        (!m->grammar->params || jck_one_in(m, FEW))) {
        return;
    }
    jck_put(m, ",\"params\":");
    switch (taste) {
    case JCK_TASTE_NONE:
        jck_put(m, "[]");
        break;
    case JCK_TASTE_ANYTHING:
        put_structure(m, !jck_one_in(m, 4));
        break;
    case JCK_TASTE_DIFFERENCE:
        put_difference(m, by_name);
        break;
    case JCK_TASTE_NUMBERS:
        put_numbers(m, 1 + jck_value_size(m->random, m->grammar->text_most / 16));
        break;
    case JCK_TASTE_MEMBERS:
        put_members(m, method);
        break;
    case JCK_TASTE_ERROR:
        put_error(m, by_name);
        break;
    case JCK_TASTE_DESCRIBED:
        jck_params_fitting(method->params, method->root, by_name, m->random, m->out);
        break;
    }
}

void jck_params_fit(const jck_grammar *grammar, const jck_method *method, jrpc_random *random,
                    jrpc_buffer *out)
{
    const jck_making m = {grammar, random, out};
    put_fitting(&m, method);
}

void jck_params_any(const jck_grammar *grammar, const jck_method *method, jrpc_random *random,
                    jrpc_buffer *out)
{
    const jck_making m = {grammar, random, out};
    // What a method gives as an error, whatever it is asked, shows nothing.
    if ((method == NULL || method->taste != JCK_TASTE_ERROR) && jck_one_in(&m, 4)) {
        jck_put(&m, ",\"params\":");
        put_structure(&m, false);
    } else {
        put_fitting(&m, method);
    }
}

void jck_params_structure(const jck_grammar *grammar, jrpc_random *random, jrpc_buffer *out)
{
    const jck_making m = {grammar, random, out};
    put_structure(&m, true);
}
