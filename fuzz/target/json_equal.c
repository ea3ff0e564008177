// Equality agrees with the book's on two texts (the input is cut in two at a NUL), however deep
// they are nested, and on a text spelled anew or with one digit changed; it is reflexive and
// symmetric; comparing numbers is a total order, whatever their exponents.
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "fuzz/model/tree.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 4 << 20 };

typedef struct text {
    jrpc_json_document document;
    tree *model;
} text;

static bool read_text(text *t, tree_pool *pool, jrpc_slice bytes)
{
    jrpc_json_document_init(&t->document, jrpc_allocator_heap());
    if (grammar_check(bytes, TREE_DEPTH).verdict != GRAMMAR_JSON) {
        return false;
    }
    FUZZ_REQUIRE(jrpc_json_read(&t->document, bytes, TREE_DEPTH, NULL));
    t->model = tree_read(pool, bytes);
    return true;
}

static int sign(int order)
{
    return (order > 0) - (order < 0);
}

static void require_agreement(text *a, text *b)
{
    jrpc_json left = jrpc_json_root(&a->document);
    jrpc_json right = jrpc_json_root(&b->document);
    bool equal = jrpc_json_equal(left, right);
    FUZZ_REQUIRE(equal == jrpc_json_equal(right, left));
    FUZZ_REQUIRE(jrpc_json_equal(left, left));
    tree_answer expected = tree_equal(a->model, b->model);
    FUZZ_REQUIRE(expected == TREE_UNKNOWN || equal == (expected == TREE_EQUAL));
}

// Whether the value of a Number is an integer: the exponent moves all digits that are not zero in
// front of the decimal point. The spelling ends with NUL.
static bool is_whole(const char *spelling)
{
    long behind = 0; // digits after the point, up to the last one that is not zero
    long zeros = 0;
    bool zero = true;
    bool fraction = false;
    const char *at = spelling + (*spelling == '-');
    for (; *at != '\0' && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            fraction = true;
            continue;
        }
        zero = zero && *at == '0';
        zeros = *at == '0' ? zeros + 1 : 0;
        behind += fraction ? 1 : 0;
    }
    long exponent = *at == '\0' ? 0 : strtol(at + 1, NULL, 10);
    return zero || exponent >= behind - zeros;
}

// An integer is read as the Number that it is. A Number written in digits alone has an integer
// value if and only if it fits into 64 bits.
static void require_integer(jrpc_json value)
{
    int64_t integer = 0;
    bool fits = jrpc_json_int64(value, &integer);
    FUZZ_REQUIRE(!fits || jrpc_json_is_integer(value));
    jrpc_slice spelling = jrpc_json_spelling(value);
    char digits[64] = {0};
    if (spelling.len >= sizeof digits) {
        return;
    }
    memcpy(digits, spelling.ptr, spelling.len);
    FUZZ_REQUIRE(jrpc_json_is_integer(value) == is_whole(digits));
    if (fits) {
        char written[24];
        (void)snprintf(written, sizeof written, "%lld", (long long)integer);
        FUZZ_REQUIRE(jrpc_json_number_compare(spelling, jrpc_slice_str(written)) == 0);
    }
    const double nearly_most = 9.2233720368547748e18;
    FUZZ_REQUIRE(fits || !jrpc_json_is_integer(value) || fabs(strtod(digits, NULL)) > nearly_most);
    if ((jrpc_json_flags(value) & JRPC_JSON_FRACTIONAL) == 0) {
        errno = 0;
        long long expected = strtoll(digits, NULL, 10);
        FUZZ_REQUIRE(fits == (errno == 0) && (!fits || integer == expected));
    }
}

// All numbers of a document, compared with each other: antisymmetric and transitive, and 0 exactly
// where they are equal.
static void require_order(const text *a)
{
    jrpc_slice numbers[6];
    size_t count = 0;
    for (uint32_t i = 0; i < a->document.count && count < 6; i++) {
        jrpc_json value = {&a->document, i};
        if (jrpc_json_is(value, JRPC_JSON_NUMBER)) {
            require_integer(value);
            numbers[count++] = jrpc_json_spelling(value);
        }
    }
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < count; j++) {
            int ij = sign(jrpc_json_number_compare(numbers[i], numbers[j]));
            FUZZ_REQUIRE(ij == -sign(jrpc_json_number_compare(numbers[j], numbers[i])));
            for (size_t k = 0; k < count; k++) {
                int jk = sign(jrpc_json_number_compare(numbers[j], numbers[k]));
                int ik = sign(jrpc_json_number_compare(numbers[i], numbers[k]));
                FUZZ_REQUIRE(ij < 0 || jk < 0 || ik == (ij > jk ? ij : jk));
            }
        }
    }
}

