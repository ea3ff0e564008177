// What is generated fits the request: calls are valid, texts without mistakes are JSON, values have
// the right kind and are not too deep or too long, and names are Strings. The same seed gives the
// same, and too little room is noticed. What is made smaller still shows the same, and no part of
// it can be left out.
//
// Options: the seed. The text says what a smaller one must show: its capital letters.
#include "fuzz/fuzz.h"
#include "fuzz/model/answer.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "harness/generate/fitting.h"
#include "harness/generate/grammar.h"
#include "harness/generate/minimize.h"
#include "harness/generate/name.h"
#include "harness/generate/params.h"
#include "harness/generate/reduce.h"
#include "harness/generate/spans.h"
#include "harness/generate/values.h"
#include "harness/schema/fit.h"
#include "reference/json/read.h"

#include <stdio.h>

enum { ROOM = 1 << 20, PARTS = 70, DEPTH = 5, ID = 77 };

static const jrpc_slice member_names[] = {JRPC_SLICE_INIT("\"name\""), JRPC_SLICE_INIT("\"n\"")};
static const jck_method methods[] = {
    {.name = JRPC_SLICE_INIT("\"subtract\""),
     .taste = JCK_TASTE_DIFFERENCE,
     .by_position = true,
     .by_name = true},
    {.name = JRPC_SLICE_INIT("\"sum\""), .taste = JCK_TASTE_NUMBERS, .by_position = true},
    {.name = JRPC_SLICE_INIT("\"update\""),
     .taste = JCK_TASTE_MEMBERS,
     .by_name = true,
     .names = member_names,
     .name_count = 2},
    {.name = JRPC_SLICE_INIT("\"get_data\""), .taste = JCK_TASTE_NONE},
    {.name = JRPC_SLICE_INIT("\"fail\""), .taste = JCK_TASTE_ERROR, .by_name = true},
    {.name = JRPC_SLICE_INIT("\"echo\""), .taste = JCK_TASTE_ANYTHING, .by_position = true},
    {.name = JRPC_SLICE_INIT("\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\""), .taste = JCK_TASTE_NONE},
};
enum { METHODS = sizeof methods / sizeof *methods };
static const jrpc_slice absent = JRPC_SLICE_INIT("\"nobody\"");

static jck_grammar grammar_of(uint64_t seed)
{
    return (jck_grammar){.methods = methods,
                         .method_count = METHODS,
                         .absent = absent,
                         .batches = (seed & 1) != 0,
                         .texts = false,
                         .params = (seed & 2) != 0,
                         .clear = (seed & 4) != 0,
                         .batch_most = 1 + seed / 8 % 20,
                         .text_most = 200};
}

// One thing that is generated from a seed.
typedef struct maker {
    uint64_t seed;
    unsigned which;
} maker;

enum {
    MAKE_MESSAGE,
    MAKE_CALL,
    MAKE_RENAMED,
    MAKE_ANY,
    MAKE_PLAIN,
    MAKE_TEXT,
    MAKE_ID,
    MAKE_PLAIN_ID,
    MAKE_SMALL,
    MAKE_ABSENT,
    MAKE_NEAR,
    MAKE_STRUCTURE,
    MAKERS
};

static void make(const maker *of, jrpc_buffer *out)
{
    jck_grammar grammar = grammar_of(of->seed);
    jrpc_random random;
    jrpc_random_init(&random, of->seed);
    switch (of->which) {
    case MAKE_MESSAGE:
        FUZZ_REQUIRE(jck_grammar_message(&grammar, &random, out) == !out->failed);
        break;
    case MAKE_CALL:
        FUZZ_REQUIRE(jck_grammar_call(&grammar, &random, out) == !out->failed);
        break;
    case MAKE_RENAMED:
        FUZZ_REQUIRE(jck_grammar_renamed(&grammar, &methods[of->seed % METHODS],
                                         JRPC_SLICE("other"), ID, &random, out) == !out->failed);
        break;
    case MAKE_ANY:
        jck_value_any(&random, (unsigned)(of->seed % DEPTH), out);
        break;
    case MAKE_PLAIN:
        jck_value_plain(&random, (unsigned)(of->seed % DEPTH), out);
        break;
    case MAKE_TEXT:
        jck_value_text(&random, out);
        break;
    case MAKE_ID:
    case MAKE_PLAIN_ID:
        jck_value_id(&random, of->which == MAKE_PLAIN_ID, out);
        break;
    case MAKE_SMALL:
        jck_value_small(&random, out);
        break;
    case MAKE_ABSENT:
        jck_name_absent(absent, 300, &random, out);
        break;
    case MAKE_NEAR:
        jck_name_near(methods[of->seed % METHODS].name, absent, &random, out);
        break;
    default:
        jck_params_structure(&grammar, &random, out);
        break;
    }
}

