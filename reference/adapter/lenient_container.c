// Arrays and objects.
#include "reference/adapter/lenient.h"

#include <stdlib.h>

#define MEMBERS_MAX 4096

static bool may_close(jrpc_lenient *in, char bracket)
{
    char other = bracket == ']' ? '}' : ']';
    int c = jrpc_lenient_peek(in);
    bool round = jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_ROUND_BRACKETS) && (c == ')' || c == '>');
    // One bit of an integer for each open container.
    bool forgotten = jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_MISMATCHED_DEEP) && in->depth > 32;
    if (c == bracket || round ||
        ((jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_MISMATCHED) || forgotten) && c == other)) {
        in->p++;
        return true;
    }
    return c < 0 &&
           (in->closing || jrpc_lenient_has(in, bracket == ']' ? JRPC_FAULT_CLOSES_ARRAYS
                                                               : JRPC_FAULT_CLOSES_OBJECTS));
}

typedef enum separator {
    SEPARATOR_NONE,
    SEPARATOR_COMMA,
    SEPARATOR_LAST, // the closing bracket may follow
} separator;

static separator take_separator(jrpc_lenient *in, bool object)
{
    bool comma = jrpc_lenient_take(in, ",");
    if (!comma &&
        ((jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_SEMICOLON) && jrpc_lenient_take(in, ";")) ||
         (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_FULLWIDTH) &&
          jrpc_lenient_take(in, "\xEF\xBC\x8C")) ||
         (!object && jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_COLON_IN_ARRAY) &&
          jrpc_lenient_take(in, ":")))) {
        return SEPARATOR_COMMA;
    }
    if (!comma) {
        return jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_MISSING_COMMA) ? SEPARATOR_COMMA
                                                                      : SEPARATOR_NONE;
    }
    bool doubled = jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_DOUBLE_COMMA);
    while (doubled && jrpc_lenient_take(in, ",")) {
    }
    bool last = doubled || jrpc_lenient_has(in, object ? JRPC_FAULT_ACCEPTS_TRAILING_COMMA_OBJECT
                                                       : JRPC_FAULT_ACCEPTS_TRAILING_COMMA);
    bool cut = jrpc_lenient_has(in, JRPC_FAULT_CLOSES_ARRAYS) ||
               jrpc_lenient_has(in, JRPC_FAULT_CLOSES_OBJECTS);
    return last || (cut && in->p == in->end) ? SEPARATOR_LAST : SEPARATOR_COMMA;
}

// Whether the element just written is one that the fault drops.
static bool is_lost(const jrpc_lenient *in, jrpc_slice written, jrpc_slice before, size_t count)
{
    switch (in->fault) {
    case JRPC_FAULT_DROPS_NULL_ELEMENTS:
        return jrpc_slice_is(written, "null");
    case JRPC_FAULT_DROPS_EMPTY_STRINGS:
        return jrpc_slice_is(written, "\"\"");
    case JRPC_FAULT_DROPS_REPEATED_ELEMENTS:
        return jrpc_slice_equal(written, before);
    case JRPC_FAULT_DROPS_LONG_ARRAYS:
        return count > 65536;
    case JRPC_FAULT_CUTS_CONTAINERS_AT_100:
        return count >= 100;
    default: // only these of the faults concern elements
        return false;
    }
}

static void finish_array(jrpc_lenient *in, size_t begin, size_t count, size_t last)
{
    jrpc_buffer *out = in->out;
    if (jrpc_lenient_has(in, JRPC_FAULT_SORTS_ELEMENTS) && count > 1) {
        // Move the last element to the front.
        jrpc_slice element = jrpc_slice_of(out->ptr + last, out->len - last);
        char *copy = malloc(element.len + 1);
        if (copy != NULL) {
            memcpy(copy, element.ptr, element.len);
            copy[element.len] = ',';
            memmove(out->ptr + begin + 1 + element.len + 1, out->ptr + begin + 1, last - begin - 2);
            memcpy(out->ptr + begin + 1, copy, element.len + 1);
            free(copy);
        }
    }
    if (jrpc_lenient_has(in, JRPC_FAULT_UNWRAPS_SINGLE_ELEMENTS) && count == 1) {
        memmove(out->ptr + begin, out->ptr + begin + 1, out->len - begin - 1);
        jrpc_buffer_truncate(out, out->len - 1);
        return;
    }
    if (jrpc_lenient_has(in, JRPC_FAULT_EMPTY_ARRAY_AS_NULL) && count == 0) {
        jrpc_buffer_truncate(out, begin);
        jrpc_buffer_append_str(out, "null");
        return;
    }
    jrpc_buffer_append_char(out, ']');
}

