#include "harness/generate/mutate.h"

typedef bool operation(jck_edit *e);

static bool put_value(jck_edit *e, const jck_text_span *s, jrpc_slice bytes)
{
    return jck_edit_replace(e, s->begin, s->end, bytes.ptr, bytes.len);
}

static bool set_scalar(jck_edit *e)
{
    const jck_text_span *s = jck_edit_pick_span(e);
    return put_value(e, s, jck_edit_pick(e, &e->vocabulary->scalars));
}

static bool splice(jck_edit *e)
{
    const jck_text_span *from = jck_edit_pick_span(e);
    const jck_text_span *to = jck_edit_pick_span(e);
    return jck_edit_replace(e, to->begin, to->end, e->data + from->begin, from->end - from->begin);
}

// Duplicates the value with its name, right after itself.
static bool duplicate(jck_edit *e)
{
    const jck_text_span *s = jck_edit_pick_span(e);
    size_t begin = jck_edit_begin_of(s);
    return jck_edit_replace(e, s->end, s->end, e->data + begin, s->end - begin) &&
           jck_edit_replace(e, s->end, s->end, ",", 1);
}

static bool delete_value(jck_edit *e)
{
    const jck_text_span *s = jck_edit_pick_span(e);
    size_t begin = jck_edit_begin_of(s);
    size_t end = s->end;
    if (end < e->size && e->data[end] == ',') {
        end++;
    } else if (begin > 0 && e->data[begin - 1] == ',') {
        begin--;
    }
    return jck_edit_replace(e, begin, end, NULL, 0);
}

static bool hoist(jck_edit *e)
{
    const jck_text_span *s = jck_edit_pick_span(e);
    if (s->parent < 0) {
        return false;
    }
    const jck_text_span *parent = &e->found.list[s->parent];
    return jck_edit_replace(e, parent->begin, parent->end, e->data + s->begin, s->end - s->begin);
}

static bool swap(jck_edit *e)
{
    const jck_text_span *a = jck_edit_pick_span(e);
    const jck_text_span *b = jck_edit_pick_span(e);
    if (a->begin > b->begin) {
        const jck_text_span *c = a;
        a = b;
        b = c;
    }
    if (a->end > b->begin) {
        return false;
    }
    size_t a_len = a->end - a->begin;
    size_t b_len = b->end - b->begin;
    // The second gets a copy of the first, then the first one of the second, which has moved.
    return jck_edit_replace(e, b->end, b->end, e->data + a->begin, a_len) &&
           jck_edit_replace(e, a->begin, a->end, e->data + b->begin, b_len) &&
           jck_edit_replace(e, b->begin + b_len - a_len, b->end + b_len - a_len, NULL, 0);
}

static bool wrap(jck_edit *e)
{
    const jck_text_span *s = jck_edit_pick_span(e);
    bool object = jck_edit_below(e, 3) == 0;
    if (!jck_edit_replace(e, s->end, s->end, object ? "}" : "]", 1)) {
        return false;
    }
    if (!object) {
        return jck_edit_replace(e, s->begin, s->begin, "[", 1);
    }
    jrpc_slice name = jck_edit_pick(e, &e->vocabulary->names);
    return jck_edit_replace(e, s->begin, s->begin, ":", 1) &&
           jck_edit_replace(e, s->begin, s->begin, name.ptr, name.len) &&
           jck_edit_replace(e, s->begin, s->begin, "{", 1);
}

// Nests a value deeply, with brackets closed or not.
static bool nest(jck_edit *e)
{
    uint8_t brackets[1200];
    const jck_text_span *s = jck_edit_pick_span(e);
    size_t depth =
        jck_edit_below(e, 4) == 0 ? jck_edit_below(e, sizeof brackets) : jck_edit_below(e, 140);
    if (jck_edit_below(e, 4) != 0) {
        memset(brackets, ']', depth);
        if (!jck_edit_replace(e, s->end, s->end, brackets, depth)) {
            return false;
        }
    }
    memset(brackets, '[', depth);
    return jck_edit_replace(e, s->begin, s->begin, brackets, depth);
}

static bool rename_member(jck_edit *e)
{
    const jck_text_span *s = jck_edit_pick_span(e);
    if (s->name == SIZE_MAX) {
        return false;
    }
    jrpc_slice name = jck_edit_pick(e, &e->vocabulary->names);
    size_t end = s->name + 1;
    while (end < s->begin && e->data[end] != '"') {
        end += e->data[end] == '\\' ? 2 : 1;
    }
    return end < s->begin && jck_edit_replace(e, s->name, end + 1, name.ptr, name.len);
}

