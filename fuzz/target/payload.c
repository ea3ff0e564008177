// What a payload puts on the wire is what a naive reader of its spelling puts there, up to the very
// byte that its limit allows; the numbers of its units are as wide as the highest one; a name that
// nobody knows is named, as far as it fits; and ids of a case are what the judge later takes them
// for, whole, however long their names are.
//
// Options: the kind of the payload, how often a unit is repeated, by how much the limit is missed.
#include "harness/suite/payload.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "harness/suite/call.h"
#include "harness/suite/case.h"
#include "harness/suite/kin.h"
#include "harness/suite/variables.h"
#include "reference/json/read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 1 << 20, NAME_BYTES = 64, KIN_DIGITS = 17 };

// Known are names that do not begin with `q`: a Number where they begin with `n`, else a String.
static bool resolve(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    jrpc_buffer *spelled = context;
    jrpc_buffer_clear(spelled);
    if (name.ptr[0] == 'q') {
        return false;
    }
    FUZZ_REQUIRE(name.ptr[0] == 'n' ? jrpc_buffer_printf(spelled, "%zu", name.len)
                                    : jrpc_buffer_append_char(spelled, '"') &&
                                          jrpc_buffer_append(spelled, jrpc_slice_from(name, 1)) &&
                                          jrpc_buffer_append(spelled, name) &&
                                          jrpc_buffer_append_char(spelled, '"'));
    *ret_spelling = jrpc_buffer_slice(spelled);
    return true;
}

typedef struct model {
    jrpc_buffer out;
    jrpc_buffer spelled;
    jrpc_slice unknown; // the first name that nobody knows
} model;

static void put(model *m, jrpc_slice bytes)
{
    FUZZ_REQUIRE(jrpc_buffer_append(&m->out, bytes));
}

// A name between "${" and "}" at the beginning of the text: its length, 0 if there is none.
static size_t name_at(jrpc_slice text)
{
    size_t i = 2;
    while (i < text.len && text.ptr[i] != '}' && strchr("{$\"\\", text.ptr[i]) == NULL &&
           (unsigned char)text.ptr[i] > ' ') {
        i++;
    }
    bool opens = jrpc_slice_starts_with(text, JRPC_SLICE("${"));
    return opens && i < text.len && text.ptr[i] == '}' ? i - 2 : 0;
}

static void put_variable(model *m, jrpc_slice name, bool quoted)
{
    jrpc_slice spelling;
    if (!resolve(&m->spelled, name, &spelling)) {
        m->unknown = m->unknown.len == 0 ? name : m->unknown;
        return;
    }
    bool string = spelling.ptr[0] == '"' && !quoted;
    put(m, string ? jrpc_slice_of(spelling.ptr + 1, spelling.len - 2) : spelling);
}

// Whether the first byte of a text that is not white space is one of these.
static bool goes_on_with(jrpc_slice text, const char *bytes)
{
    while (text.len > 0 && (text.ptr[0] == ' ' || (text.ptr[0] >= '\t' && text.ptr[0] <= '\r' &&
                                                   text.ptr[0] != '\v' && text.ptr[0] != '\f'))) {
        text = jrpc_slice_from(text, 1);
    }
    return text.len > 0 && text.ptr[0] != '\0' && strchr(bytes, text.ptr[0]) != NULL;
}

// A variable between two of the bytes that JSON has around a value keeps its quotes.
static void put_text(model *m, jrpc_slice text, bool variables)
{
    char last = ' '; // that is not white space
    while (text.len != 0) {
        char first = text.ptr[0];
        const jrpc_slice before = text;
        size_t len = variables ? name_at(text) : 0;
        if (jrpc_slice_starts_with(text, JRPC_SLICE("$${"))) {
            put(m, JRPC_SLICE("${"));
            text = jrpc_slice_from(text, 3);
        } else if (len != 0) {
            bool opened = last == ':' || last == ',' || last == '[';
            bool whole = opened && goes_on_with(jrpc_slice_from(text, len + 3), ",]}");
            put_variable(m, jrpc_slice_of(text.ptr + 2, len), whole);
            text = jrpc_slice_from(text, len + 3);
        } else {
            put(m, jrpc_slice_of(text.ptr, 1));
            text = jrpc_slice_from(text, 1);
        }
        bool white = first == ' ' || first == '\t' || first == '\r' || first == '\n';
        size_t taken = before.len - text.len;
        last = taken == 1 && white ? last : before.ptr[taken - 1];
    }
}

