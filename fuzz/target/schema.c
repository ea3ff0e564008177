// Whether a value fits a schema does not depend on how both are spelled, in which order members
// stand, or how a reference is escaped; and it is what `not`, `allOf`, `anyOf`, `oneOf` and `if`
// around the schema make of it. A pattern matches where a naive matcher finds that it does, if it
// is understood at all.
//
// The text is an Array of a schema and a value, or of a pattern and a text.
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "harness/schema/fit.h"
#include "harness/schema/pattern.h"
#include "reference/json/read.h"

#include <ctype.h>

enum { ROOM = 1 << 20, ARENA_BYTES = 1 << 22, PATTERN_MOST = 40, DEEP = 50 };

// ---- schemas

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

// ---- patterns

typedef struct atom {
    bool negated, any;
    bool holds[128];
    bool none, more; // may be left out, may be repeated
} atom;

typedef struct pattern {
    atom atoms[PATTERN_MOST];
    size_t count;
    bool from_start, to_end;
} pattern;

static const char special[] = ".[]()*+?{}|^$\\";

// One character in brackets or an escaped one; '\0' if the model has no opinion.
static char plain_at(jrpc_slice text, size_t *at, bool in_brackets)
{
    char c = text.ptr[*at];
    if (c == '\\') {
        char escaped = *at + 1 < text.len ? text.ptr[*at + 1] : '\0';
        bool known = escaped != '\0' &&
                     (strchr(special, escaped) != NULL || (in_brackets && escaped == '-'));
        *at += 2;
        return known ? escaped : '\0';
    }
    *at += 1;
    bool known = in_brackets ? strchr("[]\\^-", c) == NULL : strchr(special, c) == NULL;
    return known ? c : '\0';
}

static bool read_brackets(jrpc_slice text, size_t *at, atom *made)
{
    size_t members = 0;
    *at += 1;
    if (*at < text.len && text.ptr[*at] == '^') {
        made->negated = true;
        *at += 1;
    }
    while (*at < text.len && text.ptr[*at] != ']') {
        bool dash = text.ptr[*at] == '-' && *at + 1 < text.len && text.ptr[*at + 1] == ']';
        char first = dash ? '-' : plain_at(text, at, true);
        *at += dash ? 1 : 0;
        char last = first;
        if (!dash && *at + 1 < text.len && text.ptr[*at] == '-' && text.ptr[*at + 1] != ']') {
            *at += 1;
            last = plain_at(text, at, true);
        }
        if (first == '\0' || last < first) {
            return false;
        }
        for (int c = (unsigned char)first; c <= (unsigned char)last; c++) {
            made->holds[c] = true;
        }
        members++;
    }
    *at += 1;
    return members > 0 && *at <= text.len;
}

static bool read_pattern(jrpc_slice text, pattern *made)
{
    size_t at = 0;
    *made = (pattern){.count = 0};
    if (text.len > 0 && text.ptr[0] == '^') {
        made->from_start = true;
        at++;
    }
    while (at < text.len) {
        if (text.ptr[at] == '$' && at + 1 == text.len) {
            made->to_end = true;
            return true;
        }
        atom *one = &made->atoms[made->count++];
        if (made->count == PATTERN_MOST) {
            return false;
        }
        if (text.ptr[at] == '[') {
            if (!read_brackets(text, &at, one)) {
                return false;
            }
        } else if (text.ptr[at] == '.') {
            one->any = true;
            at++;
        } else {
            char c = plain_at(text, &at, false);
            if (c == '\0') {
                return false;
            }
            one->holds[(int)c] = true;
        }
        char quantifier = at < text.len ? text.ptr[at] : '\0';
        one->none = quantifier == '?' || quantifier == '*';
        one->more = quantifier == '+' || quantifier == '*';
        at += one->none || one->more ? 1 : 0;
    }
    return true;
}

static bool matches_here(const pattern *all, size_t number, jrpc_slice text)
{
    if (number == all->count) {
        return !all->to_end || text.len == 0;
    }
    const atom *one = &all->atoms[number];
    if (one->none && matches_here(all, number + 1, text)) {
        return true;
    }
    for (size_t taken = 0; taken < text.len && (one->more || taken == 0); taken++) {
        bool fits = one->any || one->holds[(int)text.ptr[taken]] != one->negated;
        if (!fits) {
            return false;
        }
        if (matches_here(all, number + 1, jrpc_slice_from(text, taken + 1))) {
            return true;
        }
    }
    return false;
}

static bool is_plain_text(jrpc_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < ' ' || text.ptr[i] > '~') {
            return false;
        }
    }
    return text.len < PATTERN_MOST;
}

static void require_pattern(jrpc_slice spelled, jrpc_slice text)
{
    pattern all;
    jck_found found = jck_pattern_find(spelled, text);
    unsigned repeats = 0; // each multiplies the model's work
    if (!is_plain_text(spelled) || !is_plain_text(text) || !read_pattern(spelled, &all)) {
        return;
    }
    for (size_t i = 0; i < all.count; i++) {
        repeats += all.atoms[i].more;
    }
    bool wanted = false;
    for (size_t at = 0; repeats < 4 && at <= text.len && !wanted; at += all.from_start ? 100 : 1) {
        wanted = matches_here(&all, 0, jrpc_slice_from(text, at));
    }
    FUZZ_REQUIRE(repeats >= 4 || found == JCK_FOUND_UNSURE ||
                 found == (wanted ? JCK_FOUND : JCK_FOUND_NOT));
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
        }
    }
    tree_pool_done(&pool);
    return 0;
}