static bool add_member(jck_edit *e)
{
    const jck_text_span *s = jck_edit_pick_span(e);
    if (s->kind != '{' || s->end - s->begin < 2) {
        return false;
    }
    jrpc_slice value = jck_edit_pick(e, &e->vocabulary->scalars);
    jrpc_slice name = jck_edit_pick(e, &e->vocabulary->names);
    size_t at = s->begin + 1;
    bool empty = e->data[at] == '}';
    return jck_edit_replace(e, at, at, ",", empty ? 0 : 1) &&
           jck_edit_replace(e, at, at, value.ptr, value.len) &&
           jck_edit_replace(e, at, at, ":", 1) && jck_edit_replace(e, at, at, name.ptr, name.len);
}

static bool set_message(jck_edit *e)
{
    const jck_text_span *s = jck_edit_pick_span(e);
    return put_value(e, s, jck_edit_pick(e, &e->vocabulary->messages));
}

// Turns the text into a batch with one more message, or removes its brackets.
static bool batch(jck_edit *e)
{
    const jck_text_span *first = &e->found.list[0];
    if (first->kind == '[' && first->end <= e->size && first->end >= first->begin + 2 &&
        jck_edit_below(e, 3) == 0) {
        return jck_edit_replace(e, first->end - 1, first->end, NULL, 0) &&
               jck_edit_replace(e, first->begin, first->begin + 1, NULL, 0);
    }
    jrpc_slice message = jck_edit_pick(e, &e->vocabulary->messages);
    size_t at = first->kind == '[' ? first->begin + 1 : 0;
    if (first->kind != '[' &&
        (!jck_edit_replace(e, e->size, e->size, "]", 1) || !jck_edit_replace(e, 0, 0, "[", 1))) {
        return false;
    }
    at = first->kind == '[' ? at : 1;
    return jck_edit_replace(e, at, at, ",", 1) &&
           jck_edit_replace(e, at, at, message.ptr, message.len);
}

static bool escape(jck_edit *e)
{
    const jck_text_span *s = jck_edit_pick_span(e);
    size_t begin = jck_edit_below(e, 2) == 0 && s->name != SIZE_MAX ? s->name : s->begin;
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
    size_t at = begin + 1 + jck_edit_below(e, end - begin);
    if (at >= e->size) {
        return false;
    }
    if (jck_edit_below(e, 2) == 0) {
        const char *text = odd[jck_edit_below(e, sizeof odd / sizeof *odd)];
        return jck_edit_replace(e, at, at, text, strlen(text));
    }
    static const char digits[] = "0123456789abcdefABCDEF";
    char unit[7] = "\\u00";
    unit[4] = digits[e->data[at] >> 4];
    unit[5] =
        digits[(e->data[at] & 15) + (jck_edit_below(e, 2) == 0 && (e->data[at] & 15) > 9 ? 6 : 0)];
    return e->data[at] != '"' && e->data[at] != '\\' && jck_edit_replace(e, at, at + 1, unit, 6);
}

// Quotes what was not quoted, or the other way round.
static bool retype(jck_edit *e)
{
    const jck_text_span *s = jck_edit_pick_span(e);
    if (s->kind == '"') {
        return s->end - s->begin > 2 && jck_edit_replace(e, s->end - 1, s->end, NULL, 0) &&
               jck_edit_replace(e, s->begin, s->begin + 1, NULL, 0);
    }
    return s->kind == '0' && jck_edit_replace(e, s->end, s->end, "\"", 1) &&
           jck_edit_replace(e, s->begin, s->begin, "\"", 1);
}

static bool respell_number(jck_edit *e)
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
    const jck_text_span *s = jck_edit_pick_span(e);
    if (s->kind != '0') {
        return false;
    }
    if (jck_edit_below(e, 4) == 0) {
        return jck_edit_replace(e, s->begin, s->begin, "-", 1);
    }
    const char *tail = tails[jck_edit_below(e, sizeof tails / sizeof *tails)];
    return jck_edit_replace(e, s->end, s->end, tail, strlen(tail));
}

static bool add_space(jck_edit *e)
{
    static const char *const spaces[] = {" ", "\n", "\r\n", "\t", "\xEF\xBB\xBF", "\v", "\f"};
    const jck_text_span *s = jck_edit_pick_span(e);
    const char *space = spaces[jck_edit_below(e, sizeof spaces / sizeof *spaces)];
    size_t at = jck_edit_below(e, 2) == 0 ? s->begin : s->end;
    return jck_edit_replace(e, at, at, space, strlen(space));
}

