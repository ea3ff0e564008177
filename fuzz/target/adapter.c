// The reference adapter answers a text as its fault says and not otherwise: a fault that accepts
// more leaves JSON as it is, one that changes values leaves what is not JSON as it is, and those
// that drop or move elements do it as a simple model says. How deep a text nests is what its
// brackets say. If the buffer is too small for an answer, nothing is answered. A fault that accepts
// some wrong UTF-8 accepts every text that would be JSON without it. Each case of the suite shows
// the faults that it names.
//
// Options: the fault, and the room for the answer. Where each input runs once, all faults are
// tried.
#include "fuzz/data.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "reference/adapter/answer.h"
#include "reference/adapter/behave.h"

enum {
    ROOM = 1 << 20,
    REFUSED_DEPTH = 16,
    BLOCK = 4096,
    CUT_AT = 100,
    LENIENT_DEPTH = 100,
    CASE_BYTES = 1 << 18
};

static jrpc_slice answer(jrpc_parser_fault fault, jrpc_slice text, jrpc_buffer *out)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_buffer_init(out, jrpc_allocator_heap(), ROOM);
    FUZZ_REQUIRE(jrpc_parser_answer(fault, text, &document, out));
    jrpc_json_document_done(&document);
    FUZZ_REQUIRE(out->len > 1 && (out->ptr[0] == 'A' || out->ptr[0] == 'R'));
    return jrpc_buffer_slice(out);
}

// A buffer that is too small gets no answer. One that is just large enough gets the same answer as
// a large one.
static void require_room(jrpc_parser_fault fault, jrpc_slice text, jrpc_slice whole, size_t room)
{
    jrpc_json_document document;
    jrpc_buffer out;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_buffer_init(&out, jrpc_allocator_heap(), room);
    bool done = jrpc_parser_answer(fault, text, &document, &out);
    FUZZ_REQUIRE(!done || jrpc_slice_equal(jrpc_buffer_slice(&out), whole));
    jrpc_buffer_done(&out);
    jrpc_json_document_done(&document);
}

// How deep a value nests.
static unsigned depth_of(const tree *value)
{
    unsigned deepest = 0;
    for (size_t i = 0; i < value->count && (value->kind == 'a' || value->kind == 'o'); i++) {
        unsigned depth = depth_of(value->items[i]);
        deepest = depth > deepest ? depth : deepest;
    }
    return deepest + (value->kind == 'a' || value->kind == 'o' ? 1 : 0);
}

// The value between other ones. The deepest counts, and a surplus bracket closes nothing.
static void require_depth(jrpc_slice text, unsigned depth)
{
    static const struct {
        const char *before, *after;
        unsigned more;
    } around[] = {{"", "", 0},       {"]", "", 0},       {"}]", "]}", 0},
                  {"[]", "[]", 0},   {"[", "]", 1},      {"{\"[\\\"[\":", "}", 1},
                  {"][[", "]]]", 2}, {"\"[[[\"", "", 0}, {"[]]]{}", "", 0}};
    for (size_t i = 0; i < sizeof around / sizeof *around; i++) {
        jrpc_buffer all;
        jrpc_buffer_init(&all, jrpc_allocator_heap(), ROOM);
        FUZZ_REQUIRE(jrpc_buffer_append_str(&all, around[i].before) &&
                     jrpc_buffer_append(&all, text) &&
                     jrpc_buffer_append_str(&all, around[i].after));
        unsigned least = strchr(around[i].before, ']') != NULL && around[i].before[0] == '[';
        unsigned expected = depth + around[i].more;
        FUZZ_REQUIRE(jrpc_depth_of(jrpc_buffer_slice(&all)) ==
                     (expected > least ? expected : least));
        jrpc_buffer_done(&all);
    }
}

static bool crosses_block(jrpc_slice text)
{
    for (size_t end = BLOCK; end < text.len; end += BLOCK) {
        for (size_t begin = end - 3; begin < end; begin++) {
            if (jrpc_slice_starts_with(jrpc_slice_from(text, begin), JRPC_SLICE("true"))) {
                return true;
            }
        }
    }
    return false;
}

// ---- what some faults make of a value