// The text with one digit changed, wherever it stands: most often another value, and nearly the
// same.
static void require_near(text *a, tree_pool *pool, jrpc_slice bytes, jrpc_random *random)
{
    char *copy = tree_alloc(pool, bytes.len);
    memcpy(copy, bytes.ptr, bytes.len);
    size_t start = (size_t)jrpc_random_below(random, bytes.len);
    for (size_t i = 0; i < bytes.len; i++) {
        char *at = &copy[(start + i) % bytes.len];
        if (*at >= '0' && *at <= '9') {
            *at = (char)('0' + (*at - '0' + 1 + (char)jrpc_random_below(random, 9)) % 10);
            text near = {.model = NULL};
            if (read_text(&near, pool, jrpc_slice_of(copy, bytes.len))) {
                require_agreement(a, &near);
            }
            jrpc_json_document_done(&near.document);
            return;
        }
    }
}

// The text spelled anew is equal; a third text is as it is to the first.
static void require_anew(text *a, tree_pool *pool, const text *c, jrpc_random *random)
{
    jrpc_buffer anew;
    jrpc_buffer_init(&anew, jrpc_allocator_heap(), ROOM);
    tree_write(&anew, a->model, TREE_SPACE | TREE_ORDER | TREE_ESCAPE | TREE_NUMBER, random);
    text b = {.model = NULL};
    FUZZ_REQUIRE(read_text(&b, pool, jrpc_buffer_slice(&anew)));
    require_agreement(a, &b);
    tree_answer same = tree_equal(a->model, b.model);
    FUZZ_REQUIRE(same != TREE_DIFFERENT);
    if (c != NULL) {
        jrpc_json third = jrpc_json_root(&c->document);
        FUZZ_REQUIRE(same != TREE_EQUAL || jrpc_json_equal(jrpc_json_root(&a->document), third) ==
                                               jrpc_json_equal(jrpc_json_root(&b.document), third));
    }
    jrpc_json_document_done(&b.document);
    jrpc_buffer_done(&anew);
}

// So many levels around a value, each with a number of its own; `other` is the level with another
// one. The members of each level stand in one order or in another.
static void put_deep(jrpc_buffer *out, jrpc_slice value, unsigned depth, unsigned other,
                     bool reversed)
{
    for (unsigned i = 0; i < depth; i++) {
        unsigned number = i == other ? depth : i;
        FUZZ_REQUIRE(reversed ? jrpc_buffer_printf(out, "{\"c\":%u,\"b\":", number)
                              : jrpc_buffer_append_str(out, "{\"a\":0,\"b\":"));
    }
    FUZZ_REQUIRE(jrpc_buffer_append(out, value));
    for (unsigned i = depth; i-- > 0;) {
        FUZZ_REQUIRE(reversed ? jrpc_buffer_append_str(out, ",\"a\":0}")
                              : jrpc_buffer_printf(out, ",\"c\":%u}", i));
    }
}

// Levels around two values do not change whether they are equal. There are as many levels as are
// remembered on the way down, one more or one fewer.
static void require_deep(jrpc_slice left, jrpc_slice right, bool equal, jrpc_random *random)
{
    static const unsigned depths[] = {1,  2,  15,  16,  17,  31,  32,  33,  63,
                                      64, 65, 127, 128, 129, 130, 131, 256, 257};
    enum { MOST = 260 };
    unsigned depth = JRPC_RANDOM_PICK(random, depths);
    for (unsigned round = 0; round < 2; round++) {
        unsigned other = round == 0 ? depth : (unsigned)jrpc_random_below(random, depth);
        jrpc_buffer texts[2];
        jrpc_json_document documents[2];
        for (size_t i = 0; i < 2; i++) {
            jrpc_buffer_init(&texts[i], jrpc_allocator_heap(), ROOM);
            jrpc_json_document_init(&documents[i], jrpc_allocator_heap());
            put_deep(&texts[i], i == 0 ? left : right, depth, other, i != 0);
            FUZZ_REQUIRE(jrpc_json_read(&documents[i], jrpc_buffer_slice(&texts[i]),
                                        TREE_DEPTH + MOST, NULL));
        }
        FUZZ_REQUIRE(jrpc_json_equal(jrpc_json_root(&documents[0]),
                                     jrpc_json_root(&documents[1])) == (equal && round == 0));
        for (size_t i = 0; i < 2; i++) {
            jrpc_json_document_done(&documents[i]);
            jrpc_buffer_done(&texts[i]);
        }
    }
}

