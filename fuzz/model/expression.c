#include "fuzz/model/expression.h"

#include <string.h>

enum { ATOMS_MOST = EXPRESSION_MOST };

typedef struct atom {
    bool negated, any;
    bool holds[128];
    bool none, more; // may be left out, may be repeated
} atom;

typedef struct pattern {
    atom atoms[ATOMS_MOST];
    size_t count;
    bool from_start, to_end;
} pattern;

static const char special[] = ".[]()*+?{}|^$\\";

// One character in brackets or an escaped one; '\0' if the model has no opinion.
static char plain_at(jrpc_slice text, size_t *at, bool in_brackets)
{
    char c = text.ptr[*at];
    if (c == '\\') {
        char escaped = *at + 1 < text.len ? text.ptr[*at + 1] : '\0';
        bool known = escaped != '\0' &&
                     (strchr(special, escaped) != NULL || (in_brackets && escaped == '-'));
        *at += 2;
        return known ? escaped : '\0';
    }
    *at += 1;
    bool known = in_brackets ? strchr("[]\\^-", c) == NULL : strchr(special, c) == NULL;
    return known ? c : '\0';
}

static bool read_brackets(jrpc_slice text, size_t *at, atom *made)
{
    size_t members = 0;
    *at += 1;
    if (*at < text.len && text.ptr[*at] == '^') {
        made->negated = true;
        *at += 1;
    }
    while (*at < text.len && text.ptr[*at] != ']') {
        bool dash = text.ptr[*at] == '-' && *at + 1 < text.len && text.ptr[*at + 1] == ']';
        char first = dash ? '-' : plain_at(text, at, true);
        *at += dash ? 1 : 0;
        char last = first;
        if (!dash && *at + 1 < text.len && text.ptr[*at] == '-' && text.ptr[*at + 1] != ']') {
            *at += 1;
            last = plain_at(text, at, true);
        }
        if (first == '\0' || last < first) {
            return false;
        }
        for (int c = (unsigned char)first; c <= (unsigned char)last; c++) {
            made->holds[c] = true;
        }
        members++;
    }
    *at += 1;
    return members > 0 && *at <= text.len;
}

static bool read_pattern(jrpc_slice text, pattern *made)
{
    size_t at = 0;
    *made = (pattern){.count = 0};
    if (text.len > 0 && text.ptr[0] == '^') {
        made->from_start = true;
        at++;
    }
    while (at < text.len) {
        if (text.ptr[at] == '$' && at + 1 == text.len) {
            made->to_end = true;
            return true;
        }
        atom *one = &made->atoms[made->count++];
        if (made->count == ATOMS_MOST) {
            return false;
        }
        if (text.ptr[at] == '[') {
            if (!read_brackets(text, &at, one)) {
                return false;
            }
        } else if (text.ptr[at] == '.') {
            one->any = true;
            at++;
        } else {
            char c = plain_at(text, &at, false);
            if (c == '\0') {
                return false;
            }
            one->holds[(int)c] = true;
        }
        char quantifier = at < text.len ? text.ptr[at] : '\0';
        one->none = quantifier == '?' || quantifier == '*';
        one->more = quantifier == '+' || quantifier == '*';
        at += one->none || one->more ? 1 : 0;
    }
    return true;
}

static bool matches_here(const pattern *all, size_t number, jrpc_slice text)
{
    if (number == all->count) {
        return !all->to_end || text.len == 0;
    }
    const atom *one = &all->atoms[number];
    if (one->none && matches_here(all, number + 1, text)) {
        return true;
    }
    for (size_t taken = 0; taken < text.len && (one->more || taken == 0); taken++) {
        bool fits = one->any || one->holds[(int)text.ptr[taken]] != one->negated;
        if (!fits) {
            return false;
        }
        if (matches_here(all, number + 1, jrpc_slice_from(text, taken + 1))) {
            return true;
        }
    }
    return false;
}

static bool is_plain_text(jrpc_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < ' ' || text.ptr[i] > '~') {
            return false;
        }
    }
    return text.len < EXPRESSION_MOST;
}

expression_found expression_find(jrpc_slice spelled, jrpc_slice text)
{
    pattern all;
    unsigned repeats = 0; // each multiplies the work
    if (!is_plain_text(spelled) || !is_plain_text(text) || !read_pattern(spelled, &all)) {
        return EXPRESSION_UNKNOWN;
    }
    for (size_t i = 0; i < all.count; i++) {
        repeats += all.atoms[i].more;
    }
    bool found = false;
    for (size_t at = 0; repeats < 4 && at <= text.len && !found; at += all.from_start ? 100 : 1) {
        found = matches_here(&all, 0, jrpc_slice_from(text, at));
    }
    return repeats >= 4 ? EXPRESSION_UNKNOWN : found ? EXPRESSION_FOUND : EXPRESSION_NOT_FOUND;
}