static bool is_lost(jrpc_parser_fault fault, const tree *name, const tree *item, size_t kept)
{
    switch (fault) {
    case JRPC_FAULT_DROPS_NULL_ELEMENTS:
        return name == NULL && item->kind == 'z';
    case JRPC_FAULT_DROPS_NULL_MEMBERS:
        return name != NULL && item->kind == 'z';
    case JRPC_FAULT_DROPS_EMPTY_STRINGS:
        return name == NULL && item->kind == 's' && item->content.len == 0;
    case JRPC_FAULT_DROPS_EMPTY_NAME:
        return name != NULL && name->content.len == 0;
    case JRPC_FAULT_CUTS_CONTAINERS_AT_100:
        return kept >= CUT_AT;
    default: // the others lose nothing
        return false;
    }
}

static bool has_model(jrpc_parser_fault fault)
{
    switch (fault) {
    case JRPC_FAULT_DROPS_NULL_ELEMENTS:
    case JRPC_FAULT_DROPS_NULL_MEMBERS:
    case JRPC_FAULT_DROPS_EMPTY_STRINGS:
    case JRPC_FAULT_DROPS_EMPTY_NAME:
    case JRPC_FAULT_CUTS_CONTAINERS_AT_100:
    case JRPC_FAULT_SORTS_ELEMENTS:
    case JRPC_FAULT_UNWRAPS_SINGLE_ELEMENTS:
    case JRPC_FAULT_EMPTY_ARRAY_AS_NULL:
    case JRPC_FAULT_EMPTY_OBJECT_AS_ARRAY:
        return true;
    default:
        return false;
    }
}

static void put(jrpc_buffer *out, jrpc_parser_fault fault, const tree *value)
{
    if (value->kind != 'a' && value->kind != 'o') {
        FUZZ_REQUIRE(jrpc_buffer_append(out, value->spelling));
        return;
    }
    bool object = value->kind == 'o';
    const tree **kept =
        (const tree **)jrpc_allocate(jrpc_allocator_heap(), 2 * (value->count + 1) * sizeof *kept);
    FUZZ_REQUIRE(kept != NULL);
    const tree **names = kept + value->count + 1;
    size_t count = 0;
    for (size_t i = 0; i < value->count; i++) {
        names[count] = object ? value->names[i] : NULL;
        kept[count] = value->items[i];
        count += is_lost(fault, names[count], kept[count], count) ? 0 : 1;
    }
    bool bare = !object && count == 1 && fault == JRPC_FAULT_UNWRAPS_SINGLE_ELEMENTS;
    bool moved = !object && fault == JRPC_FAULT_SORTS_ELEMENTS; // the last one to the front
    const char *brackets = object ? "{}" : "[]";
    if (count == 0 && fault == JRPC_FAULT_EMPTY_OBJECT_AS_ARRAY) {
        brackets = "[]";
    } else if (count == 0 && !object && fault == JRPC_FAULT_EMPTY_ARRAY_AS_NULL) {
        FUZZ_REQUIRE(jrpc_buffer_append_str(out, "null"));
        brackets = "";
    }
    bool open = brackets[0] != '\0' && !bare;
    FUZZ_REQUIRE(!open || jrpc_buffer_append_char(out, brackets[0]));
    for (size_t i = 0; i < count; i++) {
        size_t at = moved ? (i + count - 1) % count : i;
        FUZZ_REQUIRE(i == 0 || jrpc_buffer_append_char(out, ','));
        FUZZ_REQUIRE(names[at] == NULL || (jrpc_buffer_append(out, names[at]->spelling) &&
                                           jrpc_buffer_append_char(out, ':')));
        put(out, fault, kept[at]);
    }
    FUZZ_REQUIRE(!open || jrpc_buffer_append_char(out, brackets[1]));
    jrpc_deallocate(jrpc_allocator_heap(), (void *)kept);
}

static void require_changed(tree_pool *pool, jrpc_parser_fault fault, const tree *value,
                            jrpc_slice answered)
{
    jrpc_buffer expected;
    jrpc_buffer_init(&expected, jrpc_allocator_heap(), ROOM);
    put(&expected, fault, value);
    FUZZ_REQUIRE(answered.ptr[0] == 'A');
    const tree *written = tree_read(pool, jrpc_slice_from(answered, 1));
    FUZZ_REQUIRE(tree_equal(tree_read(pool, jrpc_buffer_slice(&expected)), written) !=
                 TREE_DIFFERENT);
    jrpc_buffer_done(&expected);
}

// ---- wrong UTF-8