// No reader changes it: names differ, and Strings have no U+0000 and no lone surrogate.
static void require_plain(const tree *value)
{
    for (size_t i = 0; i < value->count && (value->kind == 'a' || value->kind == 'o'); i++) {
        for (size_t k = 0; k < i && value->kind == 'o'; k++) {
            FUZZ_REQUIRE(!jrpc_slice_equal(value->names[i]->content, value->names[k]->content));
        }
        require_plain(value->items[i]);
    }
    if (value->kind == 's') {
        for (size_t i = 0; i < value->content.len; i++) {
            FUZZ_REQUIRE(value->content.ptr[i] != '\0');
            FUZZ_REQUIRE((unsigned char)value->content.ptr[i] != 0xED ||
                         (unsigned char)value->content.ptr[i + 1] < 0xA0);
        }
    }
}

static void require_call(tree_pool *pool, const maker *of, jrpc_slice text)
{
    const tree *message = tree_read(pool, text);
    answer_class class = answer_classify(message);
    const tree *id = tree_member(message, "id");
    FUZZ_REQUIRE(class.kind == JRPC_MESSAGE_CALL && id != NULL && id->kind != 'z');
    if (of->which == MAKE_RENAMED) {
        bool unsure = false;
        FUZZ_REQUIRE(tree_is_text(tree_member(message, "method"), "other"));
        FUZZ_REQUIRE(tree_is_between(id, ID, ID, &unsure));
    }
}

static void require_kind(tree_pool *pool, const maker *of, jrpc_slice text)
{
    unsigned depth = (unsigned)(of->seed % DEPTH);
    bool value = of->which == MAKE_ANY || of->which == MAKE_PLAIN;
    FUZZ_REQUIRE(grammar_check(text, value ? depth : TREE_DEPTH).verdict == GRAMMAR_JSON);
    const tree *made = tree_read(pool, text);
    switch (of->which) {
    case MAKE_CALL:
    case MAKE_RENAMED:
        require_call(pool, of, text);
        break;
    case MAKE_PLAIN:
    case MAKE_TEXT:
    case MAKE_PLAIN_ID:
        FUZZ_REQUIRE(of->which == MAKE_PLAIN || made->kind == 's' || made->kind == '0');
        FUZZ_REQUIRE(of->which != MAKE_TEXT || made->kind == 's');
        require_plain(made);
        break;
    case MAKE_ID:
        FUZZ_REQUIRE(made->kind == 's' || made->kind == '0' || made->kind == 'z');
        break;
    case MAKE_SMALL:
        FUZZ_REQUIRE(made->kind == '0' && text.len <= sizeof "-1073741824" - 1);
        break;
    case MAKE_ABSENT:
        FUZZ_REQUIRE(made->kind == 's' && jrpc_slice_contains(made->content, JRPC_SLICE("nobody")));
        break;
    case MAKE_NEAR:
        FUZZ_REQUIRE(made->kind == 's');
        break;
    default:
        break;
    }
}

