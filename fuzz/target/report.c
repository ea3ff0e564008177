// Whatever an event stream holds, every report of it is well formed: valid UTF-8 without control
// characters, and JSON, XML or TAP where it says so.
#include "harness/report/report.h"
#include "fuzz/fuzz.h"
#include "fuzz/model/grammar.h"
#include "reference/base/utf8.h"
#include "reference/json/read.h"

#include <stdio.h>
#include <stdlib.h>

enum { LINES_MAX = 16 };

static void require_text(jrpc_slice text, bool raw)
{
    for (size_t i = 0; i < text.len;) {
        unsigned char byte = (unsigned char)text.ptr[i];
        size_t len = jrpc_utf8_sequence(text.ptr + i, text.len - i, NULL);
        FUZZ_REQUIRE(len != 0);
        FUZZ_REQUIRE(raw || (byte >= 0x20 && byte != 0x7F) || byte == '\n');
        i += len;
    }
}

static void require_json_lines(jrpc_slice text, bool one)
{
    while (text.len != 0) {
        const char *feed = one ? NULL : memchr(text.ptr, '\n', text.len);
        size_t len = feed == NULL ? text.len : (size_t)(feed - text.ptr);
        FUZZ_REQUIRE(grammar_check(jrpc_slice_of(text.ptr, len), 1000).verdict == GRAMMAR_JSON);
        text = jrpc_slice_from(text, feed == NULL ? len : len + 1);
    }
}

// Tags are closed in order, attributes quoted, references known.
static void require_xml(jrpc_slice text)
{
    struct {
        const char *name;
        size_t len;
    } open[32];
    size_t depth = 0;
    size_t elements = 0;
    for (size_t i = 0; i < text.len; i++) {
        const char *p = text.ptr + i;
        size_t left = text.len - i;
        if (*p == '&') {
            const char *end = memchr(p, ';', left < 12 ? left : 12);
            FUZZ_REQUIRE(end != NULL && end - p > 2);
        }
        if (*p != '<') {
            FUZZ_REQUIRE(depth != 0 || *p == '\n' || *p == ' ');
            continue;
        }
        size_t end = 1;
        char quote = 0;
        for (; end < left && (quote != 0 || p[end] != '>'); end++) {
            FUZZ_REQUIRE(p[end] != '<');
            if (quote != 0) {
                quote = p[end] == quote ? 0 : quote;
            } else if (p[end] == '"' || p[end] == '\'') {
                quote = p[end];
            }
        }
        FUZZ_REQUIRE(end < left);
        i += end;
        if (p[1] == '?' || p[1] == '!') {
            continue;
        }
        bool closing = p[1] == '/';
        const char *name = p + (closing ? 2 : 1);
        size_t len = 0;
        while (strchr(" />\n", name[len]) == NULL) {
            len++;
        }
        if (closing) {
            FUZZ_REQUIRE(depth != 0 && open[depth - 1].len == len &&
                         memcmp(open[depth - 1].name, name, len) == 0);
            depth--;
        } else if (p[end - 1] != '/') {
            FUZZ_REQUIRE(depth < 32);
            elements += depth == 0 ? 1 : 0;
            open[depth].name = name;
            open[depth++].len = len;
        }
    }
    FUZZ_REQUIRE(depth == 0 && elements <= 1);
}

// Every line is one that TAP knows; points are numbered in order.
static void require_tap(jrpc_slice text)
{
    unsigned long expected = 1;
    bool yaml = false;
    while (text.len != 0) {
        const char *feed = memchr(text.ptr, '\n', text.len);
        size_t len = feed == NULL ? text.len : (size_t)(feed - text.ptr);
        jrpc_slice line = jrpc_slice_of(text.ptr, len);
        text = jrpc_slice_from(text, feed == NULL ? len : len + 1);
        if (jrpc_slice_is(line, "  ---") || jrpc_slice_is(line, "  ...")) {
            yaml = line.ptr[2] == '-';
            continue;
        }
        bool ok = jrpc_slice_starts_with(line, JRPC_SLICE("ok "));
        bool not_ok = jrpc_slice_starts_with(line, JRPC_SLICE("not ok "));
        if ((ok || not_ok) && !yaml) {
            FUZZ_REQUIRE(strtoul(line.ptr + (ok ? 3 : 7), NULL, 10) == expected++);
            continue;
        }
        FUZZ_REQUIRE(yaml ? jrpc_slice_starts_with(line, JRPC_SLICE("  "))
                          : line.len == 0 || line.ptr[0] == '#' ||
                                jrpc_slice_starts_with(line, JRPC_SLICE("TAP version")) ||
                                jrpc_slice_starts_with(line, JRPC_SLICE("1..")) ||
                                jrpc_slice_starts_with(line, JRPC_SLICE("Bail out!")));
    }
}

static void require_form(const char *name, jrpc_slice text)
{
    bool ndjson = strcmp(name, "ndjson") == 0;
    require_text(text, ndjson);
    if (ndjson || strcmp(name, "json") == 0) {
        require_json_lines(text, !ndjson);
    } else if (strcmp(name, "junit") == 0) {
        require_xml(text);
    } else if (strcmp(name, "tap") == 0) {
        require_tap(text);
    }
}

static void feed(const jck_report_format *format, void *state, jrpc_slice text)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    for (int n = 0; n < LINES_MAX && text.len != 0; n++) {
        const char *end = memchr(text.ptr, '\n', text.len);
        size_t len = end == NULL ? text.len : (size_t)(end - text.ptr);
        jrpc_slice line = jrpc_slice_of(text.ptr, len);
        text = jrpc_slice_from(text, end == NULL ? len : len + 1);
        if (jrpc_json_read(&document, line, 64, NULL) &&
            jrpc_json_is(jrpc_json_root(&document), JRPC_JSON_OBJECT)) {
            FUZZ_REQUIRE(format->event(state, jrpc_json_root(&document), line, NULL));
        }
    }
    jrpc_json_document_done(&document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fuzz_input input = fuzz_input_of(data, size);
    const jck_report_options options = {.verbose = (input.options[0] & 1) != 0,
                                        .quiet = (input.options[0] & 2) != 0};
    const jck_report_format *const *formats = jck_report_formats();
    for (size_t i = 0; formats[i] != NULL; i++) {
        char *text = NULL;
        size_t len = 0;
        FILE *out = open_memstream(&text, &len);
        FUZZ_REQUIRE(out != NULL);
        void *state = formats[i]->open(out, &options);
        FUZZ_REQUIRE(state != NULL);
        feed(formats[i], state, input.text);
        FUZZ_REQUIRE(formats[i]->close(state, NULL));
        FUZZ_REQUIRE(fclose(out) == 0);
        require_form(formats[i]->name, jrpc_slice_of(text, len));
        free(text);
    }
    return 0;
}