// What is wrong with a complete sequence, as the letter that names it; 'r' if it is right.
static char kind_of_sequence(const unsigned char *at, size_t len)
{
    static const unsigned long least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned long point = at[0] & (0x7Fu >> len);
    for (size_t i = 1; i < len; i++) {
        point = point << 6 | (at[i] & 0x3Fu);
    }
    return point < least[len]                   ? 'o' // overlong
           : point > 0x10FFFF                   ? 'b' // beyond Unicode
           : point >= 0xD800 && point <= 0xDFFF ? 's' // a surrogate
                                                : 'r';
}

// Appends the text with each sequence of that kind replaced by a question mark. Sequences of more
// than four bytes, and those that are cut short, are kept.
static void put_mended(jrpc_buffer *out, jrpc_slice text, char kind)
{
    for (size_t i = 0; i < text.len;) {
        const unsigned char *at = (const unsigned char *)text.ptr + i;
        size_t len = at[0] < 0xC0 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : at[0] < 0xF8 ? 4 : 1;
        size_t whole = 1;
        while (whole < len && i + whole < text.len && (at[whole] & 0xC0) == 0x80) {
            whole++;
        }
        bool wrong = len > 1 && whole == len && kind_of_sequence(at, len) == kind;
        FUZZ_REQUIRE(wrong ? jrpc_buffer_append_char(out, '?')
                           : jrpc_buffer_append(out, jrpc_slice_of(text.ptr + i, whole)));
        i += whole;
    }
}

// A fault accepts a text that would be JSON without the wrong sequences that the fault accepts.
static void require_utf8(jrpc_slice text)
{
    static const struct {
        jrpc_parser_fault fault;
        char kind;
    } faults[] = {{JRPC_FAULT_ACCEPTS_OVERLONG, 'o'},
                  {JRPC_FAULT_ACCEPTS_BEYOND_UNICODE, 'b'},
                  {JRPC_FAULT_ACCEPTS_ENCODED_SURROGATES, 's'}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        jrpc_buffer mended;
        jrpc_buffer out;
        jrpc_buffer_init(&mended, jrpc_allocator_heap(), ROOM);
        put_mended(&mended, text, faults[i].kind);
        if (grammar_check(jrpc_buffer_slice(&mended), LENIENT_DEPTH).verdict == GRAMMAR_JSON) {
            FUZZ_REQUIRE(answer(faults[i].fault, text, &out).ptr[0] == 'A');
            jrpc_buffer_done(&out);
        }
        jrpc_buffer_done(&mended);
    }
}

// ---- the cases

static jrpc_parser_fault fault_named(jrpc_slice name)
{
    for (unsigned fault = 1; fault < JRPC_PARSER_FAULT_COUNT; fault++) {
        if (jrpc_slice_is(name, jrpc_fault_name((jrpc_parser_fault)fault))) {
            return (jrpc_parser_fault)fault;
        }
    }
    return JRPC_FAULT_NONE;
}

// Whether the fault changes the answer to the text of a step. Also true for texts that are too long
// for this target.
static bool is_shown(const jck_step *step, jrpc_parser_fault fault)
{
    jrpc_buffer text;
    jrpc_buffer right;
    jrpc_buffer wrong;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), CASE_BYTES);
    bool shown = step->kind == JCK_STEP_SEND;
    if (shown && jck_payload_expand(&step->payload, NULL, NULL, &text, NULL)) {
        jrpc_slice told = answer(JRPC_FAULT_NONE, jrpc_buffer_slice(&text), &right);
        jrpc_slice other = answer(fault, jrpc_buffer_slice(&text), &wrong);
        // The reason why a text is refused may be in other words.
        shown =
            told.ptr[0] != other.ptr[0] || (told.ptr[0] == 'A' && !jrpc_slice_equal(told, other));
        jrpc_buffer_done(&wrong);
        jrpc_buffer_done(&right);
    }
    jrpc_buffer_done(&text);
    return shown;
}

// Each fault that a case names changes the answer to one of its steps.
static void require_caught(const jck_case *test_case)
{
    for (size_t i = 0; test_case->side == JCK_SIDE_PARSER && i < test_case->catch_count; i++) {
        jrpc_parser_fault fault = fault_named(test_case->catches[i]);
        bool shown = fault == JRPC_FAULT_NONE || jrpc_fault_kind_of(fault) == JRPC_FAULT_BEHAVES;
        for (size_t k = 0; k < test_case->step_count && !shown; k++) {
            shown = is_shown(&test_case->steps[k], fault);
        }
        FUZZ_REQUIRE(shown);
    }
}

