#include "fuzz/mutator/edit.h"
#include "fuzz/mutator/mutator.h"

#include "fuzz/fuzz.h"

typedef bool operation(edit *e);

static bool put_value(edit *e, const span *s, jrpc_slice bytes)
{
    return edit_replace(e, s->begin, s->end, bytes.ptr, bytes.len);
}

static bool set_scalar(edit *e)
{
    const span *s = edit_pick_span(e);
    return put_value(e, s, edit_pick(e, &mutator_scalars));
}

static bool splice(edit *e)
{
    const span *from = edit_pick_span(e);
    const span *to = edit_pick_span(e);
    return edit_replace(e, to->begin, to->end, e->data + from->begin, from->end - from->begin);
}

// The value once more, name and all, behind itself.
static bool duplicate(edit *e)
{
    const span *s = edit_pick_span(e);
    size_t begin = edit_begin_of(s);
    return edit_replace(e, s->end, s->end, e->data + begin, s->end - begin) &&
           edit_replace(e, s->end, s->end, ",", 1);
}

static bool delete_value(edit *e)
{
    const span *s = edit_pick_span(e);
    size_t begin = edit_begin_of(s);
    size_t end = s->end;
    if (end < e->size && e->data[end] == ',') {
        end++;
    } else if (begin > 0 && e->data[begin - 1] == ',') {
        begin--;
    }
    return edit_replace(e, begin, end, NULL, 0);
}

static bool hoist(edit *e)
{
    const span *s = edit_pick_span(e);
    if (s->parent < 0) {
        return false;
    }
    const span *parent = &e->found.list[s->parent];
    return edit_replace(e, parent->begin, parent->end, e->data + s->begin, s->end - s->begin);
}

static bool swap(edit *e)
{
    const span *a = edit_pick_span(e);
    const span *b = edit_pick_span(e);
    if (a->begin > b->begin) {
        const span *c = a;
        a = b;
        b = c;
    }
    if (a->end > b->begin) {
        return false;
    }
    size_t a_len = a->end - a->begin;
    size_t b_len = b->end - b->begin;
    // The second gets a copy of the first, then the first one of the second, which has moved.
    return edit_replace(e, b->end, b->end, e->data + a->begin, a_len) &&
           edit_replace(e, a->begin, a->end, e->data + b->begin, b_len) &&
           edit_replace(e, b->begin + b_len - a_len, b->end + b_len - a_len, NULL, 0);
}

static bool wrap(edit *e)
{
    const span *s = edit_pick_span(e);
    bool object = edit_below(e, 3) == 0;
    if (!edit_replace(e, s->end, s->end, object ? "}" : "]", 1)) {
        return false;
    }
    if (!object) {
        return edit_replace(e, s->begin, s->begin, "[", 1);
    }
    jrpc_slice name = edit_pick(e, &mutator_names);
    return edit_replace(e, s->begin, s->begin, ":", 1) &&
           edit_replace(e, s->begin, s->begin, name.ptr, name.len) &&
           edit_replace(e, s->begin, s->begin, "{", 1);
}

// Deep nesting around a value, closed or not.
static bool nest(edit *e)
{
    uint8_t brackets[1200];
    const span *s = edit_pick_span(e);
    size_t depth = edit_below(e, 4) == 0 ? edit_below(e, sizeof brackets) : edit_below(e, 140);
    if (edit_below(e, 4) != 0) {
        memset(brackets, ']', depth);
        if (!edit_replace(e, s->end, s->end, brackets, depth)) {
            return false;
        }
    }
    memset(brackets, '[', depth);
    return edit_replace(e, s->begin, s->begin, brackets, depth);
}

static bool rename_member(edit *e)
{
    const span *s = edit_pick_span(e);
    if (s->name == SIZE_MAX) {
        return false;
    }
    jrpc_slice name = edit_pick(e, &mutator_names);
    size_t end = s->name + 1;
    while (end < s->begin && e->data[end] != '"') {
        end += e->data[end] == '\\' ? 2 : 1;
    }
    return end < s->begin && edit_replace(e, s->name, end + 1, name.ptr, name.len);
}

static bool add_member(edit *e)
{
    const span *s = edit_pick_span(e);
    if (s->kind != '{' || s->end - s->begin < 2) {
        return false;
    }
    jrpc_slice value = edit_pick(e, &mutator_scalars);
    jrpc_slice name = edit_pick(e, &mutator_names);
    size_t at = s->begin + 1;
    bool empty = e->data[at] == '}';
    return edit_replace(e, at, at, ",", empty ? 0 : 1) &&
           edit_replace(e, at, at, value.ptr, value.len) && edit_replace(e, at, at, ":", 1) &&
           edit_replace(e, at, at, name.ptr, name.len);
}

