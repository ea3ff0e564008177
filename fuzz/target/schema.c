// Whether a value fits a schema does not depend on how both are spelled, in which order members
// stand, or how a reference is escaped; and it is what `not`, `allOf`, `anyOf`, `oneOf` and `if`
// around the schema make of it, also beside a schema that is not understood. What does not fit is
// where it is said to be. Whether a number is a multiple of another is what long division says, and
// what a bound allows is what it says. A pattern matches where a naive matcher finds that it does,
// if it is understood at all.
//
// The text is an Array of a schema and a value, or of a pattern and a text.
#include "fuzz/fuzz.h"
#include "fuzz/model/expression.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "harness/schema/fit.h"
#include "harness/schema/pattern.h"
#include "reference/json/content.h"
#include "reference/json/read.h"

#include <ctype.h>
#include <stdio.h>

enum { ROOM = 1 << 20, ARENA_BYTES = 1 << 22, DEEP = 50 };

// ---- schemas

static bool has_twin(jrpc_json object)
{
    for (jrpc_json_iterator it = jrpc_json_iterate(object); jrpc_json_step(&it);) {
        for (jrpc_json_iterator other = it; jrpc_json_step(&other);) {
            if (jrpc_json_exists(it.key) && jrpc_json_content_equal(it.key, other.key)) {
                return true;
            }
        }
    }
    return false;
}

// The place of a misfit leads to its value, or, if that is a name, to its Object.
static void require_place(jrpc_json_document *document, const jck_misfit *misfit)
{
    enum { WHOLE_KEY = 100 }; // a longer one is cut
    for (const char *p = misfit->where; *p != '\0';) {
        size_t len = strcspn(p + 1, "/");
        if (len >= WHOLE_KEY) {
            return;
        }
        p += 1 + len;
    }
    for (uint32_t i = 0; i < document->count; i++) {
        // A pointer leads to the last of twins, and a place is a text that ends with NUL.
        if (has_twin((jrpc_json){document, i}) ||
            (document->nodes[i].flags & JRPC_JSON_HAS_NUL) != 0) {
            return;
        }
    }
    jrpc_json found = jrpc_json_pointer(jrpc_json_root(document), jrpc_slice_str(misfit->where));
    bool right = jrpc_json_exists(found) && found.index == misfit->value.index;
    for (jrpc_json_iterator it = jrpc_json_iterate(found); !right && jrpc_json_step(&it);) {
        right = jrpc_json_exists(it.key) && it.key.index == misfit->value.index;
    }
    FUZZ_REQUIRE(right);
}

static jck_fit fit_of(jrpc_slice schema, jrpc_slice root, jrpc_slice value)
{
    jrpc_json_document documents[3];
    const jrpc_slice texts[] = {schema, root, value};
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    for (size_t i = 0; i < 3; i++) {
        jrpc_json_document_init(&documents[i], jrpc_allocator_heap());
        FUZZ_REQUIRE(jrpc_json_read(&documents[i], texts[i], TREE_DEPTH * 2, NULL));
    }
    bool own = schema.ptr == root.ptr;
    jck_misfit misfit;
    jck_fit fit =
        jck_schema_fit(jrpc_json_root(&documents[own ? 1 : 0]), jrpc_json_root(&documents[1]),
                       jrpc_json_root(&documents[2]), &arena, &misfit);
    FUZZ_REQUIRE(fit != JCK_FIT_NO || jrpc_json_exists(misfit.value));
    if (fit == JCK_FIT_NO) {
        require_place(&documents[2], &misfit);
    }
    for (size_t i = 0; i < 3; i++) {
        jrpc_json_document_done(&documents[i]);
    }
    jrpc_arena_done(&arena);
    return fit;
}