// ----

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Whether the fault changes nothing about such a text.
static bool is_spared(jrpc_parser_fault fault, jrpc_slice text, const tree *value)
{
    switch (fault) {
    case JRPC_FAULT_REFUSES_TAB:
        return text.len == 0 || memchr(text.ptr, '\t', text.len) == NULL;
    case JRPC_FAULT_REFUSES_RETURN:
        return text.len == 0 || memchr(text.ptr, '\r', text.len) == NULL;
    case JRPC_FAULT_REFUSES_LEADING_SPACE:
        return text.len == 0 || !is_space(text.ptr[0]);
    case JRPC_FAULT_REFUSES_TRAILING_SPACE:
        return text.len == 0 || !is_space(text.ptr[text.len - 1]);
    case JRPC_FAULT_REFUSES_INNER_SPACE:
        if (value != NULL && value->kind != 'a' && value->kind != 'o') {
            return true;
        }
        break;
    default:
        break;
    }
    switch (jrpc_fault_kind_of(fault)) {
    case JRPC_FAULT_FREE:
    case JRPC_FAULT_BEHAVES:
        return true;
    case JRPC_FAULT_LIMITS:
        return fault == JRPC_FAULT_REFUSES_DEPTH
                   ? value == NULL || depth_of(value) <= REFUSED_DEPTH
                   : fault != JRPC_FAULT_REFUSES_ACROSS_BLOCKS || !crosses_block(text);
    case JRPC_FAULT_ACCEPTS:
        return value != NULL;
    case JRPC_FAULT_CHANGES:
        return value == NULL;
    }
    return false;
}

static void try_fault(tree_pool *pool, jrpc_parser_fault fault, jrpc_slice text, const tree *value,
                      jrpc_slice right, size_t room)
{
    if (jrpc_fault_kind_of(fault) == JRPC_FAULT_BEHAVES) {
        return; // crashes, hangs and long work are for the suite to find
    }
    jrpc_buffer out;
    jrpc_slice answered = answer(fault, text, &out);
    if (is_spared(fault, text, value)) {
        // The reason why a text is refused may be in other words.
        FUZZ_REQUIRE(answered.ptr[0] == right.ptr[0]);
        FUZZ_REQUIRE(answered.ptr[0] == 'R' ||
                     tree_equal(tree_read(pool, jrpc_slice_from(answered, 1)),
                                tree_read(pool, jrpc_slice_from(right, 1))) != TREE_DIFFERENT);
    } else if (jrpc_fault_kind_of(fault) == JRPC_FAULT_LIMITS && value != NULL) {
        FUZZ_REQUIRE(answered.ptr[0] == 'R');
    }
    if (value != NULL && has_model(fault)) {
        require_changed(pool, fault, value, answered);
    }
    require_room(fault, text, answered, room % (answered.len + 1));
    // One byte less than needed, so that the last part comes at the very end of the room.
    require_room(fault, text, answered, answered.len - 1);
    jrpc_buffer_done(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    tree_pool pool = {NULL};
    jrpc_slice text = input.text;
    grammar_verdict verdict = grammar_check(text, LENIENT_DEPTH).verdict;
    const tree *value = verdict == GRAMMAR_JSON ? tree_read(&pool, text) : NULL;
    jrpc_buffer out;
    jrpc_slice right = answer(JRPC_FAULT_NONE, text, &out);
    if (value != NULL) {
        FUZZ_REQUIRE(right.ptr[0] == 'A');
        FUZZ_REQUIRE(tree_equal(value, tree_read(&pool, jrpc_slice_from(right, 1))) !=
                     TREE_DIFFERENT);
        require_depth(text, depth_of(value));
    }
    size_t room = input.options[1] + input.turn % 64;
    FUZZ_REQUIRE(value != NULL || verdict == GRAMMAR_DEEP || right.ptr[0] == 'R');
    for (unsigned fault = 1; fault < JRPC_PARSER_FAULT_COUNT && verdict != GRAMMAR_DEEP; fault++) {
        if (fault == input.options[0] || fuzz_turn(&input, fault, JRPC_PARSER_FAULT_COUNT)) {
            try_fault(&pool, (jrpc_parser_fault)fault, text, value, right, room);
        }
    }
    require_utf8(text);
    static bool looked;
    if (!looked && fuzz_turn(&input, 0, 1024)) { // once for each process
        looked = true;
        for (size_t i = 0; i < jck_suite_case_count(fuzz_suite()); i++) {
            require_caught(jck_suite_case(fuzz_suite(), i));
        }
    }
    jrpc_buffer_done(&out);
    tree_pool_done(&pool);
    return 0;
}
