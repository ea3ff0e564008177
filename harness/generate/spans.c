#include "harness/generate/spans.h"

#include "reference/json/scan.h"

#include <stdbool.h>

// What numbers and literals consist of.
static bool is_bare(uint8_t byte)
{
    static const bool bare[256] = {
        ['0'] = true, ['1'] = true, ['2'] = true, ['3'] = true, ['4'] = true, ['5'] = true,
        ['6'] = true, ['7'] = true, ['8'] = true, ['9'] = true, ['a'] = true, ['b'] = true,
        ['c'] = true, ['d'] = true, ['e'] = true, ['f'] = true, ['g'] = true, ['h'] = true,
        ['i'] = true, ['j'] = true, ['k'] = true, ['l'] = true, ['m'] = true, ['n'] = true,
        ['o'] = true, ['p'] = true, ['q'] = true, ['r'] = true, ['s'] = true, ['t'] = true,
        ['u'] = true, ['v'] = true, ['w'] = true, ['x'] = true, ['y'] = true, ['z'] = true,
        ['-'] = true, ['+'] = true, ['.'] = true, ['E'] = true};
    return bare[byte];
}

static size_t string_end(const uint8_t *text, size_t size, size_t at)
{
    const char *end = (const char *)text + size;
    const char *p = (const char *)text + at + 1;
    while ((p = jrpc_scan_plain(p, end)) != end) {
        if (*p == '"') {
            return (size_t)(p - (const char *)text) + 1;
        }
        p += *p == '\\' && end - p > 1 ? 2 : 1;
    }
    return size;
}

static size_t skip_space(const uint8_t *text, size_t size, size_t at)
{
    while (at < size && jrpc_scan_is_space((char)text[at])) {
        at++;
    }
    return at;
}

void jck_spans_find(jck_spans *found, const uint8_t *text, size_t size)
{
    found->count = 0;
    int open = -1;
    size_t name = SIZE_MAX;
    size_t left_out = 0; // containers that are open and were not noted
    for (size_t at = 0; at < size && (found->count < JCK_SPANS_MAX || open >= 0);) {
        uint8_t byte = text[at];
        size_t end = at + 1;
        bool bracket = byte == '{' || byte == '[';
        bool closing = byte == '}' || byte == ']';
        if (found->count == JCK_SPANS_MAX && (bracket || byte == '"' || left_out > 0)) {
            // No more are noted, but those that are open end where they are closed.
            left_out += bracket ? 1 : 0;
            left_out -= closing ? 1 : 0;
            end = byte == '"' ? string_end(text, size, at) : end;
        } else if (closing && open >= 0) {
            found->list[open].end = at + 1;
            open = found->list[open].parent;
        } else if (found->count < JCK_SPANS_MAX && (bracket || byte == '"' || is_bare(byte))) {
            if (byte == '"') {
                end = string_end(text, size, at);
                size_t colon = skip_space(text, size, end);
                if (name == SIZE_MAX && colon < size && text[colon] == ':') {
                    name = at;
                    at = colon + 1;
                    continue;
                }
            } else if (!bracket) {
                while (end < size && is_bare(text[end])) {
                    end++;
                }
            }
            char kind = bracket || byte == '"' ? (char)byte : '0';
            found->list[found->count] = (jck_text_span){at, bracket ? size : end, name, kind, open};
            open = bracket ? (int)found->count : open;
            found->count++;
            name = SIZE_MAX;
        }
        at = end;
    }
}