// A reference with the percent escape of its every second letter, or of its last one.
static void put_reference(jrpc_buffer *out, jrpc_slice spelled, size_t which)
{
    for (size_t i = 0; i < spelled.len; i++) {
        bool plain = isalnum((unsigned char)spelled.ptr[i]) &&
                     memchr(spelled.ptr, '%', spelled.len) == NULL &&
                     memchr(spelled.ptr, '\\', spelled.len) == NULL;
        bool chosen = i + 2 == spelled.len || i % 2 == which;
        FUZZ_REQUIRE(plain && chosen
                         ? jrpc_buffer_printf(out, "%%%02x", (unsigned char)spelled.ptr[i])
                         : jrpc_buffer_append_char(out, spelled.ptr[i]));
    }
}

// The schema again; its references are escaped, but not what is data in it.
static void put_escaped(jrpc_buffer *out, const tree *value, size_t which)
{
    if (value->kind != 'a' && value->kind != 'o') {
        FUZZ_REQUIRE(jrpc_buffer_append(out, value->spelling));
        return;
    }
    FUZZ_REQUIRE(jrpc_buffer_append_char(out, value->kind == 'a' ? '[' : '{'));
    for (size_t i = 0; i < value->count; i++) {
        FUZZ_REQUIRE(jrpc_buffer_append_str(out, i == 0 ? "" : ","));
        const tree *item = value->items[i];
        bool data = false;
        if (value->kind == 'o') {
            data = tree_is_text(value->names[i], "const") || tree_is_text(value->names[i], "enum");
            FUZZ_REQUIRE(jrpc_buffer_append(out, value->names[i]->spelling) &&
                         jrpc_buffer_append_char(out, ':'));
        }
        if (data) {
            FUZZ_REQUIRE(jrpc_buffer_append(out, item->spelling));
        } else if (value->kind == 'o' && tree_is_text(value->names[i], "$ref") &&
                   item->kind == 's' && jrpc_slice_starts_with(item->content, JRPC_SLICE("#/"))) {
            put_reference(out, item->spelling, which);
        } else {
            put_escaped(out, item, which);
        }
    }
    FUZZ_REQUIRE(jrpc_buffer_append_char(out, value->kind == 'a' ? ']' : '}'));
}

static bool has_distinct_names(const tree *object)
{
    for (size_t i = 0; i < object->count; i++) {
        for (size_t k = 0; k < i; k++) {
            if (jrpc_slice_equal(object->names[i]->content, object->names[k]->content)) {
                return false;
            }
        }
    }
    return true;
}

// The value again, the last member of each Object first.
static void put_reversed(jrpc_buffer *out, const tree *value)
{
    if (value->kind != 'a' && value->kind != 'o') {
        FUZZ_REQUIRE(jrpc_buffer_append(out, value->spelling));
        return;
    }
    bool reversed = value->kind == 'o' && has_distinct_names(value);
    FUZZ_REQUIRE(jrpc_buffer_append_char(out, value->kind == 'a' ? '[' : '{'));
    for (size_t i = 0; i < value->count; i++) {
        size_t at = reversed ? value->count - 1 - i : i;
        FUZZ_REQUIRE(jrpc_buffer_append_str(out, i == 0 ? "" : ","));
        if (value->kind == 'o') {
            FUZZ_REQUIRE(jrpc_buffer_append(out, value->names[at]->spelling) &&
                         jrpc_buffer_append_char(out, ':'));
        }
        put_reversed(out, value->items[at]);
    }
    FUZZ_REQUIRE(jrpc_buffer_append_char(out, value->kind == 'a' ? ']' : '}'));
}

static jck_fit negated(jck_fit fit)
{
    return fit == JCK_FIT_YES ? JCK_FIT_NO : fit == JCK_FIT_NO ? JCK_FIT_YES : JCK_FIT_UNSURE;
}

// The schema between two texts, of the value.
static jck_fit fit_inside(const char *before, jrpc_slice schema, const char *behind,
                          jrpc_slice value)
{
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_buffer_append_str(&text, before) && jrpc_buffer_append(&text, schema) &&
                 jrpc_buffer_append_str(&text, behind));
    jck_fit fit = fit_of(jrpc_buffer_slice(&text), schema, value);
    jrpc_buffer_done(&text);
    return fit;
}

