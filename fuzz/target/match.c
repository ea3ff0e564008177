// A value matches a pattern if and only if a simple model of cases/README.md says that it does. Two
// values are equal to a reader of doubles if a model of such a reader says so.
//
// The text is an Array of two: the pattern and the value. Matchers that need a description of a
// service or a schema are left to the unit tests.
#include "harness/judge/match.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "harness/judge/doubles.h"
#include "reference/json/read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 20, NESTED = 24, SEARCHES_MAX = 2, SURE_DIGITS = 15 };

static const double SURE_VALUE = 1e15;

typedef struct reader {
    bool unsure; // the model cannot tell
    unsigned searches;
} reader;

static bool fits(reader *r, const tree *pattern, const tree *value);

static bool same(reader *r, const tree *a, const tree *b)
{
    tree_answer answer = tree_equal(a, b);
    r->unsure = r->unsure || answer == TREE_UNKNOWN;
    return answer == TREE_EQUAL;
}

// A number that a double holds precisely enough for comparisons.
static double number_of(reader *r, const tree *number)
{
    char copy[SURE_DIGITS + 1] = "";
    if (number->kind != '0' || number->spelling.len > SURE_DIGITS) {
        r->unsure = true;
        return 0;
    }
    memcpy(copy, number->spelling.ptr, number->spelling.len);
    double value = strtod(copy, NULL);
    // Whether it is an integer, is not said; and a very small number may have become zero.
    r->unsure = r->unsure || fabs(value) > SURE_VALUE || (value == 0 && strpbrk(copy, "123456789"));
    return value;
}

static const tree *last_member(const tree *object, jrpc_slice name)
{
    const tree *found = NULL;
    for (size_t i = 0; object->kind == 'o' && i < object->count; i++) {
        found = jrpc_slice_equal(object->names[i]->content, name) ? object->items[i] : found;
    }
    return found;
}

// The value that a pointer without escapes leads to.
static const tree *pointed(reader *r, const tree *value, jrpc_slice pointer)
{
    while (value != NULL && pointer.len != 0) {
        size_t len = 1;
        bool digits = true;
        while (len < pointer.len && pointer.ptr[len] != '/') {
            r->unsure = r->unsure || pointer.ptr[len] == '~';
            digits = digits && pointer.ptr[len] >= '0' && pointer.ptr[len] <= '9';
            len++;
        }
        jrpc_slice token = jrpc_slice_of(pointer.ptr + 1, len - 1);
        bool index = digits && token.len > 0 && (token.len == 1 || token.ptr[0] != '0');
        if (pointer.ptr[0] != '/') {
            return NULL;
        }
        if (value->kind == 'a') {
            unsigned long long at = 0;
            for (size_t i = 0; index && i < token.len; i++) {
                at = at > value->count ? at : at * 10 + (unsigned)(token.ptr[i] - '0');
            }
            value = index && at < value->count ? value->items[at] : NULL;
        } else {
            value = last_member(value, token);
        }
        pointer = jrpc_slice_from(pointer, len);
    }
    return value;
}

// A number of which number_of is sure.
static bool is_whole(double number)
{
    return fabs(number) <= SURE_VALUE && (double)(long long)number == number;
}

static bool is_of_type(const tree *type, const tree *value, reader *r)
{
    static const char *const names[] = {"null", "boolean", "number", "string", "array", "object"};
    static const char kinds[] = "zb0sao";
    if (value == NULL || type->kind != 's') {
        return false;
    }
    if (tree_is_text(type, "integer")) {
        return is_whole(value->kind == '0' ? number_of(r, value) : 0.5);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (tree_is_text(type, names[i])) {
            return value->kind == kinds[i];
        }
    }
    return false;
}

static bool is_within(reader *r, const tree *bounds, double number)
{
    if (bounds->kind != 'a' || bounds->count != 2) {
        r->unsure = true; // the loader refuses it
        return false;
    }
    return number_of(r, bounds->items[0]) <= number && number <= number_of(r, bounds->items[1]);
}

static bool has_part(jrpc_slice whole, jrpc_slice part)
{
    for (size_t at = 0; at + part.len <= whole.len; at++) {
        if (part.len == 0 || memcmp(whole.ptr + at, part.ptr, part.len) == 0) {
            return true;
        }
    }
    return false;
}

// "a-z_": ranges and single characters, from the left.
static bool has_only(reader *r, jrpc_slice list, jrpc_slice text)
{
    bool listed[128] = {false};
    for (size_t i = 0; i < list.len; i++) {
        unsigned first = (unsigned char)list.ptr[i];
        unsigned last = first;
        if (i + 2 < list.len && list.ptr[i + 1] == '-') {
            last = (unsigned char)list.ptr[i += 2];
        }
        r->unsure = r->unsure || first >= sizeof listed || last >= sizeof listed;
        for (unsigned c = first; c <= last && c < sizeof listed; c++) {
            listed[c] = true;
        }
    }
    for (size_t i = 0; i < text.len; i++) {
        unsigned c = (unsigned char)text.ptr[i];
        r->unsure = r->unsure || c >= sizeof listed;
        if (c >= sizeof listed || !listed[c]) {
            return false;
        }
    }
    return true;
}