bool jrpc_lenient_array(jrpc_lenient *in)
{
    jrpc_buffer *out = in->out;
    size_t begin = out->len;
    size_t count = 0;
    size_t last = out->len;
    bool more = false;
    in->p++;
    if (++in->depth > JRPC_LENIENT_DEPTH || !jrpc_buffer_append_char(out, '[')) {
        return false;
    }
    if (!jrpc_lenient_space(in)) {
        return false;
    }
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_LEADING_COMMA)) {
        (void)jrpc_lenient_take(in, ",");
    }
    while (more || !may_close(in, ']')) {
        size_t element = out->len + (count > 0 ? 1 : 0);
        if (count > 0 && !jrpc_buffer_append_char(out, ',')) {
            return false;
        }
        if (!jrpc_lenient_value(in) || !jrpc_lenient_space(in)) {
            return false;
        }
        jrpc_slice before =
            count == 0 ? (jrpc_slice){NULL, 0} : jrpc_slice_of(out->ptr + last, element - 1 - last);
        if (is_lost(in, jrpc_slice_of(out->ptr + element, out->len - element), before, count)) {
            jrpc_buffer_truncate(out, count > 0 ? element - 1 : element);
        } else {
            last = element;
            count++;
        }
        if (may_close(in, ']')) {
            break;
        }
        separator between = take_separator(in, false);
        more = between == SEPARATOR_COMMA;
        if (between == SEPARATOR_NONE || !jrpc_lenient_space(in)) {
            return false;
        }
    }
    in->depth--;
    finish_array(in, begin, count, last);
    return true;
}

typedef struct member {
    size_t begin, name_end, value, end; // in `out`
} member;

typedef struct members {
    member *items;
    size_t count;
} members;

// A name that is not a string, as its spelling.
static bool take_odd_name(jrpc_lenient *in)
{
    int c = jrpc_lenient_peek(in);
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_MISSING_NAME) && c == ':') {
        return jrpc_buffer_append_str(in->out, "\"\"");
    }
    const char *begin = in->p;
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_BARE_NAMES)) {
        jrpc_lenient_skip_to(in, ":,}]");
    } else if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_OTHER_NAMES) ||
               jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_DECIMAL_COMMA)) {
        size_t kept = in->out->len;
        if (!jrpc_lenient_value(in)) {
            return false;
        }
        jrpc_buffer_truncate(in->out, kept);
    }
    if (in->p == begin) {
        return false;
    }
    jrpc_buffer_clear(&in->content);
    return jrpc_buffer_append(&in->content, jrpc_slice_of(begin, (size_t)(in->p - begin))) &&
           jrpc_lenient_put(in, true);
}

// The colon, or its replacement. *ret_value is false if the value is missing.
static bool take_colon(jrpc_lenient *in, bool *ret_value)
{
    bool missing = jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_MISSING_VALUE);
    bool colon = jrpc_lenient_take(in, ":");
    if (!colon) {
        colon = jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_MISSING_COLON) ||
                (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_EQUALS) &&
                 (jrpc_lenient_take(in, "=>") || jrpc_lenient_take(in, "="))) ||
                (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_COMMA_FOR_COLON) &&
                 (jrpc_lenient_take(in, ",") || jrpc_lenient_take(in, ";")));
    }
    if (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_DOUBLE_COLON)) {
        (void)jrpc_lenient_take(in, ":");
    }
    int c = jrpc_lenient_peek(in);
    bool cut = c < 0 && (in->closing || jrpc_lenient_has(in, JRPC_FAULT_CLOSES_OBJECTS));
    *ret_value = !cut && !(missing && (c == ',' || c == '}'));
    return colon || !*ret_value ||
           (jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_DECIMAL_COMMA) && c == '}');
}

static bool is_lost_member(const jrpc_lenient *in, jrpc_slice name, jrpc_slice value, size_t count)
{
    switch (in->fault) {
    case JRPC_FAULT_DROPS_NULL_MEMBERS:
        return jrpc_slice_is(value, "null");
    case JRPC_FAULT_DROPS_EMPTY_NAME:
        return jrpc_slice_is(name, "\"\"");
    case JRPC_FAULT_DROPS_PROTO:
        return jrpc_slice_is(name, "\"__proto__\"") || jrpc_slice_is(name, "\"constructor\"");
    case JRPC_FAULT_CUTS_CONTAINERS_AT_100:
        return count >= 100;
    case JRPC_FAULT_DROPS_DOLLAR:
        return name.len > 1 && name.ptr[1] == '$';
    default: // only these of the faults concern members
        return false;
    }
}

static bool unites_names(jrpc_parser_fault fault)
{
    return fault == JRPC_FAULT_KEEPS_FIRST || fault == JRPC_FAULT_KEEPS_LAST ||
           fault == JRPC_FAULT_MERGES_DUPLICATES || fault == JRPC_FAULT_NAMES_IGNORE_CASE ||
           fault == JRPC_FAULT_NAMES_NORMALIZE || fault == JRPC_FAULT_NUMERIC_NAMES_MERGE ||
           fault == JRPC_FAULT_CUTS_AT_NUL || fault == JRPC_FAULT_REPLACES_SURROGATES ||
           fault == JRPC_FAULT_TRIMS_STRINGS || fault == JRPC_FAULT_REFUSES_DUPLICATES;
}

static void delete_range(jrpc_buffer *out, size_t begin, size_t end)
{
    memmove(out->ptr + begin, out->ptr + end, out->len - end);
    jrpc_buffer_truncate(out, out->len - (end - begin));
}

