// Shared by the tests of the report room: feeding a format and getting what it wrote.
#ifndef REPORT_TEST_H
#define REPORT_TEST_H

// cmocka.h needs these four before it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "harness/report/report.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <stdlib.h>
#include <string.h>

// Feeds a stream, line by line, to one format. Returns what it wrote: owned, free().
static inline char *rendered_by(const jck_report_format *format, jrpc_slice stream,
                                jck_report_options options)
{
    assert_non_null(format);
    char *text = NULL;
    size_t len = 0;
    FILE *out = open_memstream(&text, &len);
    assert_non_null(out);
    void *state = format->open(out, &options);
    assert_non_null(state);
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_error error = {0};
    while (stream.len > 0) {
        const char *end = memchr(stream.ptr, '\n', stream.len);
        size_t line_len = end == NULL ? stream.len : (size_t)(end - stream.ptr);
        jrpc_slice line = jrpc_slice_of(stream.ptr, line_len);
        if (!jrpc_json_read(&document, line, JRPC_LIMIT_DEPTH, &error)) {
            fail_msg("%s in %.80s", error.message, stream.ptr);
        }
        assert_true(format->event(state, jrpc_json_root(&document), line, &error));
        stream = jrpc_slice_from(stream, line_len + (end != NULL));
    }
    assert_true(format->close(state, &error));
    jrpc_json_document_done(&document);
    assert_int_equal(fclose(out), 0);
    // A NUL in what was written would hide the rest from strstr and strcmp.
    assert_int_equal(strlen(text), len);
    return text;
}

static inline char *rendered(const char *format_name, jrpc_slice stream, jck_report_options options)
{
    return rendered_by(jck_report_format_named(jrpc_slice_str(format_name)), stream, options);
}

// The content of tests/unit/report/golden/NAME: owned, free().
static inline char *golden(const char *name)
{
    char path[256];
    (void)snprintf(path, sizeof path, "tests/unit/report/golden/%s", name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        fail_msg("%s is missing", path);
    }
    char *text = calloc(1, 1 << 20);
    assert_non_null(text);
    size_t len = fread(text, 1, (1 << 20) - 1, file);
    assert_int_equal(strlen(text), len);
    assert_int_equal(fclose(file), 0);
    return text;
}

#endif
