#include "harness/parser/generate.h"

#include "harness/generate/respell.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

// Mutations applied to one text.
#define STEPS_MAX 4

static const jrpc_slice names[] = {
    JRPC_SLICE_INIT("\"\""),        JRPC_SLICE_INIT("\"a\""),
    JRPC_SLICE_INIT("\"\\u0061\""), JRPC_SLICE_INIT("\"a\\u0000b\""),
    JRPC_SLICE_INIT("\"\\ud800\""), JRPC_SLICE_INIT("\"__proto__\""),
    JRPC_SLICE_INIT("\"A\""),       JRPC_SLICE_INIT("\"1\""),
    JRPC_SLICE_INIT("a"),
};
static const jrpc_slice scalars[] = {
    JRPC_SLICE_INIT("0"),
    JRPC_SLICE_INIT("-0"),
    JRPC_SLICE_INIT("-0.0"),
    JRPC_SLICE_INIT("1e1"),
    JRPC_SLICE_INIT("1E+1"),
    JRPC_SLICE_INIT("0.1e-1"),
    JRPC_SLICE_INIT("9007199254740993"),
    JRPC_SLICE_INIT("18446744073709551616"),
    JRPC_SLICE_INIT("1e400"),
    JRPC_SLICE_INIT("1e-400"),
    JRPC_SLICE_INIT("123456789012345678901234567890"),
    JRPC_SLICE_INIT("0.30000000000000004"),
    JRPC_SLICE_INIT("1.7976931348623157e308"),
    JRPC_SLICE_INIT("4.9406564584124654e-324"),
    JRPC_SLICE_INIT("2.2250738585072011e-308"),
    JRPC_SLICE_INIT("true"),
    JRPC_SLICE_INIT("null"),
    JRPC_SLICE_INIT("\"\""),
    JRPC_SLICE_INIT("\"\\u0000\""),
    JRPC_SLICE_INIT("\"\\ud83d\\ude00\""),
    JRPC_SLICE_INIT("\"\\ude00\""),
    JRPC_SLICE_INIT("\"\\\\\\\"\\/\\b\\f\\n\\r\\t\""),
    JRPC_SLICE_INIT("\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\""),
    JRPC_SLICE_INIT("NaN"),
    JRPC_SLICE_INIT("-Infinity"),
    JRPC_SLICE_INIT("01"),
    JRPC_SLICE_INIT("+1"),
    JRPC_SLICE_INIT("1."),
    JRPC_SLICE_INIT(".5"),
    JRPC_SLICE_INIT("1e"),
    JRPC_SLICE_INIT("0x1"),
    JRPC_SLICE_INIT("True"),
    JRPC_SLICE_INIT("'a'"),
    JRPC_SLICE_INIT("undefined"),
};
static const jrpc_slice whole[] = {
    JRPC_SLICE_INIT("[]"),
    JRPC_SLICE_INIT("{}"),
    JRPC_SLICE_INIT("[[],[[]]]"),
    JRPC_SLICE_INIT("{\"a\":{\"a\":[1,2,{\"b\":null}]}}"),
    JRPC_SLICE_INIT("{\"a\":1,\"a\":2}"),
};
static const jrpc_slice bytes[] = {
    JRPC_SLICE_INIT(","),    JRPC_SLICE_INIT(":"),        JRPC_SLICE_INIT("]"),
    JRPC_SLICE_INIT("}"),    JRPC_SLICE_INIT("["),        JRPC_SLICE_INIT("\""),
    JRPC_SLICE_INIT("\\"),   JRPC_SLICE_INIT("\\u"),      JRPC_SLICE_INIT("\\x41"),
    JRPC_SLICE_INIT("//"),   JRPC_SLICE_INIT("/**/"),     JRPC_SLICE_INIT("#"),
    JRPC_SLICE_INIT("\0"),   JRPC_SLICE_INIT("\t"),       JRPC_SLICE_INIT("\n"),
    JRPC_SLICE_INIT("\f"),   JRPC_SLICE_INIT("\x1F"),     JRPC_SLICE_INIT("\x7F"),
    JRPC_SLICE_INIT("\x80"), JRPC_SLICE_INIT("\xC0\xAF"), JRPC_SLICE_INIT("\xED\xA0\x80"),
    JRPC_SLICE_INIT("\xFF"), JRPC_SLICE_INIT("\xC2\xA0"), JRPC_SLICE_INIT("\xEF\xBB\xBF"),
    JRPC_SLICE_INIT("_"),    JRPC_SLICE_INIT(";"),        JRPC_SLICE_INIT("="),
    JRPC_SLICE_INIT("-"),    JRPC_SLICE_INIT("e"),        JRPC_SLICE_INIT("."),
};
#define WORDS(list)                                                                                \
    {                                                                                              \
        list, sizeof list / sizeof *list                                                           \
    }
