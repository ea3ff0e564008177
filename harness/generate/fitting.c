#include "harness/generate/fitting.h"

#include "harness/generate/values.h"
#include "harness/schema/reference.h"

#include <inttypes.h>

// The most alternatives and references that are followed in a row.
#define HOPS_MOST 8u
#define REFERENCE_BYTES ((size_t)64 << 10)
// Few schemas require longer ones, and those show little.
#define LENGTH_MOST 300
#define ITEMS_MOST 4
// How deep containers are nested in the values of params.
#define DEPTH 3u

typedef struct making {
    jrpc_json root;
    jrpc_random *random;
    jrpc_buffer *out;
    bool near; // one thing must still be made wrong
} making;

static bool one_in(const making *m, uint64_t bound)
{
    return jrpc_random_below(m->random, bound) == 0;
}

static void put(const making *m, const char *text)
{
    (void)jrpc_buffer_append_str(m->out, text);
}

static void put_spelled(const making *m, jrpc_json value)
{
    (void)jrpc_buffer_append(m->out, jrpc_json_spelling(value));
}

static jrpc_json pick_element(const making *m, jrpc_json array)
{
    uint32_t count = jrpc_json_count(array);
    return jrpc_json_is(array, JRPC_JSON_ARRAY) && count > 0
               ? jrpc_json_element(array, (uint32_t)jrpc_random_below(m->random, count))
               : JRPC_JSON_ABSENT;
}

// What a schema refers to; ABSENT without a reference, or if it leads nowhere.
static jrpc_json follow(const making *m, jrpc_json schema)
{
    if (!jrpc_json_exists(jrpc_json_get(schema, "$ref"))) {
        return JRPC_JSON_ABSENT;
    }
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), REFERENCE_BYTES);
    jrpc_json found = jck_reference_resolve(m->root, schema, &arena);
    jrpc_arena_done(&arena);
    return found;
}

// The schema that a reference leads to; one of the alternatives, if there are any.
static jrpc_json resolve(const making *m, jrpc_json schema)
{
    static const char *const alternatives[] = {"oneOf", "anyOf", "allOf"};
    for (unsigned i = 0; i < HOPS_MOST; i++) {
        jrpc_json chosen = follow(m, schema);
        for (size_t k = 0; k < sizeof alternatives / sizeof *alternatives; k++) {
            chosen = jrpc_json_exists(chosen)
                         ? chosen
                         : pick_element(m, jrpc_json_get(schema, alternatives[k]));
        }
        if (!jrpc_json_exists(chosen)) {
            break;
        }
        schema = chosen;
    }
    return schema;
}

// The value of a keyword that is an integer.
static int64_t bound_of(jrpc_json schema, const char *keyword, int64_t otherwise)
{
    int64_t bound;
    return jrpc_json_int64(jrpc_json_get(schema, keyword), &bound) ? bound : otherwise;
}

// Whether this is the one thing to make wrong.
static bool is_off(making *m)
{
    bool off = m->near && !one_in(m, 4);
    m->near = m->near && !off;
    return off;
}

// A length or a count from `least` to `most`, or just `least` if `most` is less.
static int64_t pick_size(const making *m, int64_t least, int64_t most)
{
    return most <= least
               ? least
               : least + (int64_t)jrpc_random_below(m->random, (uint64_t)(most - least) + 1);
}

// A size that is just too small or too large.
static int64_t pick_wrong_size(const making *m, int64_t least, int64_t most)
{
    return least > 0 && one_in(m, 2) ? least - 1 : most + 1;
}

// The least or the most that a Number may be; `step` leads there from an exclusive bound.
static int64_t limit_of(jrpc_json schema, const char *inclusive, const char *exclusive, int step,
                        int64_t otherwise)
{
    int64_t bound = bound_of(schema, exclusive, otherwise);
    bool given = jrpc_json_exists(jrpc_json_get(schema, exclusive));
    bool safe = bound > INT64_MIN / 4 && bound < INT64_MAX / 4;
    return bound_of(schema, inclusive, given && safe ? bound + step : bound);
}

static bool is_bounded(jrpc_json schema)
{
    static const char *const keywords[] = {"minimum", "maximum", "exclusiveMinimum",
                                           "exclusiveMaximum", "multipleOf"};
    bool bounded = false;
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++) {
        bounded = bounded || jrpc_json_exists(jrpc_json_get(schema, keywords[i]));
    }
    return bounded;
}