// A number times a power of ten: the larger the power, the further it is from zero, whatever number
// of bits its exponent takes.
static void require_exponents(jrpc_slice number)
{
    static const char *const exponents[] = {"-99999999999999999999999",
                                            "-18446744073709551617",
                                            "-9223372036854775809",
                                            "-9223372036854775808",
                                            "-1099511627777",
                                            "-1099511627776",
                                            "-4294967297",
                                            "-40",
                                            "0",
                                            "40",
                                            "1099511627776",
                                            "1099511627777",
                                            "4294967297000",
                                            "9223372036854775807",
                                            "9223372036854775808",
                                            "18446744073709551616",
                                            "99999999999999999999999"};
    enum { EXPONENTS = sizeof exponents / sizeof *exponents, MOST = 30 };
    char spelled[2][MOST + 30];
    bool zero = true;
    for (size_t i = 0; i < number.len; i++) {
        zero = zero && strchr("123456789", number.ptr[i]) == NULL;
        if (number.ptr[i] == 'e' || number.ptr[i] == 'E' || number.len > MOST) {
            return;
        }
    }
    int away = zero ? 0 : number.ptr[0] == '-' ? -1 : 1;
    for (size_t i = 0; i < EXPONENTS; i++) {
        size_t next = (i + 1) % EXPONENTS;
        int len = snprintf(spelled[0], sizeof spelled[0], "%.*se%s", (int)number.len, number.ptr,
                           exponents[i]);
        jrpc_slice here = jrpc_slice_of(spelled[0], (size_t)len);
        len = snprintf(spelled[1], sizeof spelled[1], "%.*se%s", (int)number.len, number.ptr,
                       exponents[next]);
        jrpc_slice there = jrpc_slice_of(spelled[1], (size_t)len);
        int order = sign(jrpc_json_number_compare(there, here));
        FUZZ_REQUIRE(order == (next == 0 ? -away : away));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    const char *cut = input.text.len == 0 ? NULL : memchr(input.text.ptr, 0, input.text.len);
    size_t first_len = cut == NULL ? input.text.len : (size_t)(cut - input.text.ptr);
    const jrpc_slice first = {input.text.ptr, first_len};
    tree_pool pool = {NULL};
    text a = {.model = NULL};
    text c = {.model = NULL};
    if (read_text(&a, &pool, first)) {
        jrpc_random random;
        jrpc_random_init(&random, fuzz_input_seed(&input));
        bool two = cut != NULL && read_text(&c, &pool, jrpc_slice_from(input.text, first_len + 1));
        if (two) {
            require_agreement(&a, &c);
        }
        if (fuzz_turn(&input, 3, 12)) {
            jrpc_slice second = two ? jrpc_slice_from(input.text, first_len + 1) : first;
            require_deep(first, second,
                         jrpc_json_equal(jrpc_json_root(&a.document),
                                         jrpc_json_root(two ? &c.document : &a.document)),
                         &random);
        }
        if (fuzz_turn(&input, 4, 12) &&
            jrpc_json_is(jrpc_json_root(&a.document), JRPC_JSON_NUMBER)) {
            require_exponents(jrpc_json_spelling(jrpc_json_root(&a.document)));
        }
        if (fuzz_turn(&input, 0, 3)) {
            require_anew(&a, &pool, two ? &c : NULL, &random);
        }
        if (fuzz_turn(&input, 1, 3)) {
            require_near(&a, &pool, first, &random);
        }
        if (fuzz_turn(&input, 2, 3)) {
            require_order(&a);
        }
    }
    jrpc_json_document_done(&c.document);
    jrpc_json_document_done(&a.document);
    tree_pool_done(&pool);
    return 0;
}