// Tokens without the white space between them; a String that is nothing but a variable is replaced.
static void put_value(void *context, const tree *value)
{
    model *m = context;
    if (value->kind == 's') {
        jrpc_slice inner = jrpc_slice_of(value->spelling.ptr + 1, value->spelling.len - 2);
        size_t len = name_at(inner);
        if (len != 0 && len + 3 == inner.len) {
            put_variable(m, jrpc_slice_of(inner.ptr + 2, len), true);
        } else {
            put_text(m, value->spelling, false);
        }
        return;
    }
    if (value->kind != 'a' && value->kind != 'o') {
        put(m, value->spelling);
        return;
    }
    tree_put_container(&m->out, value, put_value, m);
}

// The `number`-th copy of a text; the first, which begins at `begin`, is read, the others are
// copied.
static void put_again(model *m, jrpc_slice text, size_t begin, size_t number)
{
    if (number == 0) {
        put_text(m, text, true);
        return;
    }
    size_t once = (m->out.len - begin) / number;
    char *room;
    FUZZ_REQUIRE(jrpc_buffer_reserve(&m->out, once, &room));
    memcpy(room, m->out.ptr + begin, once);
    jrpc_buffer_grew(&m->out, once);
}

static void put_payload(model *m, const jck_payload *payload, tree_pool *pool)
{
    const jrpc_slice repeated[] = {payload->unit, payload->close};
    switch (payload->kind) {
    case JCK_PAYLOAD_JSON:
        put_value(m, tree_read(pool, jrpc_json_spelling(payload->json)));
        break;
    case JCK_PAYLOAD_TEXT:
        put_text(m, payload->text, true);
        break;
    case JCK_PAYLOAD_BYTES:
        put(m, payload->text);
        break;
    case JCK_PAYLOAD_REPEAT:
        put_text(m, payload->prefix, true);
        for (size_t i = 0; i < 2; i++) {
            size_t begin = m->out.len;
            for (size_t k = 0; k < payload->times; k++) {
                put_again(m, repeated[i], begin, k);
            }
            put_text(m, i == 0 ? payload->middle : payload->suffix, true);
        }
        break;
    }
}

// Expands with room for `maximum` bytes.
static void require_expansion(const jck_payload *payload, const model *expected, size_t maximum)
{
    jrpc_buffer out;
    jrpc_buffer spelled;
    jrpc_error error = {.code = JRPC_OK};
    jrpc_buffer_init(&out, jrpc_allocator_heap(), maximum);
    jrpc_buffer_init(&spelled, jrpc_allocator_heap(), ROOM);
    bool done = jck_payload_expand(payload, resolve, &spelled, &out, &error);
    FUZZ_REQUIRE(done == (error.code == JRPC_OK));
    if (done) {
        FUZZ_REQUIRE(expected->unknown.len == 0);
        FUZZ_REQUIRE(jrpc_slice_equal(jrpc_buffer_slice(&out), jrpc_buffer_slice(&expected->out)));
    } else if (error.code == JRPC_ERROR_LIMIT) {
        FUZZ_REQUIRE(expected->unknown.len != 0 || expected->out.len > maximum);
    } else {
        char words[256];
        size_t shown = expected->unknown.len < 100 ? expected->unknown.len : 100;
        FUZZ_REQUIRE(error.code == JRPC_ERROR_INVALID && shown != 0);
        (void)snprintf(words, sizeof words, "\"%.*s\"", (int)shown, expected->unknown.ptr);
        bool plain = true;
        for (size_t i = 0; i < shown; i++) {
            plain = plain && expected->unknown.ptr[i] > ' ' && expected->unknown.ptr[i] < 0x7F;
        }
        FUZZ_REQUIRE(!plain || strstr(error.message, words) != NULL);
    }
    jrpc_buffer_done(&spelled);
    jrpc_buffer_done(&out);
}