static void put_integer(making *m, jrpc_json schema)
{
    int64_t least = limit_of(schema, "minimum", "exclusiveMinimum", 1, INT32_MIN);
    int64_t most = limit_of(schema, "maximum", "exclusiveMaximum", -1, INT32_MAX);
    most = most < least && !jrpc_json_exists(jrpc_json_get(schema, "maximum")) ? least : most;
    bool safe = least > INT64_MIN / 4 && most < INT64_MAX / 4 && least <= most;
    int64_t number = least;
    if (safe && is_off(m)) {
        number = one_in(m, 2) ? least - 1 : most + 1;
    } else if (safe && one_in(m, 3)) {
        number = one_in(m, 2) ? least : most;
    } else if (safe) {
        uint64_t width = (uint64_t)(most - least) + 1;
        bool around_zero = least <= 0 && most >= 100 && one_in(m, 2);
        number = around_zero ? (int64_t)jrpc_random_below(m->random, 100)
                             : least + (int64_t)jrpc_random_below(m->random, width);
    }
    (void)jrpc_buffer_printf(m->out, "%" PRId64, number);
}

static void put_string(making *m, jrpc_json schema)
{
    int64_t least = bound_of(schema, "minLength", 0);
    int64_t most = bound_of(schema, "maxLength", LENGTH_MOST);
    bool bounded = least > 0 || most < LENGTH_MOST;
    if (!bounded) {
        jck_value_text(m->random, m->out);
        return;
    }
    least = least < LENGTH_MOST ? least : LENGTH_MOST;
    most = most < LENGTH_MOST ? most : LENGTH_MOST;
    int64_t len = pick_size(m, least, most);
    len = one_in(m, 4) ? most : len;
    len = is_off(m) ? pick_wrong_size(m, least, most) : len;
    put(m, "\"");
    for (int64_t i = 0; i < len; i++) {
        put(m, one_in(m, 8) ? "é" : "a");
    }
    put(m, "\"");
}

static void put_value(making *m, jrpc_json schema, unsigned depth);

static void put_array(making *m, jrpc_json schema, unsigned depth) // NOLINT(misc-no-recursion)
{
    int64_t least = bound_of(schema, "minItems", 0);
    int64_t most = bound_of(schema, "maxItems", least + ITEMS_MOST);
    least = least < ITEMS_MOST ? least : ITEMS_MOST;
    most = most < least + ITEMS_MOST ? most : least + ITEMS_MOST;
    int64_t count = pick_size(m, least, most);
    count = is_off(m) ? pick_wrong_size(m, least, most) : count;
    put(m, "[");
    for (int64_t i = 0; i < count; i++) {
        put(m, i == 0 ? "" : ",");
        put_value(m, jrpc_json_get(schema, "items"), depth - 1);
    }
    put(m, "]");
}

static bool is_required(jrpc_json schema, jrpc_json name)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_get(schema, "required"));
         jrpc_json_step(&it);) {
        if (jrpc_slice_equal(jrpc_json_spelling(it.value), jrpc_json_spelling(name))) {
            return true;
        }
    }
    return false;
}

static void put_object(making *m, jrpc_json schema, unsigned depth) // NOLINT(misc-no-recursion)
{
    bool first = true;
    put(m, "{");
    for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_get(schema, "properties"));
         jrpc_json_step(&it);) {
        bool left_out = is_required(schema, it.key) ? is_off(m) : one_in(m, 2);
        if (!left_out) {
            put(m, first ? "" : ",");
            put_spelled(m, it.key);
            put(m, ":");
            put_value(m, it.value, depth - 1);
            first = false;
        }
    }
    if (is_off(m)) { // a member that the schema does not list
        put(m, first ? "\"jrpcheck\":" : ",\"jrpcheck\":");
        jck_value_any(m->random, 1, m->out);
    }
    put(m, "}");
}