static void require_made(const maker *of, size_t room)
{
    tree_pool pool = {NULL};
    jrpc_buffer one;
    jrpc_buffer two;
    jrpc_buffer_init(&one, jrpc_allocator_heap(), ROOM);
    jrpc_buffer_init(&two, jrpc_allocator_heap(), ROOM);
    make(of, &one);
    FUZZ_REQUIRE(!one.failed);
    make(of, &two);
    jrpc_slice text = jrpc_buffer_slice(&one);
    FUZZ_REQUIRE(jrpc_slice_equal(text, jrpc_buffer_slice(&two)));
    require_kind(&pool, of, text);
    jrpc_buffer_done(&two);
    jrpc_buffer_init(&two, jrpc_allocator_heap(), room % (text.len + 1));
    make(of, &two);
    FUZZ_REQUIRE(two.failed == (room % (text.len + 1) < text.len));
    jrpc_buffer_done(&two);
    jrpc_buffer_done(&one);
    tree_pool_done(&pool);
}

// Every prefix is a word, and there is none after the last; a size is at most what was asked for.
static void require_tables(uint64_t seed)
{
    size_t prefixes = 0;
    while (jck_name_prefix(prefixes) != NULL) {
        FUZZ_REQUIRE(jck_name_prefix(prefixes)[0] != '\0' && prefixes < PARTS);
        prefixes++;
    }
    for (size_t i = 1; i < 4; i++) {
        FUZZ_REQUIRE(jck_name_prefix(prefixes + i) == NULL);
    }
    for (size_t most = 0; most < PARTS; most++) {
        jrpc_random random;
        jrpc_random_init(&random, seed + most);
        FUZZ_REQUIRE(jck_value_size(&random, most) <= most);
        FUZZ_REQUIRE(jck_value_name(most) != NULL);
    }
}

// ---- smaller ones

// What shows it: all parts whose byte is a capital letter, or any `least` parts.
typedef struct shown {
    jrpc_slice text;
    bool by_count;
    size_t least;
    size_t tries, stops_at;
    size_t length; // of a text that is tried
} shown;

static bool is_capital(char c)
{
    return c >= 'A' && c <= 'Z';
}

static bool shows(const shown *of, const size_t *parts, size_t count)
{
    if (of->by_count) {
        return count >= of->least;
    }
    size_t at = 0;
    for (size_t i = 0; i < of->text.len; i++) {
        while (at < count && parts[at] < i) {
            at++;
        }
        if (is_capital(of->text.ptr[i]) && (at == count || parts[at] != i)) {
            return false;
        }
    }
    return true;
}

static jck_probe try_parts(void *context, const size_t *parts, size_t count)
{
    shown *of = context;
    of->tries++;
    for (size_t i = 1; i < count; i++) {
        FUZZ_REQUIRE(parts[i - 1] < parts[i]); // in the same order
    }
    return of->tries == of->stops_at ? JCK_PROBE_STOPS
           : shows(of, parts, count) ? JCK_PROBE_SHOWS
                                     : JCK_PROBE_LACKS;
}

static void require_minimal(jrpc_slice text, bool by_count, size_t probes, size_t stops_at)
{
    size_t parts[PARTS];
    size_t scratch[PARTS];
    shown of = {.text = {text.ptr, text.len < PARTS ? text.len : PARTS},
                .by_count = by_count,
                .stops_at = stops_at};
    for (size_t i = 0; i < of.text.len; i++) {
        parts[i] = i;
        of.least += is_capital(of.text.ptr[i]);
    }
    size_t left = jck_minimize(parts, of.text.len, scratch, probes, try_parts, &of);
    FUZZ_REQUIRE(of.tries <= probes && left <= of.text.len && shows(&of, parts, left));
    FUZZ_REQUIRE((left == 0) == (of.text.len == 0));
    if (of.tries < probes && (stops_at == 0 || of.tries < stops_at) && probes > 4 * PARTS * PARTS) {
        FUZZ_REQUIRE(left == (of.least != 0 ? of.least : left != 0));
    }
}

static jck_probe try_text(void *context, jrpc_slice text)
{
    shown *of = context;
    of->tries++;
    FUZZ_REQUIRE(text.len <= of->length);
    size_t capitals = 0;
    for (size_t i = 0; i < text.len; i++) {
        capitals += is_capital(text.ptr[i]);
    }
    if (of->tries == of->stops_at) {
        return JCK_PROBE_STOPS;
    }
    if (capitals < of->least) {
        return JCK_PROBE_LACKS;
    }
    of->length = text.len;
    return JCK_PROBE_SHOWS;
}