static bool are_unique(reader *r, const tree *pointer, const tree *array)
{
    if (pointer->kind != 's' || array == NULL || array->kind != 'a') {
        return false;
    }
    for (size_t i = 0; i < array->count; i++) {
        for (size_t k = 0; k < i; k++) {
            const tree *one = pointed(r, array->items[i], pointer->content);
            const tree *other = pointed(r, array->items[k], pointer->content);
            if (one != NULL && other != NULL && same(r, one, other)) {
                return false;
            }
        }
    }
    return true;
}

static bool is_matcher(const tree *pattern)
{
    return pattern->kind == 'o' && pattern->count == 1 &&
           jrpc_slice_starts_with(pattern->names[0]->spelling, JRPC_SLICE("\"$")) &&
           !jrpc_slice_starts_with(pattern->names[0]->spelling, JRPC_SLICE("\"${"));
}

static bool has_members(reader *r, const tree *pattern, const tree *value)
{
    for (size_t i = 0; i < pattern->count; i++) {
        if (!fits(r, pattern->items[i], last_member(value, pattern->names[i]->content))) {
            return false;
        }
    }
    return value->kind == 'o';
}

// Whether any (or every) one of the values in a container fits.
static bool values_fit(reader *r, const tree *pattern, const tree *container, bool every)
{
    for (size_t i = 0; i < container->count; i++) {
        if (fits(r, pattern, container->items[i]) != every) {
            return !every;
        }
    }
    return every;
}

static bool is_anywhere(reader *r, const tree *pattern, const tree *value)
{
    for (size_t i = 0; i < value->count; i++) {
        if (is_anywhere(r, pattern, value->items[i])) {
            return true;
        }
    }
    return fits(r, pattern, value);
}

static bool contains(reader *r, const tree *argument, const tree *value)
{
    switch (value == NULL ? 'z' : value->kind) {
    case 's':
        return argument->kind == 's' && has_part(value->content, argument->content);
    case 'o':
        return argument->kind == 'o' && !is_matcher(argument) ? has_members(r, argument, value)
                                                              : fits(r, argument, value);
    case 'a':
        return values_fit(r, argument, value, false);
    default:
        return false;
    }
}

// One of several patterns, or all of them.
static bool fits_list(reader *r, const tree *list, const tree *value, bool every)
{
    for (size_t i = 0; i < list->count; i++) {
        if (fits(r, list->items[i], value) != every) {
            return !every;
        }
    }
    return every;
}

static bool fits_matcher(reader *r, const tree *name, const tree *argument, const tree *value)
{
    bool container = value != NULL && (value->kind == 'a' || value->kind == 'o');
    if (tree_is_text(name, "$type")) {
        return is_of_type(argument, value, r);
    }
    if (tree_is_text(name, "$range")) {
        return value != NULL && value->kind == '0' && is_within(r, argument, number_of(r, value));
    }
    if (tree_is_text(name, "$length")) {
        double len = container ? (double)value->count : 0;
        len = value != NULL && value->kind == 's' ? (double)value->content.len : len;
        for (size_t i = 0; argument->kind == 'a' && i < argument->count; i++) {
            r->unsure = r->unsure || !is_whole(number_of(r, argument->items[i])); // refused, too
        }
        return (container || (value != NULL && value->kind == 's')) && is_within(r, argument, len);
    }
    if (tree_is_text(name, "$in") || tree_is_text(name, "$all")) {
        return fits_list(r, argument, value, name->content.ptr[1] == 'a');
    }
    if (tree_is_text(name, "$absent")) {
        return (value == NULL) == (argument->kind == 'b' && argument->spelling.ptr[0] == 't');
    }
    if (tree_is_text(name, "$contains")) {
        return contains(r, argument, value);
    }
    if (tree_is_text(name, "$each")) {
        return container && values_fit(r, argument, value, true);
    }
    if (tree_is_text(name, "$somewhere")) {
        r->unsure = r->unsure || ++r->searches > SEARCHES_MAX;
        return value != NULL && !r->unsure && is_anywhere(r, argument, value);
    }
    if (tree_is_text(name, "$any")) {
        return value != NULL;
    }
    if (tree_is_text(name, "$not")) {
        return value != NULL && !fits(r, argument, value);
    }
    if (tree_is_text(name, "$chars")) {
        return value != NULL && value->kind == 's' && argument->kind == 's' &&
               has_only(r, argument->content, value->content);
    }
    if (tree_is_text(name, "$unique")) {
        return are_unique(r, argument, value);
    }
    r->unsure = true; // a matcher of schemas or descriptions, or an unknown one
    return false;
}