// The required type of a value, as a letter: i, n(umber), s, b, a, o, 0 (null); '\0': any.
static char type_of(const making *m, jrpc_json schema)
{
    static const struct {
        const char *name;
        char letter;
    } types[] = {{"integer", 'i'}, {"number", 'n'}, {"string", 's'}, {"boolean", 'b'},
                 {"array", 'a'},   {"object", 'o'}, {"null", '0'}};
    jrpc_json type = jrpc_json_get(schema, "type");
    type = jrpc_json_is(type, JRPC_JSON_ARRAY) ? pick_element(m, type) : type;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        if (jrpc_json_string_is(type, jrpc_slice_str(types[i].name))) {
            return types[i].letter;
        }
    }
    return jrpc_json_exists(jrpc_json_get(schema, "properties")) ? 'o'
           : jrpc_json_exists(jrpc_json_get(schema, "items"))    ? 'a'
                                                                 : '\0';
}

// What the schema gives literally: a constant, one of its enumerated values, an example.
static bool put_given(const making *m, jrpc_json schema)
{
    jrpc_json given = jrpc_json_get(schema, "const");
    given = jrpc_json_exists(given) ? given : pick_element(m, jrpc_json_get(schema, "enum"));
    if (!jrpc_json_exists(given) && one_in(m, 2)) {
        given = pick_element(m, jrpc_json_get(schema, "examples"));
        given = jrpc_json_exists(given) ? given : jrpc_json_get(schema, "default");
    }
    if (jrpc_json_exists(given)) {
        put_spelled(m, given);
    }
    return jrpc_json_exists(given);
}

// A value of another type, or one that resembles it.
static void put_other(const making *m, char type)
{
    static const char *const others[] = {"null", "\"5\"", "5.5", "[]", "{}", "true", "\"\"", "-1"};
    put(m, type == 'i' ? (one_in(m, 2) ? "\"5\"" : "5.5") : JRPC_RANDOM_PICK(m->random, others));
}

static void put_value(making *m, jrpc_json schema, unsigned depth) // NOLINT(misc-no-recursion)
{
    schema = resolve(m, schema);
    char type = type_of(m, schema);
    bool container = type == 'a' || type == 'o';
    if (m->near && (!container || one_in(m, 6)) && one_in(m, 3)) {
        m->near = false;
        put_other(m, type);
        return;
    }
    if (put_given(m, schema)) {
        return;
    }
    if (container && depth == 0) {
        put(m, type == 'a' ? "[]" : "{}");
        return;
    }
    switch (type) {
    case 'i':
        put_integer(m, schema);
        break;
    case 'n':
        put_integer(m, schema);
        put(m, !is_bounded(schema) && one_in(m, 3) ? ".5" : "");
        break;
    case 's':
        put_string(m, schema);
        break;
    case 'b':
        put(m, one_in(m, 2) ? "true" : "false");
        break;
    case 'a':
        put_array(m, schema, depth);
        break;
    case 'o':
        put_object(m, schema, depth);
        break;
    case '0':
        put(m, "null");
        break;
    default:
        jck_value_plain(m->random, 1, m->out);
        break;
    }
}

void jck_value_fitting(jrpc_json schema, jrpc_json root, bool near, unsigned depth,
                       jrpc_random *random, jrpc_buffer *out)
{
    making m = {root, random, out, near};
    put_value(&m, schema, depth);
}

void jck_params_fitting(jrpc_json params, jrpc_json root, bool by_name, jrpc_random *random,
                        jrpc_buffer *out)
{
    const making m = {root, random, out, false};
    uint32_t count = jrpc_json_count(params);
    // In every other call one thing is slightly wrong: the param with this number; if it is
    // `count`, all are missing, and if it is `count` + 1, there is one too many.
    uint32_t off = one_in(&m, 2) ? (uint32_t)jrpc_random_below(random, count + 2) : UINT32_MAX;
    bool first = true;
    put(&m, by_name ? "{" : "[");
    for (uint32_t i = 0; i < count && off != count; i++) {
        jrpc_json param = jrpc_json_element(params, i);
        bool required = jrpc_json_is(jrpc_json_get(param, "required"), JRPC_JSON_TRUE);
        if (!required && one_in(&m, 3)) {
            if (by_name) {
                continue;
            }
            break; // by position, those after it are left out as well
        }
        put(&m, first ? "" : ",");
        if (by_name) {
            put_spelled(&m, jrpc_json_get(param, "name"));
            put(&m, ":");
        }
        jck_value_fitting(jrpc_json_get(param, "schema"), root, i == off, DEPTH, random, out);
        first = false;
    }
    if (off == count + 1) {
        put(&m, first ? "" : ",");
        put(&m, by_name ? "\"jrpcheck\":0" : "0");
    }
    put(&m, by_name ? "}" : "]");
}