static bool set_message(edit *e)
{
    const span *s = edit_pick_span(e);
    return put_value(e, s, edit_pick(e, &mutator_messages));
}

// Makes a batch of the text, with one more message, or takes its brackets away.
static bool batch(edit *e)
{
    const span *first = &e->found.list[0];
    if (first->kind == '[' && first->end <= e->size && first->end >= first->begin + 2 &&
        edit_below(e, 3) == 0) {
        return edit_replace(e, first->end - 1, first->end, NULL, 0) &&
               edit_replace(e, first->begin, first->begin + 1, NULL, 0);
    }
    jrpc_slice message = edit_pick(e, &mutator_messages);
    size_t at = first->kind == '[' ? first->begin + 1 : 0;
    if (first->kind != '[' &&
        (!edit_replace(e, e->size, e->size, "]", 1) || !edit_replace(e, 0, 0, "[", 1))) {
        return false;
    }
    at = first->kind == '[' ? at : 1;
    return edit_replace(e, at, at, ",", 1) && edit_replace(e, at, at, message.ptr, message.len);
}

static bool escape(edit *e)
{
    const span *s = edit_pick_span(e);
    size_t begin = edit_below(e, 2) == 0 && s->name != SIZE_MAX ? s->name : s->begin;
    if (e->data[begin] != '"' || s->end - begin < 3) {
        return false;
    }
    static const char *const odd[] = {
        "\\\\",    "\\\"",     "\\u0000",          "\\ud83d\\ude00", "\\ud800",  "\\udc00", "\\/",
        "\\u005c", "\xC3\xA9", "\xF0\x9F\x98\x80", "\xED\xA0\x80",   "\xC0\x80", "\\uD8",   "\\x"};
    size_t end = begin + 1;
    while (end < e->size && e->data[end] != '"') {
        end++;
    }
    size_t at = begin + 1 + edit_below(e, end - begin);
    if (at >= e->size) {
        return false;
    }
    if (edit_below(e, 2) == 0) {
        const char *text = odd[edit_below(e, sizeof odd / sizeof *odd)];
        return edit_replace(e, at, at, text, strlen(text));
    }
    static const char digits[] = "0123456789abcdefABCDEF";
    char unit[7] = "\\u00";
    unit[4] = digits[e->data[at] >> 4];
    unit[5] =
        digits[(e->data[at] & 15) + (edit_below(e, 2) == 0 && (e->data[at] & 15) > 9 ? 6 : 0)];
    return e->data[at] != '"' && e->data[at] != '\\' && edit_replace(e, at, at + 1, unit, 6);
}

// Quotes what was not quoted, and the other way round.
static bool retype(edit *e)
{
    const span *s = edit_pick_span(e);
    if (s->kind == '"') {
        return s->end - s->begin > 2 && edit_replace(e, s->end - 1, s->end, NULL, 0) &&
               edit_replace(e, s->begin, s->begin + 1, NULL, 0);
    }
    return s->kind == '0' && edit_replace(e, s->end, s->end, "\"", 1) &&
           edit_replace(e, s->begin, s->begin, "\"", 1);
}

static bool respell_number(edit *e)
{
    static const char *const tails[] = {".0",
                                        "e0",
                                        "E+1",
                                        "e-1",
                                        "0",
                                        ".5",
                                        "e400",
                                        "e-400",
                                        "9",
                                        "e9223372036854775807",
                                        ".",
                                        "e",
                                        "00000000000000000001"};
    const span *s = edit_pick_span(e);
    if (s->kind != '0') {
        return false;
    }
    if (edit_below(e, 4) == 0) {
        return edit_replace(e, s->begin, s->begin, "-", 1);
    }
    const char *tail = tails[edit_below(e, sizeof tails / sizeof *tails)];
    return edit_replace(e, s->end, s->end, tail, strlen(tail));
}

static bool add_space(edit *e)
{
    static const char *const spaces[] = {" ", "\n", "\r\n", "\t", "\xEF\xBB\xBF", "\v", "\f"};
    const span *s = edit_pick_span(e);
    const char *space = spaces[edit_below(e, sizeof spaces / sizeof *spaces)];
    size_t at = edit_below(e, 2) == 0 ? s->begin : s->end;
    return edit_replace(e, at, at, space, strlen(space));
}

static bool change_byte(edit *e)
{
    static const char marks[] = "{}[]\":,\\ \n\r0-.eE+tfnu\x7F\x80\xFF";
    size_t at = edit_below(e, e->size + 1);
    char byte = marks[edit_below(e, sizeof marks)];
    size_t end = at + (at < e->size && edit_below(e, 2) == 0 ? 1 : 0);
    return edit_replace(e, at, end, &byte, edit_below(e, 4) == 0 ? 0 : 1);
}