// Whether the limit on depth comes between the schema alone and one schema around it.
static bool is_at_limit(jrpc_slice schema, jrpc_slice value, jck_fit fit)
{
    return fit != JCK_FIT_UNSURE &&
           (grammar_check(schema, DEEP).verdict != GRAMMAR_JSON ||
            grammar_check(value, DEEP).verdict != GRAMMAR_JSON) &&
           fit_inside("{\"allOf\":[{\"allOf\":[{\"allOf\":[", schema, "]}]}]}", value) ==
               JCK_FIT_UNSURE;
}

static void require_around(jrpc_slice schema, jrpc_slice value, jck_fit fit)
{
    static const struct {
        const char *before, *behind;
        bool negates;
    } around[] = {
        {"{\"not\":", "}", true},
        {"{\"allOf\":[true,", "]}", false},
        {"{\"anyOf\":[false,", "]}", false},
        {"{\"oneOf\":[", ",false]}", false},
        {"{\"if\":", ",\"then\":true,\"else\":false}", false},
        {"{\"if\":", ",\"then\":false,\"else\":true}", true},
        {"{\"not\":{\"not\":", "}}", false},
    };
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        jck_fit got = fit_inside(around[i].before, schema, around[i].behind, value);
        FUZZ_REQUIRE(got == (around[i].negates ? negated(fit) : fit));
    }
}

// A schema that says which draft it follows.
static jck_fit fit_document(const char *schema, const char *value)
{
    jrpc_json_document documents[2];
    const char *const texts[] = {schema, value};
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ARENA_BYTES);
    for (size_t i = 0; i < 2; i++) {
        jrpc_json_document_init(&documents[i], jrpc_allocator_heap());
        FUZZ_REQUIRE(jrpc_json_read(&documents[i], jrpc_slice_str(texts[i]), TREE_DEPTH, NULL));
    }
    jck_fit fit = jck_schema_fit_document(jrpc_json_root(&documents[0]),
                                          jrpc_json_root(&documents[1]), &arena, NULL);
    for (size_t i = 0; i < 2; i++) {
        jrpc_json_document_done(&documents[i]);
    }
    jrpc_arena_done(&arena);
    return fit;
}

// Of an Array, the element that no schema of its own is for: the same. In the newest draft that is
// said in other words, and the schema may mean something else there, so that it is a plain one.
static void require_further(jrpc_slice schema, jrpc_slice value, jck_fit fit)
{
#define DRAFT "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\","
    static const struct {
        const char *schema, *value;
        jck_fit fit;
    } newest[] = {
        {DRAFT "\"prefixItems\":[true],\"items\":{\"type\":\"null\"}}", "[0,0]", JCK_FIT_NO},
        {DRAFT "\"prefixItems\":[true],\"items\":{\"type\":\"null\"}}", "[0,null]", JCK_FIT_YES},
        {DRAFT "\"prefixItems\":[false],\"items\":true}", "[0,0]", JCK_FIT_NO},
        {DRAFT "\"prefixItems\":[true],\"additionalItems\":false}", "[0,0]", JCK_FIT_YES},
        {DRAFT "\"items\":{\"type\":\"null\"}}", "[null,0]", JCK_FIT_NO},
    };
#undef DRAFT
    for (size_t i = 0; i < sizeof newest / sizeof *newest; i++) {
        FUZZ_REQUIRE(fit_document(newest[i].schema, newest[i].value) == newest[i].fit);
    }
    if (grammar_check(schema, DEEP).verdict != GRAMMAR_JSON ||
        grammar_check(value, DEEP).verdict != GRAMMAR_JSON) {
        return;
    }
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_buffer_append_str(&text, "[0,") && jrpc_buffer_append(&text, value) &&
                 jrpc_buffer_append_char(&text, ']'));
    FUZZ_REQUIRE(fit == fit_inside("{\"items\":[true],\"additionalItems\":", schema, "}",
                                   jrpc_buffer_slice(&text)));
    jrpc_buffer_done(&text);
}