// The newest member has the name of an older one. False if that is refused.
static bool unite(jrpc_lenient *in, members *list, size_t older, const member *newest)
{
    jrpc_buffer *out = in->out;
    member *first = &list->items[older];
    if (jrpc_lenient_has(in, JRPC_FAULT_REFUSES_DUPLICATES)) {
        return false;
    }
    bool objects = out->ptr[first->value] == '{' && out->ptr[newest->value] == '{';
    if (jrpc_lenient_has(in, JRPC_FAULT_KEEPS_FIRST)) {
        jrpc_buffer_truncate(out, newest->begin - 1); // with its comma
    } else if (jrpc_lenient_has(in, JRPC_FAULT_MERGES_DUPLICATES) && objects &&
               first->end + 1 == newest->begin) {
        // {…},"name":{…} becomes {…,…}.
        delete_range(out, first->end, newest->value + 1);
        out->ptr[first->end - 1] = ',';
        first->end = out->len;
    } else {
        size_t gone = first->end + 1 - first->begin;
        delete_range(out, first->begin, first->end + 1);
        for (size_t i = older; i + 1 < list->count; i++) {
            member moved = list->items[i + 1];
            list->items[i] = (member){moved.begin - gone, moved.name_end - gone, moved.value - gone,
                                      moved.end - gone};
        }
        list->items[list->count - 1] = (member){newest->begin - gone, newest->name_end - gone,
                                                newest->value - gone, newest->end - gone};
    }
    return true;
}

static bool add_member(jrpc_lenient *in, members *list, const member *newest)
{
    jrpc_buffer *out = in->out;
    jrpc_slice name = jrpc_slice_of(out->ptr + newest->begin, newest->name_end - newest->begin);
    if (is_lost_member(in, name,
                       jrpc_slice_of(out->ptr + newest->value, newest->end - newest->value),
                       list->count)) {
        jrpc_buffer_truncate(out, list->count > 0 ? newest->begin - 1 : newest->begin);
        return true;
    }
    for (size_t i = 0; unites_names(in->fault) && i < list->count; i++) {
        const member *older = &list->items[i];
        if (jrpc_slice_equal(
                name, jrpc_slice_of(out->ptr + older->begin, older->name_end - older->begin))) {
            return unite(in, list, i, newest);
        }
    }
    if (list->count == MEMBERS_MAX) {
        list->count--; // faults of wide objects do not concern names
    }
    list->items[list->count++] = *newest;
    return true;
}

static bool read_member(jrpc_lenient *in, members *list)
{
    jrpc_buffer *out = in->out;
    bool has_value = true;
    if (list->count > 0 && !jrpc_buffer_append_char(out, ',')) {
        return false;
    }
    member newest = {.begin = out->len};
    bool named = jrpc_lenient_is_quote(in) ? jrpc_lenient_string(in) && jrpc_lenient_put(in, true)
                                           : take_odd_name(in);
    newest.name_end = out->len;
    if (!named || !jrpc_lenient_space(in) || !take_colon(in, &has_value) ||
        !jrpc_buffer_append_char(out, ':')) {
        return false;
    }
    newest.value = out->len;
    has_value = has_value && !(jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_DECIMAL_COMMA) &&
                               jrpc_lenient_peek(in) == '}');
    if (has_value ? !jrpc_lenient_value(in) : !jrpc_buffer_append_str(out, "null")) {
        return false;
    }
    newest.end = out->len;
    return jrpc_lenient_space(in) && add_member(in, list, &newest);
}

static bool read_members(jrpc_lenient *in, members *list)
{
    bool more = false;
    while (more || !may_close(in, '}')) {
        if (!read_member(in, list)) {
            return false;
        }
        if (may_close(in, '}')) {
            break;
        }
        separator between = take_separator(in, true);
        more = between == SEPARATOR_COMMA;
        if (between == SEPARATOR_NONE || !jrpc_lenient_space(in)) {
            return false;
        }
    }
    return true;
}

bool jrpc_lenient_object(jrpc_lenient *in)
{
    in->p++;
    members list = {.items = malloc(MEMBERS_MAX * sizeof *list.items)};
    bool done = list.items != NULL && ++in->depth <= JRPC_LENIENT_DEPTH &&
                jrpc_buffer_append_char(in->out, '{') && jrpc_lenient_space(in);
    if (done && jrpc_lenient_has(in, JRPC_FAULT_ACCEPTS_LEADING_COMMA)) {
        (void)jrpc_lenient_take(in, ",");
    }
    done = done && read_members(in, &list);
    in->depth--;
    if (done && jrpc_lenient_has(in, JRPC_FAULT_EMPTY_OBJECT_AS_ARRAY) && list.count == 0) {
        in->out->ptr[in->out->len - 1] = '[';
        done = jrpc_buffer_append_char(in->out, ']');
    } else {
        done = done && jrpc_buffer_append_char(in->out, '}');
    }
    free(list.items);
    return done;
}
