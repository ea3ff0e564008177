#include "harness/report/cut.h"

#include "reference/base/utf8.h"

static size_t whole(jrpc_slice bytes, size_t at)
{
    return jrpc_utf8_boundary(bytes.ptr, bytes.len, at);
}

static void append_part(jrpc_buffer *out, jck_safe_place place, jrpc_slice bytes, size_t from,
                        size_t to)
{
    (void)jck_safe_append(out, place, jrpc_slice_of(bytes.ptr + from, to - from));
}

void jck_append_cut(jrpc_buffer *out, jck_safe_place place, jrpc_slice bytes, size_t true_len,
                    size_t max, size_t from, size_t to)
{
    if (bytes.len <= max && true_len <= bytes.len) {
        (void)jck_safe_append(out, place, bytes);
        return;
    }
    from = from < bytes.len ? from : bytes.len;
    to = to < bytes.len ? to : bytes.len;
    // A third each for the beginning, the difference and the end; the end of a capped message is
    // not known.
    bool ends = true_len <= bytes.len;
    bool differs = from < to;
    size_t third = max / 3;
    size_t first = differs ? third : 2 * third;
    size_t head = whole(bytes, first < bytes.len ? first : bytes.len);
    size_t tail = !ends ? bytes.len : whole(bytes, bytes.len > third ? bytes.len - third : 0);
    size_t around = from > third / 2 ? whole(bytes, from - third / 2) : 0;
    size_t after = whole(bytes, around + third < bytes.len ? around + third : bytes.len);
    tail = tail < head ? head : tail;
    around = around < head ? head : around;
    after = after > tail ? tail : after;
    append_part(out, place, bytes, 0, head);
    if (differs && around < after) {
        (void)jrpc_buffer_append_str(out, around > head ? "…" : "");
        append_part(out, place, bytes, around, after);
        head = after;
    }
    (void)jrpc_buffer_append_str(out, tail > head || !ends ? "…" : "");
    append_part(out, place, bytes, tail, bytes.len);
    (void)jrpc_buffer_printf(out, " (%zu bytes)", ends ? bytes.len : true_len);
}

void jck_difference_of(jrpc_slice text, jrpc_slice other, size_t *ret_from, size_t *ret_to)
{
    size_t least = text.len < other.len ? text.len : other.len;
    size_t from = 0;
    while (from < least && text.ptr[from] == other.ptr[from]) {
        from++;
    }
    size_t same = 0;
    while (same < least - from &&
           text.ptr[text.len - 1 - same] == other.ptr[other.len - 1 - same]) {
        same++;
    }
    *ret_from = from;
    *ret_to = text.len - same;
}