// Within a member of an element, after others that fit: the same, and at its place.
static void require_within(jrpc_slice schema, jrpc_slice value, jck_fit fit)
{
    if (grammar_check(schema, DEEP).verdict != GRAMMAR_JSON ||
        grammar_check(value, DEEP).verdict != GRAMMAR_JSON) {
        return;
    }
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_buffer_append_str(&text, "[{\"w\":[{}]},{\"x\":[1,{\"z\":2}],\"y\":") &&
                 jrpc_buffer_append(&text, value) && jrpc_buffer_append_str(&text, "}]"));
    FUZZ_REQUIRE(fit ==
                 fit_inside("{\"items\":{\"properties\":{\"w\":{\"items\":{}},\"x\":{\"items\":"
                            "{\"properties\":{\"z\":true}}},\"y\":",
                            schema, "}}}", jrpc_buffer_slice(&text)));
    jrpc_buffer_done(&text);
}

// Beside a schema that nobody understands: what is known already is still certain.
static void require_beside_unsure(jrpc_slice schema, jrpc_slice value, jck_fit fit)
{
#define UNSURE "{\"$ref\":\"http://127.0.0.1/\"}"
    static const struct {
        const char *before, *behind;
        jck_fit of_yes, of_no;
    } beside[] = {
        {"{\"oneOf\":[" UNSURE ",", "]}", JCK_FIT_UNSURE, JCK_FIT_UNSURE},
        {"{\"oneOf\":[" UNSURE ",true,", "]}", JCK_FIT_NO, JCK_FIT_UNSURE},
        {"{\"oneOf\":[true,", "," UNSURE "]}", JCK_FIT_NO, JCK_FIT_UNSURE},
        {"{\"oneOf\":[true,", ",true," UNSURE "]}", JCK_FIT_NO, JCK_FIT_NO},
        {"{\"anyOf\":[" UNSURE ",", "]}", JCK_FIT_YES, JCK_FIT_UNSURE},
        {"{\"anyOf\":[", "," UNSURE "]}", JCK_FIT_YES, JCK_FIT_UNSURE},
        {"{\"allOf\":[" UNSURE ",", "]}", JCK_FIT_UNSURE, JCK_FIT_NO},
        {"{\"allOf\":[", "," UNSURE "]}", JCK_FIT_UNSURE, JCK_FIT_NO},
        {"{\"not\":{\"allOf\":[" UNSURE ",", "]}}", JCK_FIT_UNSURE, JCK_FIT_YES},
        {"{\"if\":" UNSURE ",\"then\":false,\"else\":", "}", JCK_FIT_UNSURE, JCK_FIT_UNSURE},
        {"{\"if\":", ",\"then\":" UNSURE "}", JCK_FIT_UNSURE, JCK_FIT_YES},
        {"{\"if\":", ",\"else\":" UNSURE "}", JCK_FIT_YES, JCK_FIT_UNSURE},
    };
#undef UNSURE
    for (size_t i = 0; i < sizeof beside / sizeof *beside && fit != JCK_FIT_UNSURE; i++) {
        jck_fit got = fit_inside(beside[i].before, schema, beside[i].behind, value);
        FUZZ_REQUIRE(got == (fit == JCK_FIT_YES ? beside[i].of_yes : beside[i].of_no));
    }
}