static void require_reduced(jrpc_slice text, size_t probes, size_t stops_at)
{
    bool json = grammar_check(text, TREE_DEPTH).verdict == GRAMMAR_JSON;
    for (int values = 0; values < 2; values++) {
        jrpc_buffer out;
        shown of = {.length = SIZE_MAX, .stops_at = stops_at};
        jrpc_buffer_init(&out, jrpc_allocator_heap(), ROOM);
        FUZZ_REQUIRE(jrpc_buffer_append(&out, text));
        for (size_t i = 0; i < text.len; i++) {
            of.least += is_capital(text.ptr[i]);
        }
        size_t tries = values != 0 ? jck_reduce_values(&out, probes, try_text, &of)
                                   : jck_reduce(&out, probes, try_text, &of);
        FUZZ_REQUIRE(tries == of.tries && tries <= probes);
        size_t capitals = 0;
        for (size_t i = 0; i < out.len; i++) {
            capitals += is_capital(out.ptr[i]);
        }
        FUZZ_REQUIRE(capitals >= of.least && out.len <= text.len);
        FUZZ_REQUIRE(of.length == SIZE_MAX ? jrpc_slice_equal(jrpc_buffer_slice(&out), text)
                                           : out.len == of.length);
        FUZZ_REQUIRE(!json || values == 0 || out.len == 0 ||
                     grammar_check(jrpc_buffer_slice(&out), TREE_DEPTH).verdict == GRAMMAR_JSON);
        // It cannot be made smaller: a second attempt changes nothing.
        if (tries < probes && (stops_at == 0 || tries < stops_at)) {
            size_t before = out.len;
            of.tries = 0;
            of.length = before;
            (void)(values != 0 ? jck_reduce_values(&out, probes, try_text, &of)
                               : jck_reduce(&out, probes, try_text, &of));
            FUZZ_REQUIRE(out.len == before);
        }
        jrpc_buffer_done(&out);
    }
}

// Values are within the text, in order, each within its container. If there are more than there is
// room for, the first ones are found.
static void require_spans(jrpc_slice text)
{
    static jck_spans found;
    jck_spans_find(&found, (const uint8_t *)text.ptr, text.len);
    FUZZ_REQUIRE(found.count <= JCK_SPANS_MAX);
    for (size_t i = 0; i < found.count; i++) {
        const jck_text_span *one = &found.list[i];
        FUZZ_REQUIRE(one->begin < one->end && one->end <= text.len);
        FUZZ_REQUIRE(i == 0 || found.list[i - 1].begin < one->begin);
        FUZZ_REQUIRE(one->name == SIZE_MAX || one->name < one->begin);
        FUZZ_REQUIRE(one->parent < (int)i);
        FUZZ_REQUIRE(one->parent < 0 || (found.list[one->parent].begin < one->begin &&
                                         found.list[one->parent].end >= one->end));
    }
}