static bool flip_bit(edit *e)
{
    if (e->size == 0) {
        return false;
    }
    e->data[edit_below(e, e->size)] ^= (uint8_t)(1u << edit_below(e, 8));
    return true;
}

static bool cut(edit *e)
{
    size_t at = edit_below(e, e->size + 1);
    size_t len = edit_below(e, 2) == 0 ? e->size - at : edit_below(e, 8);
    return edit_replace(e, at, at + (len < e->size - at ? len : e->size - at), NULL, 0);
}

static bool insert_table_bytes(edit *e)
{
    jrpc_slice bytes = edit_pick(e, edit_below(e, 3) == 0 ? &mutator_messages : &mutator_bytes);
    size_t at = edit_below(e, 3) == 0 ? edit_below(e, e->size + 1) : e->size;
    return edit_replace(e, at, at, bytes.ptr, bytes.len);
}

static bool replace_all(edit *e)
{
    jrpc_slice message = edit_pick(e, &mutator_messages);
    return edit_replace(e, 0, e->size, message.ptr, message.len);
}

static operation *const on_values[] = {
    set_scalar, set_scalar, splice, duplicate,     delete_value,   hoist,
    swap,       wrap,       nest,   rename_member, add_member,     set_message,
    batch,      escape,     escape, retype,        respell_number, add_space};
static operation *const on_bytes[] = {change_byte, flip_bit, cut, insert_table_bytes, change_byte};

static void change_text(edit *e)
{
    spans_find(&e->found, e->data, e->size);
    for (int attempt = 0; attempt < 8; attempt++) {
        bool bytes = e->found.count == 0 || edit_below(e, 12) == 0;
        if (bytes && edit_below(e, 16) == 0 && replace_all(e)) {
            return;
        }
        operation *const *choice =
            bytes ? &on_bytes[edit_below(e, sizeof on_bytes / sizeof *on_bytes)]
                  : &on_values[edit_below(e, sizeof on_values / sizeof *on_values)];
        size_t before = e->size;
        if ((*choice)(e)) {
            return;
        }
        if (e->size != before) {
            return; // half done: the spans are no longer true
        }
    }
}

// Options: a NUL and at most FUZZ_OPTION_BYTES bytes, changed in one of ten mutations.
static size_t change_options(edit *e, uint8_t *options, size_t len)
{
    if (edit_below(e, 10) != 0) {
        return len;
    }
    options[0] = 0;
    len = len == 0 ? 1 : len;
    if (len <= FUZZ_OPTION_BYTES && edit_below(e, 2) == 0) {
        options[len++] = 0;
    }
    if (len > 1) {
        // Never NUL: the options would end there.
        options[1 + edit_below(e, len - 1)] = (uint8_t)(1 + edit_below(e, 255));
        for (size_t i = 1; i < len; i++) {
            options[i] = options[i] == 0 ? 1 : options[i];
        }
    }
    return len;
}

// One for all: engines mutate in one thread, and a sanitizer's malloc would cost more than the
// change.
static edit current;

size_t mutator_mutate(uint8_t *data, size_t size, size_t room, uint64_t seed)
{
    edit *e = &current;
    fuzz_input input = fuzz_input_of(data, size);
    uint8_t options[FUZZ_OPTION_BYTES + 1] = {0};
    size_t option_len = size - input.text.len;
    if (option_len != 0) {
        memcpy(options, data + input.text.len, option_len);
    }
    e->data = data;
    e->size = input.text.len;
    e->room = room;
    jrpc_random_init(&e->random, seed);
    change_text(e);
    option_len = change_options(e, options, option_len);
    if (option_len <= room - e->size) {
        memcpy(data + e->size, options, option_len);
        e->size += option_len;
    }
    return e->size;
}

size_t mutator_cross(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                     size_t room, uint64_t seed)
{
    size_t size = a_size < room ? a_size : room;
    if (size != 0) {
        memcpy(out, a, size);
    }
    edit *e = &current;
    jrpc_random_init(&e->random, seed);
    spans_find(&e->found, b, fuzz_input_of(b, b_size).text.len);
    if (e->found.count != 0) {
        span donor = *edit_pick_span(e);
        e->data = out;
        e->size = size;
        e->room = room;
        spans_find(&e->found, out, fuzz_input_of(out, size).text.len);
        if (e->found.count != 0) {
            const span *place = edit_pick_span(e);
            (void)edit_replace(e, place->begin, place->end, b + donor.begin,
                               donor.end - donor.begin);
            size = e->size;
        }
    }
    return size;
}