static void require_spellings(const tree *schema, const tree *value, jck_fit fit,
                              jrpc_random *random)
{
    enum { ESCAPED = 2, REVERSED, SPELLINGS = 5 };
    for (unsigned i = 0; i < SPELLINGS; i++) {
        jrpc_buffer one;
        jrpc_buffer other;
        jrpc_buffer_init(&one, jrpc_allocator_heap(), ROOM);
        jrpc_buffer_init(&other, jrpc_allocator_heap(), ROOM);
        if (i < ESCAPED) {
            put_escaped(&one, schema, i);
        } else if (i == REVERSED) {
            put_reversed(&one, schema);
            put_reversed(&other, value);
        } else {
            tree_write(&one, schema, TREE_SPACE | TREE_ORDER | TREE_ESCAPE, random);
        }
        if (i != REVERSED) {
            tree_write(&other, value, TREE_SPACE | TREE_ORDER | TREE_ESCAPE | TREE_NUMBER, random);
        }
        jrpc_slice spelled = jrpc_buffer_slice(&one);
        FUZZ_REQUIRE(fit_of(spelled, spelled, jrpc_buffer_slice(&other)) == fit);
        jrpc_buffer_done(&other);
        jrpc_buffer_done(&one);
    }
}

// ---- multiples

// The remainder of an integer of any length, digit by digit. `divisor` is below 10^18.
static uint64_t remainder_of(jrpc_slice digits, uint64_t divisor)
{
    uint64_t rest = 0;
    for (size_t i = 0; i < digits.len; i++) {
        rest = (rest * 10 + (uint64_t)(digits.ptr[i] - '0')) % divisor;
    }
    return rest;
}

// Integers of as many digits as 32, 53 and 64 bits hold, one more and one fewer, in several
// spellings: each is a multiple of what divides it, and of nothing else.
static void require_multiples(jrpc_random *random)
{
    static const size_t lengths[] = {1, 2, 9, 10, 11, 15, 16, 17, 18, 19, 20, 21, 25, 40};
    static const uint64_t divisors[] = {1, 2, 3, 5, 7, 10, 16, 999, 1000, 65536, 4294967296};
    static const char *const exponents[] = {"", ".0", "e0", "00e-2", ".000e0"};
    char digits[64];
    size_t len = JRPC_RANDOM_PICK(random, lengths);
    uint64_t divisor = JRPC_RANDOM_PICK(random, divisors);
    for (size_t i = 0; i < len; i++) {
        digits[i] = (char)('0' + jrpc_random_below(random, 10));
    }
    digits[0] = digits[0] == '0' ? '1' : digits[0];
    // Every other time the last digits are chosen so that it is one.
    uint64_t rest = remainder_of(jrpc_slice_of(digits, len), divisor);
    if (jrpc_random_below(random, 2) == 0 && rest <= (uint64_t)(digits[len - 1] - '0')) {
        digits[len - 1] = (char)(digits[len - 1] - (char)rest);
        rest = 0;
    }
    if (digits[0] == '0') {
        return; // it was one digit, and is 0 now
    }
    char schema[64];
    char value[96];
    (void)snprintf(schema, sizeof schema, "{\"multipleOf\":%llu}", (unsigned long long)divisor);
    (void)snprintf(value, sizeof value, "%s%.*s%s", jrpc_random_below(random, 2) == 0 ? "-" : "",
                   (int)len, digits, JRPC_RANDOM_PICK(random, exponents));
    jck_fit fit = fit_of(jrpc_slice_str(schema), jrpc_slice_str(schema), jrpc_slice_str(value));
    // More digits than 64 bits hold are not looked into.
    FUZZ_REQUIRE(fit == (rest == 0 ? JCK_FIT_YES : JCK_FIT_NO) ||
                 (fit == JCK_FIT_UNSURE && (len > 17 || divisor > 1000)));
}

// ---- bounds

// A value of this size: the number itself, or so many letters, elements or members.
static void put_amount(jrpc_buffer *out, char kind, unsigned amount)
{
    static const char brackets[] = "s\"\"a[]o{}";
    const char *around = strchr(brackets, kind);
    if (around == NULL) {
        FUZZ_REQUIRE(jrpc_buffer_printf(out, "%u", amount));
        return;
    }
    FUZZ_REQUIRE(jrpc_buffer_append_char(out, around[1]));
    for (unsigned i = 0; i < amount; i++) {
        const char *comma = i == 0 ? "" : ",";
        FUZZ_REQUIRE(kind == 's'   ? jrpc_buffer_append_str(out, i % 2 == 0 ? "a" : "\xC3\xA9")
                     : kind == 'a' ? jrpc_buffer_printf(out, "%s%u", comma, i)
                                   : jrpc_buffer_printf(out, "%s\"%u\":0", comma, i));
    }
    FUZZ_REQUIRE(jrpc_buffer_append_char(out, around[2]));
}