static bool fits(reader *r, const tree *pattern, const tree *value)
{
    if (is_matcher(pattern)) {
        return fits_matcher(r, pattern->names[0], pattern->items[0], value);
    }
    if (value == NULL || value->kind != pattern->kind) {
        return false;
    }
    if (pattern->kind == 'o') {
        for (size_t i = 0; i < value->count; i++) {
            if (last_member(pattern, value->names[i]->content) == NULL) {
                return false;
            }
        }
        return has_members(r, pattern, value);
    }
    bool elements = pattern->kind == 'a' && pattern->count == value->count;
    for (size_t i = 0; elements && i < value->count; i++) {
        elements = fits(r, pattern->items[i], value->items[i]);
    }
    return pattern->kind == 'a' ? elements : same(r, pattern, value);
}

// Patterns that the model does not handle: an invalid range (which the loader refuses), too many
// searches, schemas.
static bool is_askable(const tree *value, unsigned *searches)
{
    static const char *const beyond[] = {"$json-schema", "$fits", "$printed", "$openrpc"};
    for (size_t i = 0; i < value->count; i++) {
        const tree *name = value->kind == 'o' ? value->names[i] : NULL;
        const tree *argument = value->items[i];
        *searches += name != NULL && tree_is_text(name, "$somewhere");
        for (size_t k = 0; name != NULL && k < sizeof beyond / sizeof *beyond; k++) {
            if (tree_is_text(name, beyond[k])) {
                return false;
            }
        }
        bool range = name != NULL && tree_is_text(name, "$range");
        if ((range && (argument->kind != 'a' || argument->count != 2 ||
                       argument->items[0]->kind != '0' || argument->items[1]->kind != '0')) ||
            !is_askable(argument, searches)) {
            return false;
        }
    }
    return *searches <= SEARCHES_MAX;
}

// The variable `v` has the value of the context, and `w` has that value without its last byte.
// Other variables have none; without a context, no variable has one.
static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    const jrpc_slice *value = context;
    if (value == NULL || (!jrpc_slice_is(name, "v") && !jrpc_slice_is(name, "w"))) {
        return false;
    }
    *ret_spelling = jrpc_slice_of(value->ptr, value->len - (jrpc_slice_is(name, "w") ? 1 : 0));
    return true;
}

// A variable stands for its value if that is JSON. A variable without a value stands for itself.
static void require_variables(jrpc_json value, jrpc_arena *arena)
{
    static const char *const names[] = {"\"${v}\"", "\"${w}\"", "\"${x}\""};
    jrpc_slice spelling = jrpc_json_spelling(value);
    const jck_matching matching = {.resolve = resolve, .context = &spelling, .arena = arena};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        FUZZ_REQUIRE(jrpc_json_read(&document, jrpc_slice_str(names[i]), 1, NULL));
        jrpc_json variable = jrpc_json_root(&document);
        jrpc_json stands_for = jck_pattern_value(&matching, variable);
        jrpc_slice cut = jrpc_slice_of(spelling.ptr, spelling.len - (i == 1 ? 1 : 0));
        bool json = i < 2 && grammar_check(cut, TREE_DEPTH).verdict == GRAMMAR_JSON;
        bool exists = jrpc_json_exists(stands_for);
        FUZZ_REQUIRE(arena->failed || exists == (json || i == 2));
        FUZZ_REQUIRE(!json || arena->failed ||
                     jrpc_slice_equal(jrpc_json_spelling(stands_for), cut));
        FUZZ_REQUIRE(arena->failed || i > 0 || jck_match(&matching, variable, value));
        jrpc_json_document_done(&document);
    }
}

// The value as a reader of doubles has it: a number with a fraction or an exponent is its double,
// if there is one.
static void put_in_doubles(jrpc_buffer *out, const tree *value)
{
    char copy[400] = "";
    bool number = value->kind == '0' && value->spelling.len < sizeof copy;
    memcpy(copy, value->spelling.ptr, number ? value->spelling.len : 0);
    if (number && strpbrk(copy, ".eE") != NULL && isfinite(strtod(copy, NULL))) {
        (void)jrpc_buffer_printf(out, "%.17g", strtod(copy, NULL));
        return;
    }
    if (value->kind != 'a' && value->kind != 'o') {
        (void)jrpc_buffer_append(out, value->spelling);
        return;
    }
    (void)jrpc_buffer_append_char(out, value->kind == 'a' ? '[' : '{');
    for (size_t i = 0; i < value->count; i++) {
        (void)jrpc_buffer_append_str(out, i == 0 ? "" : ",");
        if (value->kind == 'o') {
            (void)jrpc_buffer_append(out, value->names[i]->spelling);
            (void)jrpc_buffer_append_char(out, ':');
        }
        put_in_doubles(out, value->items[i]);
    }
    (void)jrpc_buffer_append_char(out, value->kind == 'a' ? ']' : '}');
}

