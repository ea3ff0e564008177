#include "harness/parser/growth.h"

#include <math.h>

// Shorter times are noise: garbage collection, a compiler that warms up, a page fault.
#define MEASURABLE_US 20000
// A linear parser measures 0.9 to 1.2 from one size to the next, n log n at most 1.3; memory that
// no longer fits a cache adds 0.2.
#define EXPONENT_MIN 1.6
// From here on, the times may mislead. If other work slowed down a shorter text, a quadratic parser
// may measure no more than this. If it slowed down a longer text, a linear parser may measure this.
#define EXPONENT_UNSURE_MIN 1.4
// A linear parser takes up to about forty times the length of a text, and few texts are longer than
// 1 MiB; heaps grow in steps of a few MiB.
#define MEMORY_MIN ((int64_t)64 << 20)
#define MEMORY_BEFORE_MIN ((int64_t)1 << 20)
// A heap before collection holds all that a linear parser has ever allocated for a text: up to
// about two hundred times its length.
#define MEMORY_TIMES_MIN 384

static int64_t time_of(const jck_parser_exchange *exchange)
{
    return exchange->reply.cpu_us >= 0 ? exchange->reply.cpu_us : exchange->reply.took_us;
}

// The power of the length with which an amount grew.
static double power(const jck_parser_exchange *small, const jck_parser_exchange *large,
                    int64_t before, int64_t after)
{
    if (large->text.len < small->text.len + small->text.len / 2) {
        return 0; // texts of about the same length show no growth
    }
    double times = (double)after / (double)(before > 0 ? before : 1);
    return log(times) / log((double)large->text.len / (double)small->text.len);
}

static double exponent(const jck_parser_exchange *small, const jck_parser_exchange *large)
{
    return power(small, large, time_of(small), time_of(large));
}

// How many of the texts were answered.
static size_t answered(const jck_parser_exchange *exchanges, size_t count)
{
    while (count > 0 && jck_reply_fails(&exchanges[count - 1].reply)) {
        count--;
    }
    return count;
}

// Whether the last of `count` answers show a time that grows faster than the text.
static bool shows_growth(const jck_parser_exchange *exchanges, size_t count)
{
    if (count < 3) {
        return false;
    }
    const jck_parser_exchange *last = &exchanges[count - 1];
    return time_of(last) >= MEASURABLE_US && time_of(last - 1) >= MEASURABLE_US / 10 &&
           exponent(last - 1, last) >= EXPONENT_MIN &&
           exponent(last - 2, last) >= EXPONENT_MIN - 0.1;
}

const char *jck_growth_sentence(const jck_parser_exchange *exchanges, size_t count,
                                jrpc_arena *arena)
{
    const jck_parser_exchange *hung = count > 0 && exchanges[count - 1].reply.kind == JCK_REPLY_HUNG
                                          ? &exchanges[count - 1]
                                          : NULL;
    count = answered(exchanges, count);
    if (!shows_growth(exchanges, count)) {
        return NULL;
    }
    const jck_parser_exchange *last = &exchanges[count - 1];
    const jck_parser_exchange *before = last - 1;
    const char *unanswered =
        hung == NULL ? "" : jrpc_arena_printf(arena, "; %zu bytes got no answer", hung->text.len);
    return jrpc_arena_printf(
        arena,
        "the time grows faster than the text: %zu bytes took %.1f ms, %zu bytes %.1f ms, %zu bytes "
        "%.1f ms (about the length to the power of %.1f)%s",
        before[-1].text.len, (double)time_of(before - 1) / 1000, before->text.len,
        (double)time_of(before) / 1000, last->text.len, (double)time_of(last) / 1000,
        exponent(before, last), unanswered == NULL ? "" : unanswered);
}

const char *jck_growth_of_memory(const jck_parser_exchange *exchanges, size_t count,
                                 jrpc_arena *arena)
{
    count = answered(exchanges, count);
    if (count < 2) {
        return NULL;
    }
    const jck_parser_exchange *last = &exchanges[count - 1];
    const jck_parser_exchange *before = last - 1;
    double grown = power(before, last, before->reply.memory, last->reply.memory);
    if (last->reply.memory < MEMORY_MIN ||
        last->reply.memory / MEMORY_TIMES_MIN < (int64_t)last->text.len ||
        before->reply.memory < MEMORY_BEFORE_MIN || grown < EXPONENT_MIN) {
        return NULL;
    }
    return jrpc_arena_printf(
        arena,
        "the memory grows faster than the text: %zu bytes took %.1f MiB, %zu bytes %.1f MiB (about "
        "the length to the power of %.1f)",
        before->text.len, (double)before->reply.memory / (1 << 20), last->text.len,
        (double)last->reply.memory / (1 << 20), grown);
}

bool jck_growth_is_unsure(const jck_parser_exchange *exchanges, size_t count)
{
    count = answered(exchanges, count);
    if (count < 2 || time_of(&exchanges[count - 1]) < MEASURABLE_US) {
        return false;
    }
    const jck_parser_exchange *last = &exchanges[count - 1];
    return exponent(last - 1, last) >= EXPONENT_UNSURE_MIN ||
           (count > 2 && exponent(last - 2, last) >= EXPONENT_UNSURE_MIN);
}

bool jck_growth_can_stop(const jck_parser_exchange *exchanges, size_t count, size_t next_len,
                         int64_t most_us)
{
    if (count < 2) {
        return false;
    }
    const jck_parser_exchange *last = &exchanges[count - 1];
    double grown = exponent(last - 1, last);
    double next_us = (double)time_of(last) *
                     pow((double)next_len / (double)(last->text.len + 1), grown > 1 ? grown : 1);
    return (grown < EXPONENT_MIN || shows_growth(exchanges, count)) && next_us > (double)most_us;
}