// A value that is made for a schema fits it, unless one that does not fit was asked for.
static void require_fitting(uint64_t seed)
{
    // The texts before, between and after the two bounds.
    static const char *const schemas[][3] = {
        {"{\"type\":\"integer\",\"exclusiveMinimum\":", ",\"exclusiveMaximum\":", "}"},
        {"{\"type\":\"integer\",\"minimum\":", ",\"maximum\":", "}"},
        {"{\"type\":\"integer\",\"minimum\":", ",\"exclusiveMaximum\":", "}"},
        {"{\"type\":\"string\",\"minLength\":", ",\"maxLength\":", "}"},
        {"{\"type\":\"array\",\"items\":{\"type\":\"boolean\"},\"minItems\":", ",\"maxItems\":",
         "}"},
        {"{\"type\":\"object\",\"properties\":{\"a\":{\"enum\":[", ",",
         "]}},\"required\":[\"a\"]}"},
        {"{\"anyOf\":[{\"const\":", "},{\"type\":\"integer\",\"maximum\":", "}]}"},
    };
    enum { NUMBERS = 3, LEAST = -7 }; // the first schemas are of Numbers
    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++) {
        int low = (int)(seed % 3) + (i < NUMBERS ? LEAST : 0);
        // Each pair of bounds leaves at least one value between them.
        for (int width = 2; width < 5; width++) {
            char schema[200];
            jrpc_json_document documents[2];
            jrpc_buffer made;
            jrpc_arena arena;
            jrpc_random random;
            (void)snprintf(schema, sizeof schema, "%s%d%s%d%s", schemas[i][0], low, schemas[i][1],
                           low + width, schemas[i][2]);
            jrpc_random_init(&random, seed + (uint64_t)width);
            jrpc_buffer_init(&made, jrpc_allocator_heap(), ROOM);
            jrpc_arena_init(&arena, jrpc_allocator_heap(), ROOM);
            jrpc_json_document_init(&documents[0], jrpc_allocator_heap());
            jrpc_json_document_init(&documents[1], jrpc_allocator_heap());
            FUZZ_REQUIRE(jrpc_json_read(&documents[0], jrpc_slice_str(schema), TREE_DEPTH, NULL));
            jrpc_json root = jrpc_json_root(&documents[0]);
            jck_value_fitting(root, root, false, DEPTH, &random, &made);
            FUZZ_REQUIRE(!made.failed);
            jrpc_slice value = jrpc_buffer_slice(&made);
            FUZZ_REQUIRE(jrpc_json_read(&documents[1], value, TREE_DEPTH, NULL));
            FUZZ_REQUIRE(jck_schema_fit(root, root, jrpc_json_root(&documents[1]), &arena, NULL) !=
                         JCK_FIT_NO);
            jrpc_json_document_done(&documents[1]);
            jrpc_json_document_done(&documents[0]);
            jrpc_arena_done(&arena);
            jrpc_buffer_done(&made);
        }
    }
}

static void require_many_spans(void)
{
    for (size_t count = JCK_SPANS_MAX - 2; count <= JCK_SPANS_MAX + 1; count++) {
        static jck_spans found;
        jrpc_buffer text;
        jrpc_buffer_init(&text, jrpc_allocator_heap(), ROOM);
        for (size_t i = 0; i < count; i++) {
            FUZZ_REQUIRE(jrpc_buffer_append_str(&text, i == 0 ? "[1" : ",1"));
        }
        FUZZ_REQUIRE(jrpc_buffer_append_char(&text, ']'));
        jck_spans_find(&found, (const uint8_t *)text.ptr, text.len);
        FUZZ_REQUIRE(found.count == (count + 1 < JCK_SPANS_MAX ? count + 1 : JCK_SPANS_MAX));
        // A container ends where it is closed, however many values are in it.
        size_t end = text.len;
        FUZZ_REQUIRE(found.list[0].end == end && jrpc_buffer_append_str(&text, ",[\"]\",{}]]"));
        jck_spans_find(&found, (const uint8_t *)text.ptr, text.len);
        FUZZ_REQUIRE(found.list[0].end == end);
        jrpc_buffer_done(&text);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    uint64_t seed = fuzz_input_seed(&input) + input.turn;
    for (unsigned i = 0; i < MAKERS; i++) {
        maker of = {seed, i};
        if (fuzz_turn(&input, i, MAKERS + 4)) {
            require_made(&of, (size_t)input.turn);
        }
    }
    size_t few = 1 + input.options[0] % 40u;
    if (fuzz_turn(&input, MAKERS, MAKERS + 4)) {
        require_tables(seed);
        require_minimal(input.text, true, SIZE_MAX, 0);
        require_minimal(input.text, false, SIZE_MAX, 0);
    }
    if (fuzz_turn(&input, MAKERS + 1, MAKERS + 4)) {
        require_minimal(input.text, input.turn % 2 == 0, few, 0);
        require_minimal(input.text, input.turn % 2 == 0, SIZE_MAX, few);
    }
    if (fuzz_turn(&input, MAKERS + 2, MAKERS + 4) && input.text.len < 1000) {
        require_reduced(input.text, 2000, 0);
        require_reduced(input.text, few, 0);
        require_reduced(input.text, 2000, few);
    }
    if (fuzz_turn(&input, MAKERS + 3, MAKERS + 4)) {
        require_spans(input.text);
        require_fitting(seed);
        require_many_spans();
    }
    return 0;
}