static const jck_vocabulary vocabulary = {WORDS(names), WORDS(scalars), WORDS(whole), WORDS(bytes)};

void jck_text_generator_init(jck_text_generator *generator, uint64_t seed)
{
    generator->seed_count = 0;
    jrpc_random_init(&generator->random, seed);
    jck_mutator_init(&generator->mutator, &vocabulary);
    jrpc_json_document_init(&generator->document, jrpc_allocator_heap());
    jrpc_buffer_init(&generator->respelled, jrpc_allocator_heap(), JCK_TEXT_BYTES);
}

void jck_text_generator_done(jck_text_generator *generator)
{
    jrpc_json_document_done(&generator->document);
    jrpc_buffer_done(&generator->respelled);
}

void jck_text_generator_add(jck_text_generator *generator, jrpc_slice text)
{
    if (text.len <= JCK_TEXT_BYTES / 2 && generator->seed_count < JCK_SEEDS_MAX) {
        generator->seeds[generator->seed_count++] = text;
    }
}

static uint64_t below(jck_text_generator *generator, uint64_t bound)
{
    return jrpc_random_next(&generator->random) % bound;
}

static jrpc_slice pick(jck_text_generator *generator)
{
    return generator->seeds[below(generator, generator->seed_count)];
}

// Another spelling of a JSON text; 0 if it is not JSON, or if there is no room.
static size_t respell(jck_text_generator *generator, jrpc_slice seed, char *text)
{
    jrpc_buffer_clear(&generator->respelled);
    if (!jrpc_json_read(&generator->document, seed, JRPC_LIMIT_DEPTH, NULL) ||
        !jck_respell(jrpc_json_root(&generator->document), JCK_RESPELL_ALL, &generator->random,
                     &generator->respelled)) {
        return 0;
    }
    memcpy(text, generator->respelled.ptr, generator->respelled.len);
    return generator->respelled.len;
}

size_t jck_text_generate(jck_text_generator *generator, char text[JCK_TEXT_BYTES])
{
    jrpc_slice seed = pick(generator);
    uint64_t how = below(generator, 10);
    size_t len = how == 0 ? respell(generator, seed, text) : 0;
    if (len > 0 && below(generator, 2) == 0) {
        return len;
    }
    if (how == 1) {
        jrpc_slice other = pick(generator);
        len = jck_cross(&generator->mutator, (const uint8_t *)seed.ptr, seed.len,
                        (const uint8_t *)other.ptr, other.len, (uint8_t *)text, JCK_TEXT_BYTES,
                        jrpc_random_next(&generator->random));
    }
    if (len == 0 && seed.len > 0) {
        memcpy(text, seed.ptr, seed.len);
        len = seed.len;
    }
    uint64_t steps = 1 + below(generator, STEPS_MAX);
    for (uint64_t i = 0; i < steps; i++) {
        len = jck_mutate(&generator->mutator, (uint8_t *)text, len, JCK_TEXT_BYTES,
                         jrpc_random_next(&generator->random));
    }
    return len;
}