static bool change_byte(jck_edit *e)
{
    static const char marks[] = "{}[]\":,\\ \n\r0-.eE+tfnu\x7F\x80\xFF";
    size_t at = jck_edit_below(e, e->size + 1);
    char byte = marks[jck_edit_below(e, sizeof marks)];
    size_t end = at + (at < e->size && jck_edit_below(e, 2) == 0 ? 1 : 0);
    return jck_edit_replace(e, at, end, &byte, jck_edit_below(e, 4) == 0 ? 0 : 1);
}

static bool flip_bit(jck_edit *e)
{
    if (e->size == 0) {
        return false;
    }
    e->data[jck_edit_below(e, e->size)] ^= (uint8_t)(1u << jck_edit_below(e, 8));
    return true;
}

static bool cut(jck_edit *e)
{
    size_t at = jck_edit_below(e, e->size + 1);
    size_t len = jck_edit_below(e, 2) == 0 ? e->size - at : jck_edit_below(e, 8);
    return jck_edit_replace(e, at, at + (len < e->size - at ? len : e->size - at), NULL, 0);
}

static bool insert_table_bytes(jck_edit *e)
{
    jrpc_slice bytes = jck_edit_pick(e, jck_edit_below(e, 3) == 0 ? &e->vocabulary->messages
                                                                  : &e->vocabulary->bytes);
    size_t at = jck_edit_below(e, 3) == 0 ? jck_edit_below(e, e->size + 1) : e->size;
    return jck_edit_replace(e, at, at, bytes.ptr, bytes.len);
}

static bool replace_all(jck_edit *e)
{
    jrpc_slice message = jck_edit_pick(e, &e->vocabulary->messages);
    return jck_edit_replace(e, 0, e->size, message.ptr, message.len);
}

static operation *const on_values[] = {
    set_scalar, set_scalar, splice, duplicate,     delete_value,   hoist,
    swap,       wrap,       nest,   rename_member, add_member,     set_message,
    batch,      escape,     escape, retype,        respell_number, add_space};
static operation *const on_bytes[] = {change_byte, flip_bit, cut, insert_table_bytes, change_byte};

static void change_text(jck_edit *e)
{
    jck_spans_find(&e->found, e->data, e->size);
    for (int attempt = 0; attempt < 8; attempt++) {
        bool bytes = e->found.count == 0 || jck_edit_below(e, 12) == 0;
        if (bytes && jck_edit_below(e, 16) == 0 && replace_all(e)) {
            return;
        }
        operation *const *choice =
            bytes ? &on_bytes[jck_edit_below(e, sizeof on_bytes / sizeof *on_bytes)]
                  : &on_values[jck_edit_below(e, sizeof on_values / sizeof *on_values)];
        size_t before = e->size;
        if ((*choice)(e)) {
            return;
        }
        if (e->size != before) {
            return; // half done: the spans are no longer valid
        }
    }
}

static jck_edit *begin(jck_mutator *mutator, uint8_t *data, size_t size, size_t room, uint64_t seed)
{
    jck_edit *e = &mutator->edit;
    e->data = data;
    e->size = size;
    e->room = room;
    jrpc_random_init(&e->random, seed);
    return e;
}

void jck_mutator_init(jck_mutator *mutator, const jck_vocabulary *vocabulary)
{
    *mutator = (jck_mutator){.edit.vocabulary = vocabulary};
}

size_t jck_mutate(jck_mutator *mutator, uint8_t *data, size_t size, size_t room, uint64_t seed)
{
    jck_edit *e = begin(mutator, data, size, room, seed);
    change_text(e);
    return e->size;
}

size_t jck_cross(jck_mutator *mutator, const uint8_t *a, size_t a_size, const uint8_t *b,
                 size_t b_size, uint8_t *out, size_t room, uint64_t seed)
{
    size_t size = a_size < room ? a_size : room;
    if (size != 0) {
        memcpy(out, a, size);
    }
    jck_edit *e = begin(mutator, out, size, room, seed);
    jck_spans_find(&e->found, b, b_size);
    if (e->found.count == 0) {
        return size;
    }
    jck_text_span donor = *jck_edit_pick_span(e);
    jck_spans_find(&e->found, out, size);
    if (e->found.count != 0) {
        const jck_text_span *place = jck_edit_pick_span(e);
        (void)jck_edit_replace(e, place->begin, place->end, b + donor.begin,
                               donor.end - donor.begin);
    }
    return e->size;
}