// A payload of the kind that is asked for; false where the text cannot be one.
static bool make(const fuzz_input *input, jrpc_json_document *document, jck_payload *ret)
{
    jrpc_slice text = input->text;
    *ret = (jck_payload){.kind = (jck_payload_kind)(input->options[0] % 4), .text = text};
    ret->times = input->options[1];
    if (ret->kind == JCK_PAYLOAD_JSON) {
        bool read = grammar_check(text, TREE_DEPTH).verdict == GRAMMAR_JSON &&
                    jrpc_json_read(document, text, TREE_DEPTH, NULL);
        ret->json = read ? jrpc_json_root(document) : ret->json;
        return read;
    }
    if (ret->kind == JCK_PAYLOAD_REPEAT) {
        // Five parts, between line feeds.
        jrpc_slice *parts[] = {&ret->unit, &ret->prefix, &ret->middle, &ret->close, &ret->suffix};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            const char *feed = text.len == 0 ? NULL : memchr(text.ptr, '\n', text.len);
            size_t len = feed == NULL || i == 4 ? text.len : (size_t)(feed - text.ptr);
            *parts[i] = jrpc_slice_of(text.ptr, len);
            text = jrpc_slice_from(text, len < text.len ? len + 1 : len);
        }
    }
    return true;
}

// A shortened id of another execution is recognized if part of its name is left. A shorter one
// could have come from anywhere.
static void require_cut(const jck_variables *variables, jrpc_json id)
{
    jrpc_slice spelling = jrpc_json_spelling(id);
    size_t dashes = 0;
    size_t name = 0; // where it begins, after "jck-NONCE-SERIAL-"
    while (dashes < 3) {
        dashes += spelling.ptr[name++] == '-' ? 1 : 0;
    }
    for (size_t len = 1; len < spelling.len - 1; len++) {
        char text[NAME_BYTES * 2];
        jrpc_json_document document;
        if (len + 2 > sizeof text) {
            return;
        }
        memcpy(text, spelling.ptr, len);
        text[len] = '"';
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        FUZZ_REQUIRE(jrpc_json_read(&document, jrpc_slice_of(text, len + 1), 1, NULL));
        int step = 0;
        jck_id_origin origin = jck_variables_origin(variables, jrpc_json_root(&document), &step);
        FUZZ_REQUIRE(origin == (len > name ? JCK_ID_OF_ANOTHER : JCK_ID_UNKNOWN));
        jrpc_json_document_done(&document);
    }
}