// Values are equal in doubles if they are equal, or their doubles are.
static void require_doubles(tree_pool *pool, const tree *asked, jrpc_json root)
{
    jrpc_buffer texts[2];
    jrpc_arena arena;
    jck_findings findings = {.failed = false};
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ROOM);
    jck_trial trial = {.findings = &findings, .arena = &arena};
    bool equal =
        jck_equal_in_doubles(&trial, jrpc_json_element(root, 0), jrpc_json_element(root, 1));
    for (size_t i = 0; i < 2; i++) {
        jrpc_buffer_init(&texts[i], jrpc_allocator_heap(), ROOM);
        put_in_doubles(&texts[i], asked->items[i]);
        FUZZ_REQUIRE(!texts[i].failed);
    }
    tree_answer exactly = tree_equal(asked->items[0], asked->items[1]);
    tree_answer roughly = tree_equal(tree_read(pool, jrpc_buffer_slice(&texts[0])),
                                     tree_read(pool, jrpc_buffer_slice(&texts[1])));
    bool known = exactly != TREE_UNKNOWN && roughly != TREE_UNKNOWN && !arena.failed;
    FUZZ_REQUIRE(!known || equal == (exactly == TREE_EQUAL || roughly == TREE_EQUAL));
    for (size_t i = 0; i < 2; i++) {
        jrpc_buffer_done(&texts[i]);
    }
    for (jck_read *read = trial.reads; read != NULL; read = read->next) {
        jrpc_json_document_done(&read->document);
    }
    jrpc_arena_done(&arena);
}

// Members of a pattern that are not about the message itself do not change what matches.
static void require_beside(const jck_matching *matching, const tree *asked, jrpc_json root)
{
    static const char *const beside[] = {"{\"$rule\":\"r\",", "{\"$times\":[1,2],",
                                         "{\"$rising\":\"/a\","};
    const tree *pattern = asked->items[0];
    bool matches =
        jck_match_message(matching, jrpc_json_element(root, 0), jrpc_json_element(root, 1));
    for (size_t i = 0; pattern->kind == 'o' && pattern->count > 0 && i < 3; i++) {
        jrpc_buffer text;
        jrpc_json_document document;
        jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        FUZZ_REQUIRE(jrpc_buffer_append_str(&text, beside[i]) &&
                     jrpc_buffer_append(&text, jrpc_slice_from(pattern->spelling, 1)));
        FUZZ_REQUIRE(jrpc_json_read(&document, jrpc_buffer_slice(&text), NESTED, NULL));
        FUZZ_REQUIRE(matches == jck_match_message(matching, jrpc_json_root(&document),
                                                  jrpc_json_element(root, 1)));
        jrpc_json_document_done(&document);
        jrpc_buffer_done(&text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    if (grammar_check(input.text, NESTED).verdict != GRAMMAR_JSON) {
        return 0;
    }
    tree_pool pool = {NULL};
    jrpc_arena arena;
    jrpc_json_document document;
    const tree *asked = tree_read(&pool, input.text);
    unsigned searches = 0;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ROOM);
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (asked->kind == 'a' && asked->count == 2 && is_askable(asked, &searches)) {
        FUZZ_REQUIRE(jrpc_json_read(&document, input.text, NESTED, NULL));
        require_doubles(&pool, asked, jrpc_json_root(&document));
        jck_matching matching = {.resolve = resolve, .arena = &arena};
        jrpc_json root = jrpc_json_root(&document);
        bool matches = jck_match(&matching, jrpc_json_element(root, 0), jrpc_json_element(root, 1));
        reader r = {.unsure = false};
        bool expected = fits(&r, asked->items[0], asked->items[1]);
        FUZZ_REQUIRE(arena.failed || r.unsure || matches == expected);
        require_variables(jrpc_json_element(root, 1), &arena);
        require_beside(&matching, asked, root);
        // Both an absent and a present member are judged.
        r = (reader){.unsure = false};
        matches = jck_match(&matching, jrpc_json_element(root, 0), JRPC_JSON_ABSENT);
        expected = fits(&r, asked->items[0], NULL);
        FUZZ_REQUIRE(r.unsure || matches == expected);
    }
    jrpc_json_document_done(&document);
    jrpc_arena_done(&arena);
    tree_pool_done(&pool);
    return 0;
}
