#include "harness/generate/reduce.h"

#include "harness/generate/spans.h"
#include "reference/base/utf8.h"
#include "reference/json/scan.h"

#include <string.h>

typedef struct reduction {
    jrpc_buffer *text;
    jrpc_buffer candidate;
    size_t probes;
    size_t probes_max;
    bool stopped;
    jck_try_text *try_text;
    void *context;
    jck_spans spans;
} reduction;

static bool goes_on(const reduction *r)
{
    return !r->stopped && r->probes < r->probes_max;
}

// Whether the text with [begin, end) replaced by other bytes still shows it; if so the replacement
// is kept.
static bool try_replacing(reduction *r, size_t begin, size_t end, jrpc_slice bytes)
{
    if (!goes_on(r) || (begin == 0 && end == r->text->len && bytes.len == 0)) {
        return false;
    }
    jrpc_slice whole = jrpc_buffer_slice(r->text);
    jrpc_buffer_clear(&r->candidate);
    bool made = jrpc_buffer_append(&r->candidate, jrpc_slice_of(whole.ptr, begin)) &&
                (bytes.len == 0 || jrpc_buffer_append(&r->candidate, bytes)) &&
                jrpc_buffer_append(&r->candidate, jrpc_slice_from(whole, end));
    if (!made) {
        return false;
    }
    r->probes++;
    switch (r->try_text(r->context, jrpc_buffer_slice(&r->candidate))) {
    case JCK_PROBE_SHOWS:
        break;
    case JCK_PROBE_LACKS:
        return false;
    case JCK_PROBE_STOPS:
        r->stopped = true;
        return false;
    }
    jrpc_buffer_clear(r->text);
    return jrpc_buffer_append(r->text, jrpc_buffer_slice(&r->candidate));
}

// The range from one value, with its name, to a later one of the same container, and one adjacent
// comma.
static void widen(const reduction *r, const jck_text_span *first, const jck_text_span *last,
                  size_t *ret_begin, size_t *ret_end)
{
    const char *text = r->text->ptr;
    size_t begin = first->name != SIZE_MAX ? first->name : first->begin;
    size_t end = last->end;
    size_t before = begin;
    size_t after = end;
    while (after < r->text->len && jrpc_scan_is_space(text[after])) {
        after++;
    }
    while (before > 0 && jrpc_scan_is_space(text[before - 1])) {
        before--;
    }
    if (after < r->text->len && text[after] == ',') {
        end = after + 1;
    } else if (before > 0 && text[before - 1] == ',') {
        begin = before - 1;
    }
    *ret_begin = begin;
    *ret_end = end;
}

// Fewer elements are simplified one by one soon enough.
#define ALIKE_LEAST 4u

// Counts the elements of an Array, and finds the shortest one. The Array may have more elements
// than jck_spans can hold, and the brackets of the text may be wrong.
static size_t count_elements(jrpc_slice array, jrpc_slice *ret_shortest)
{
    size_t count = 0;
    size_t depth = 0;
    size_t from = 1;
    bool quoted = false;
    *ret_shortest = array;
    for (size_t i = 1; i < array.len; i++) {
        const char c = array.ptr[i];
        if (quoted) {
            i += c == '\\';
            quoted = c != '"';
            continue;
        }
        quoted = c == '"';
        depth += c == '[' || c == '{' ? 1 : 0;
        if (depth == 0 && (c == ',' || i + 1 == array.len)) {
            const jrpc_slice element = jrpc_slice_of(array.ptr + from, i - from);
            *ret_shortest = element.len < ret_shortest->len ? element : *ret_shortest;
            from = i + 1;
            count++;
        }
        depth -= (c == ']' || c == '}') && depth > 0 ? 1 : 0;
    }
    return count;
}

// Replaces all elements of an Array with the same one. If only the number of elements matters, none
// of them can be left out, and without this each of them would have to be simplified.
static bool make_alike(reduction *r, const jck_text_span *span)
{
    const jrpc_slice array = jrpc_slice_of(r->text->ptr + span->begin, span->end - span->begin);
    jrpc_slice shortest;
    const size_t count = count_elements(array, &shortest);
    const jrpc_slice candidates[] = {JRPC_SLICE_INIT("0"), shortest};
    bool alike = false;
    jrpc_buffer made;
    jrpc_buffer_init(&made, r->text->allocator, r->text->maximum);
    for (size_t c = 0; c < 2 && !alike && count >= ALIKE_LEAST; c++) {
        jrpc_buffer_clear(&made);
        for (size_t i = 0; i < count; i++) {
            (void)jrpc_buffer_append_char(&made, i == 0 ? '[' : ',');
            (void)jrpc_buffer_append(&made, candidates[c]);
        }
        alike = jrpc_buffer_append_char(&made, ']') && made.len < array.len &&
                try_replacing(r, span->begin, span->end, jrpc_buffer_slice(&made));
    }
    jrpc_buffer_done(&made);
    return alike;
}

static bool make_elements_alike(reduction *r)
{
    bool smaller = false;
    jck_spans_find(&r->spans, (const uint8_t *)r->text->ptr, r->text->len);
    for (size_t i = 0; i < r->spans.count && goes_on(r); i++) {
        const jck_text_span span = r->spans.list[i];
        if (span.kind == '[' && make_alike(r, &span)) {
            smaller = true;
            jck_spans_find(&r->spans, (const uint8_t *)r->text->ptr, r->text->len);
        }
    }
    return smaller;
}