// A bound allows the right sizes: tried with the bound, one less and one more.
static void require_bounds(unsigned bound)
{
    static const struct {
        const char *keyword;
        char kind;
        bool fits[3]; // so much less one, so much, and one more
    } bounds[] = {
        {"minimum", '0', {false, true, true}},
        {"maximum", '0', {true, true, false}},
        {"exclusiveMinimum", '0', {false, false, true}},
        {"exclusiveMaximum", '0', {true, false, false}},
        {"minLength", 's', {false, true, true}},
        {"maxLength", 's', {true, true, false}},
        {"minItems", 'a', {false, true, true}},
        {"maxItems", 'a', {true, true, false}},
        {"minProperties", 'o', {false, true, true}},
        {"maxProperties", 'o', {true, true, false}},
    };
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds * 3; i++) {
        char schema[64];
        jrpc_buffer value;
        jrpc_buffer_init(&value, jrpc_allocator_heap(), ROOM);
        (void)snprintf(schema, sizeof schema, "{\"%s\":%u}", bounds[i / 3].keyword, bound);
        put_amount(&value, bounds[i / 3].kind, bound - 1 + (unsigned)(i % 3));
        jck_fit fit =
            fit_of(jrpc_slice_str(schema), jrpc_slice_str(schema), jrpc_buffer_slice(&value));
        FUZZ_REQUIRE(fit == (bounds[i / 3].fits[i % 3] ? JCK_FIT_YES : JCK_FIT_NO));
        jrpc_buffer_done(&value);
    }
}

// A pattern matches where the model finds that it does, if it is understood at all.
static void require_pattern(jrpc_slice spelled, jrpc_slice text)
{
    jck_found found = jck_pattern_find(spelled, text);
    expression_found wanted = expression_find(spelled, text);
    FUZZ_REQUIRE(wanted == EXPRESSION_UNKNOWN || found == JCK_FOUND_UNSURE ||
                 found == (wanted == EXPRESSION_FOUND ? JCK_FOUND : JCK_FOUND_NOT));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    if (grammar_check(input.text, TREE_DEPTH).verdict != GRAMMAR_JSON) {
        return 0;
    }
    tree_pool pool = {NULL};
    jrpc_random random;
    jrpc_random_init(&random, fuzz_input_seed(&input));
    const tree *both = tree_read(&pool, input.text);
    if (both->kind == 'a' && both->count == 2 && both->items[0]->kind == 's' &&
        both->items[1]->kind == 's') {
        require_pattern(both->items[0]->content, both->items[1]->content);
    } else if (both->kind == 'a' && both->count == 2) {
        jrpc_slice schema = both->items[0]->spelling;
        jrpc_slice value = both->items[1]->spelling;
        jck_fit fit = fit_of(schema, schema, value);
        require_spellings(both->items[0], both->items[1], fit, &random);
        if (fuzz_turn(&input, 0, 2) && !is_at_limit(schema, value, fit)) {
            require_around(schema, value, fit);
            require_beside_unsure(schema, value, fit);
            require_within(schema, value, fit);
            require_further(schema, value, fit);
        }
    }
    if (fuzz_turn(&input, 2, 32)) {
        require_bounds(1 + input.turn % 70);
    }
    for (unsigned i = 0; i < 4 && fuzz_turn(&input, 1, 4); i++) {
        jrpc_random_init(&random, fuzz_input_seed(&input) + input.turn + i * 65536u);
        require_multiples(&random);
    }
    tree_pool_done(&pool);
    return 0;
}
