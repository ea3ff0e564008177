// How fast the reader is, measured against cJSON on the same texts in the same run. Both read the
// text, build all values and let them go; ours checks UTF-8 besides, and keeps its memory.
//
//   bench_json [MILLISECONDS]   time for each side of each text (default 400)
//
// Prints "NAME: X.XX times cJSON (ours MB/s, cJSON MB/s)" a line.
#include "reference/base/clock.h"
#include "reference/base/random.h"
#include "reference/json/read.h"

#include <stdio.h>
#include <stdlib.h>

#include <cjson/cJSON.h>

typedef bool (*reader)(void *context, jrpc_slice text);

static bool read_ours(void *context, jrpc_slice text)
{
    return jrpc_json_read(context, text, 1024, NULL);
}

// Without the memory of the text before: what a program pays that reads one text and ends.
static bool read_ours_once(void *context, jrpc_slice text)
{
    (void)context;
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool read = jrpc_json_read(&document, text, 1024, NULL);
    jrpc_json_document_done(&document);
    return read;
}

static bool read_cjson(void *context, jrpc_slice text)
{
    (void)context;
    cJSON *value = cJSON_ParseWithLength(text.ptr, text.len);
    cJSON_Delete(value);
    return value != NULL;
}

// Bytes a microsecond (so: MB/s), the best of ten slices of the time; 0 if the text was refused.
static double measure(reader read, void *context, jrpc_slice text, int64_t total_us)
{
    const jrpc_clock *clock = jrpc_clock_monotonic();
    size_t burst = 1 + ((size_t)1 << 16) / text.len;
    double best = 0;
    for (int slice = 0; slice < 10; slice++) {
        int64_t begin = jrpc_clock_now_us(clock);
        int64_t spent;
        size_t bytes = 0;
        do {
            for (size_t i = 0; i < burst; i++) {
                if (!read(context, text)) {
                    return 0;
                }
            }
            bytes += burst * text.len;
            spent = jrpc_clock_now_us(clock) - begin;
        } while (spent * 10 < total_us);
        double speed = (double)bytes / (double)(spent == 0 ? 1 : spent);
        best = speed > best ? speed : best;
    }
    return best;
}

static void compare(const char *name, jrpc_slice text, int64_t total_us)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    double ours = measure(read_ours, &document, text, total_us);
    double theirs = measure(read_cjson, NULL, text, total_us);
    double once = measure(read_ours_once, NULL, text, total_us);
    jrpc_json_document_done(&document);
    if (theirs <= 0) {
        printf("%s: cJSON refused the text\n", name);
        return;
    }
    printf("%s: %.2f times cJSON (ours %.0f MB/s, cJSON %.0f MB/s, %zu bytes)\n", name,
           ours / theirs, ours, theirs, text.len);
    printf("%s, memory not kept: %.2f times cJSON\n", name, once / theirs);
}

static const char request[] = "{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":"
                              "{\"subtrahend\":23,\"minuend\":42},\"id\":\"q-000001\"}";

static void write_batch(jrpc_buffer *out, size_t count)
{
    (void)jrpc_buffer_append_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        (void)jrpc_buffer_printf(out,
                                 "%s{\"jsonrpc\":\"2.0\",\"method\":\"subtract\",\"params\":"
                                 "[%zu,%zu],\"id\":%zu}",
                                 i == 0 ? "" : ",", i * 3, i, i);
    }
    (void)jrpc_buffer_append_char(out, ']');
}

// Records as an API would answer: short names, numbers, sentences, some not ASCII, nested lists.
static void write_records(jrpc_buffer *out, size_t bytes, bool indented)
{
    jrpc_random random;
    jrpc_random_init(&random, 1);
    const char *gap = indented ? "\n      " : "";
    (void)jrpc_buffer_append_str(out, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":[");
    for (size_t i = 0; out->len < bytes && !out->failed; i++) {
        unsigned score = (unsigned)jrpc_random_below(&random, 100000);
        (void)jrpc_buffer_printf(
            out,
            "%s{%s\"id\":%zu,%s\"name\":\"record number %zu\",%s\"active\":%s,%s\"score\":%u.%02u,"
            "%s\"tags\":[\"alpha\",\"beta\",\"gamma\"],%s\"note\":\"%s\",%s\"parent\":null}",
            i == 0 ? "" : ",", gap, i, gap, i, gap, i % 2 == 0 ? "true" : "false", gap, score / 100,
            score % 100, gap, gap,
            i % 8 == 0 ? "caf\xC3\xA9 \\\"quoted\\\" text with \\u00e9scapes"
                       : "a sentence of plain words that says what the record is about",
            gap);
    }
    (void)jrpc_buffer_append_str(out, "]}");
}

int main(int argc, char **argv)
{
    int64_t total_us = (argc > 1 ? strtol(argv[1], NULL, 10) : 400) * 1000;
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), (size_t)64 << 20);
    compare("request", jrpc_slice_of(request, sizeof request - 1), total_us);
    write_batch(&text, 1000);
    compare("batch of 1000", jrpc_buffer_slice(&text), total_us);
    jrpc_buffer_clear(&text);
    write_records(&text, (size_t)10 << 20, false);
    compare("10 MB document", jrpc_buffer_slice(&text), total_us * 3);
    jrpc_buffer_clear(&text);
    write_records(&text, (size_t)10 << 20, true);
    compare("10 MB document, indented", jrpc_buffer_slice(&text), total_us * 3);
    jrpc_buffer_done(&text);
    return 0;
}