// What `${id.NAME}` and `${id:int.NAME}` stand for; `step` is another's.
static void require_ids(const fuzz_input *input, jrpc_arena *arena)
{
    char name[NAME_BYTES + 8] = "id.";
    size_t len = 3;
    for (size_t i = 0; i < input->text.len && len < NAME_BYTES + 3; i++) {
        char c = input->text.ptr[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (letter || (len > 3 && ((c >= '0' && c <= '9') || c == '-' || c == '_'))) {
            name[len++] = c;
        }
    }
    if (len == 3) {
        return;
    }
    int step = input->options[1];
    uint32_t nonce = (uint32_t)input->options[2] * 16777259u;
    jck_variables variables;
    jck_variables_init(&variables, arena, NULL, nonce, input->options[3]);
    jck_variables_set_step(&variables, step);
    const char *of_step = "id";
    const struct {
        const char *name;
        jck_id_origin origin;
    } asked[] = {{name, JCK_ID_OF_CASE}, {of_step, JCK_ID_OF_STEP}, {name, JCK_ID_OF_CASE}};
    jrpc_slice spelled[3];
    for (size_t i = 0; i < 3; i++) {
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        FUZZ_REQUIRE(jck_variables_resolve(&variables, jrpc_slice_str(asked[i].name), &spelled[i]));
        FUZZ_REQUIRE(jrpc_json_read(&document, spelled[i], 4, NULL));
        int found = -1;
        FUZZ_REQUIRE(jck_variables_origin(&variables, jrpc_json_root(&document), &found) ==
                     asked[i].origin);
        FUZZ_REQUIRE(asked[i].origin != JCK_ID_OF_STEP || found == step);
        jck_variables other = variables;
        other.serial++;
        require_cut(&other, jrpc_json_root(&document));
        FUZZ_REQUIRE(jck_variables_origin(&other, jrpc_json_root(&document), &found) ==
                     JCK_ID_OF_ANOTHER);
        jrpc_json_document_done(&document);
    }
    // The same name is the same id, and the whole name stands in it.
    FUZZ_REQUIRE(jrpc_slice_equal(spelled[0], spelled[2]));
    FUZZ_REQUIRE(spelled[0].len > len - 3 + 2 &&
                 memcmp(spelled[0].ptr + spelled[0].len - 1 - (len - 3), name + 3, len - 3) == 0);
    // Another step has another id, and this one still its own.
    jrpc_slice number;
    jrpc_slice again;
    jck_variables_set_step(&variables, step + 1);
    FUZZ_REQUIRE(jck_variables_resolve(&variables, JRPC_SLICE("id"), &again) &&
                 !jrpc_slice_equal(spelled[1], again));
    jck_variables_set_step(&variables, step);
    FUZZ_REQUIRE(jck_variables_resolve(&variables, JRPC_SLICE("id"), &again) &&
                 jrpc_slice_equal(spelled[1], again));
    char int_name[NAME_BYTES + 12];
    (void)snprintf(int_name, sizeof int_name, "id:int.%s", name + 3);
    FUZZ_REQUIRE(jck_variables_resolve(&variables, JRPC_SLICE("id:int"), &number));
    FUZZ_REQUIRE(jck_variables_resolve(&variables, jrpc_slice_str(int_name), &again));
    FUZZ_REQUIRE(!jrpc_slice_equal(number, again));
    FUZZ_REQUIRE(jck_variables_resolve(&variables, JRPC_SLICE("id:int"), &again) &&
                 jrpc_slice_equal(number, again));
}

// The fresh Numbers of an execution: as many as belong to it, in a range that 31 bits hold, none
// twice and none of another execution. Only those of earlier executions are known as such.
static void require_numbers(const fuzz_input *input, jrpc_arena *arena)
{
    enum { NUMBERS = 256, LEAST = 1000 };
    uint32_t nonce = (uint32_t)input->options[2] * 16777259u + input->options[3];
    jck_variables both[2];
    int64_t numbers[2][NUMBERS];
    for (size_t i = 0; i < 2; i++) {
        jck_variables_init(&both[i], arena, NULL, nonce, input->options[1] + (uint32_t)i);
        for (size_t k = 0; k <= NUMBERS; k++) {
            char name[32];
            jrpc_slice spelled = {NULL, 0};
            (void)snprintf(name, sizeof name, "id:int.n%zu", k);
            bool given = jck_variables_resolve(&both[i], jrpc_slice_str(name), &spelled);
            FUZZ_REQUIRE(given == (k < NUMBERS));
            if (given) {
                numbers[i][k] = strtoll(spelled.ptr, NULL, 10);
                FUZZ_REQUIRE(numbers[i][k] >= LEAST && numbers[i][k] <= INT32_MAX);
                // Each is one more than the number before, except after the last of the range.
                FUZZ_REQUIRE(k == 0 || numbers[i][k] == numbers[i][k - 1] + 1 ||
                             numbers[i][k] == LEAST);
            }
        }
    }
    FUZZ_REQUIRE(numbers[1][0] == numbers[0][NUMBERS - 1] + 1 || numbers[1][0] == LEAST);
    static const size_t looked_at[] = {0, 1, NUMBERS / 2, NUMBERS - 2, NUMBERS - 1};
    for (size_t i = 0; i < sizeof looked_at / sizeof *looked_at; i++) {
        char id[24];
        jrpc_json_document document;
        jrpc_json_document_init(&document, jrpc_allocator_heap());
        (void)snprintf(id, sizeof id, "%lld", (long long)numbers[0][looked_at[i]]);
        FUZZ_REQUIRE(jrpc_json_read(&document, jrpc_slice_str(id), 1, NULL));
        jrpc_json read = jrpc_json_root(&document);
        FUZZ_REQUIRE(!jck_variables_is_earlier_number(&both[0], read));
        FUZZ_REQUIRE(jck_variables_is_earlier_number(&both[1], read));
        jrpc_json_document_done(&document);
    }
}

// An integer, written in digits alone, that is well within 64 bits. Its spelling ends with NUL.
static bool is_small(const tree *id)
{
    size_t digits = id->spelling.len - (id->spelling.ptr[0] == '-');
    return id->kind == '0' && digits <= KIN_DIGITS && strpbrk(id->spelling.ptr, ".eE") == NULL;
}

static void require_kin_of_number(jck_kin kin, long long id, const tree *kin_tree)
{
    char expected[32] = "";
    double value = strtod(kin_tree->spelling.ptr, NULL);
    switch (kin) {
    case JCK_KIN_WIDER:
        (void)snprintf(expected, sizeof expected, "%lld", id + 4294967296);
        break;
    case JCK_KIN_NEGATIVE:
        (void)snprintf(expected, sizeof expected, "%lld", id == 0 ? -1 : -id);
        break;
    case JCK_KIN_FRACTION: // which a reader of doubles does not round away
        FUZZ_REQUIRE(kin_tree->kind == '0' && fabs(value - trunc(value)) == 0.5);
        FUZZ_REQUIRE(id == 0 || (value < 0) == (id < 0) || trunc(value) == 0);
        return;
    case JCK_KIN_TENFOLD:
        (void)snprintf(expected, sizeof expected, "%llde1", id == 0 ? 1 : id);
        break;
    case JCK_KIN_RETYPED:
        (void)snprintf(expected, sizeof expected, "\"%lld\"", id);
        break;
    }
    FUZZ_REQUIRE(jrpc_slice_is(kin_tree->spelling, expected));
}

// The kin of an id is a valid id that differs from it. The kin of a small Number is the Number or
// the String that its kind says.
static void require_kin(jrpc_slice text, tree_pool *pool)
{
    char *copy = tree_alloc(pool, text.len + 1);
    memcpy(copy, text.ptr, text.len);
    jrpc_slice spelling = jrpc_slice_str(copy);
    const tree *id = tree_read(pool, spelling);
    if ((id->kind != '0' && id->kind != 's') || id->spelling.len != text.len) {
        return;
    }
    for (jck_kin kin = JCK_KIN_WIDER; kin <= JCK_KIN_RETYPED; kin++) {
        jrpc_buffer out;
        jrpc_buffer_init(&out, jrpc_allocator_heap(), spelling.len + 64);
        FUZZ_REQUIRE(jck_kin_spell(kin, spelling, &out) && jrpc_buffer_append_char(&out, '\0'));
        jrpc_slice spelled = jrpc_slice_of(out.ptr, out.len - 1);
        FUZZ_REQUIRE(grammar_check(spelled, 2).verdict == GRAMMAR_JSON);
        const tree *other = tree_read(pool, spelled);
        FUZZ_REQUIRE(other->kind == '0' || other->kind == 's');
        FUZZ_REQUIRE(tree_equal(id, other) != TREE_EQUAL);
        if (is_small(id)) {
            require_kin_of_number(kin, strtoll(spelling.ptr, NULL, 10), other);
        }
        jrpc_buffer_done(&out);
    }
}

// The numbers of so many units, from 0 on, all have the width of the highest one.
static void require_width(size_t times, size_t digit_count)
{
    size_t width = 1;
    for (size_t highest = times - 1; highest >= digit_count; highest /= digit_count) {
        width++;
    }
    FUZZ_REQUIRE(jck_payload_digits(times, digit_count) == width);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    jrpc_json_document document;
    jck_payload payload;
    tree_pool pool = {NULL};
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (make(&input, &document, &payload)) {
        model expected = {.unknown = {NULL, 0}};
        jrpc_buffer_init(&expected.out, jrpc_allocator_heap(), (size_t)ROOM * 64);
        jrpc_buffer_init(&expected.spelled, jrpc_allocator_heap(), ROOM);
        put_payload(&expected, &payload, &pool);
        size_t len = expected.out.len;
        require_expansion(&payload, &expected, (size_t)ROOM * 64);
        // The limit itself, one less, one more.
        for (size_t maximum = len == 0 ? 0 : len - 1; maximum <= len + 1; maximum++) {
            require_expansion(&payload, &expected, maximum);
        }
        jrpc_buffer_done(&expected.spelled);
        jrpc_buffer_done(&expected.out);
    }
    if (grammar_check(input.text, 1).verdict == GRAMMAR_JSON) {
        require_kin(input.text, &pool);
    }
    require_width(1 + input.options[1] * (1 + input.text.len), 2 + input.options[2]);
    for (size_t base = 2; base <= 16; base += 2) {
        require_width(base, base); // the highest number is one less: it has one digit
        require_width(base + 1, base);
        require_width(base * base, base);
    }
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), ROOM);
    require_ids(&input, &arena);
    if (fuzz_turn(&input, 1, 64)) {
        require_numbers(&input, &arena);
    }
    jrpc_arena_done(&arena);
    jrpc_json_document_done(&document);
    tree_pool_done(&pool);
    return 0;
}