// Removes members and elements, the outer ones first, many neighbours at once before each alone.
static bool leave_out_values(reduction *r)
{
    bool smaller = false;
    jck_spans_find(&r->spans, (const uint8_t *)r->text->ptr, r->text->len);
    for (size_t run = r->spans.count / 2; goes_on(r); run /= 2) {
        for (size_t i = 1; i < r->spans.count && goes_on(r);) {
            // The last of the neighbours: `run` values of the same container.
            size_t last = i;
            size_t taken = 1;
            for (size_t k = i + 1; k < r->spans.count && taken < run; k++) {
                bool sibling = r->spans.list[k].parent == r->spans.list[i].parent;
                last = sibling ? k : last;
                taken += sibling ? 1 : 0;
            }
            size_t begin;
            size_t end;
            widen(r, &r->spans.list[i], &r->spans.list[last], &begin, &end);
            if (taken >= run && try_replacing(r, begin, end, (jrpc_slice){NULL, 0})) {
                smaller = true;
                jck_spans_find(&r->spans, (const uint8_t *)r->text->ptr, r->text->len);
            } else {
                i += run > 1 ? run : 1;
            }
        }
        if (run == 0) {
            break;
        }
    }
    return smaller;
}

// Replaces containers with a value that they contain.
static bool lift_values(reduction *r)
{
    bool smaller = false;
    jck_spans_find(&r->spans, (const uint8_t *)r->text->ptr, r->text->len);
    for (size_t i = 1; i < r->spans.count && goes_on(r); i++) {
        const jck_text_span *span = &r->spans.list[i];
        if (span->parent < 0) {
            continue;
        }
        const jck_text_span *around = &r->spans.list[span->parent];
        jrpc_slice value = jrpc_slice_of(r->text->ptr + span->begin, span->end - span->begin);
        if (try_replacing(r, around->begin, around->end, value)) {
            smaller = true;
            jck_spans_find(&r->spans, (const uint8_t *)r->text->ptr, r->text->len);
            i = 0;
        }
    }
    return smaller;
}

// Simplifies one value; returns whether the text still shows it.
static bool simplify(reduction *r, const jck_text_span *span)
{
    static const char *const simple[] = {"0", "1", "\"\"", "\"a\"", "[]", "{}"};
    size_t len = span->end - span->begin;
    for (size_t i = 0; i < sizeof simple / sizeof *simple; i++) {
        size_t simple_len = strlen(simple[i]);
        bool plainer =
            simple_len < len || (simple_len == len && i == 0 && r->text->ptr[span->begin] != '0');
        if (plainer && try_replacing(r, span->begin, span->end, jrpc_slice_str(simple[i]))) {
            return true;
        }
    }
    return false;
}

// Makes the name of a member empty; returns whether the text still shows it.
static bool simplify_name(reduction *r, const jck_text_span *span)
{
    if (span->name == SIZE_MAX || r->text->ptr[span->name] != '"') {
        return false;
    }
    size_t end = span->name + 1;
    while (end < span->begin && r->text->ptr[end] != '"') {
        end += r->text->ptr[end] == '\\' ? 2 : 1;
    }
    return end < span->begin && end > span->name + 1 &&
           try_replacing(r, span->name + 1, end, (jrpc_slice){NULL, 0});
}

static bool simplify_values(reduction *r)
{
    bool smaller = false;
    jck_spans_find(&r->spans, (const uint8_t *)r->text->ptr, r->text->len);
    for (size_t i = 0; i < r->spans.count && goes_on(r); i++) {
        const jck_text_span span = r->spans.list[i];
        if ((span.end - span.begin > 1 && simplify(r, &span)) || simplify_name(r, &span)) {
            smaller = true;
            jck_spans_find(&r->spans, (const uint8_t *)r->text->ptr, r->text->len);
        }
    }
    return smaller;
}

// Where a piece that begins at `at` ends. UTF-8 characters are not split; invalid bytes are pieces
// of their own.
static size_t end_of_piece(const reduction *r, size_t at, size_t len)
{
    size_t end = at;
    while (end < r->text->len && end - at < len) {
        size_t character = jrpc_utf8_sequence(r->text->ptr + end, r->text->len - end, NULL);
        end += character > 0 ? character : 1;
    }
    return end;
}

// Removes pieces of bytes, smaller and smaller ones.
static bool leave_out_bytes(reduction *r)
{
    bool smaller = false;
    size_t least = r->text->len > 2048 ? r->text->len / 512 : 1;
    for (size_t len = r->text->len / 2; len >= least && len > 0 && goes_on(r); len /= 2) {
        for (size_t at = 0; at < r->text->len && goes_on(r);) {
            size_t end = end_of_piece(r, at, len);
            if (try_replacing(r, at, end, (jrpc_slice){NULL, 0})) {
                smaller = true;
            } else {
                at = end;
            }
        }
    }
    return smaller;
}

static size_t reduce(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text, void *context,
                     bool bytes)
{
    reduction r = {
        .text = text, .probes_max = probes_max, .try_text = try_text, .context = context};
    jrpc_buffer_init(&r.candidate, text->allocator, text->maximum);
    for (bool smaller = true; smaller && goes_on(&r);) {
        smaller = make_elements_alike(&r);
        smaller = leave_out_values(&r) || smaller;
        smaller = lift_values(&r) || smaller;
        smaller = simplify_values(&r) || smaller;
        smaller = (bytes && leave_out_bytes(&r)) || smaller;
    }
    jrpc_buffer_done(&r.candidate);
    return r.probes;
}

size_t jck_reduce(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text, void *context)
{
    return reduce(text, probes_max, try_text, context, true);
}

size_t jck_reduce_values(jrpc_buffer *text, size_t probes_max, jck_try_text *try_text,
                         void *context)
{
    return reduce(text, probes_max, try_text, context, false);
}
