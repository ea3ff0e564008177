#include "reference/adapter/behave.h"

#include <ctype.h>
#include <stdlib.h>
#include <unistd.h>

#define CRASH_DEPTH 1000
#define CRASH_DIGITS 1000

unsigned jrpc_depth_of(jrpc_slice text)
{
    unsigned depth = 0;
    unsigned deepest = 0;
    bool string = false;
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        if (string && c == '\\') {
            i++;
        } else if (c == '"') {
            string = !string;
        } else if (!string && (c == '[' || c == '{')) {
            depth++;
            deepest = depth > deepest ? depth : deepest;
        } else if (!string && (c == ']' || c == '}') && depth > 0) {
            depth--;
        }
    }
    return deepest;
}

static size_t longest_digits(jrpc_slice text)
{
    size_t longest = 0;
    size_t run = 0;
    for (size_t i = 0; i < text.len; i++) {
        run = isdigit((unsigned char)text.ptr[i]) ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static size_t count_of(jrpc_slice text, const char *bytes)
{
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += text.ptr[i] != '\0' && strchr(bytes, text.ptr[i]) != NULL ? 1 : 0;
    }
    return count;
}

// Work that grows like the square of `count`.
static void burn(size_t count)
{
    volatile size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            sum = sum + k;
        }
    }
}

// Which bytes each slow fault is slow over, and how many of them are one step.
static const struct {
    jrpc_parser_fault fault;
    const char *bytes;
    size_t each;
} slow[] = {
    {JRPC_FAULT_SLOW_DEPTH, "[", 16},    {JRPC_FAULT_SLOW_DIGITS, "0123456789", 64},
    {JRPC_FAULT_SLOW_ELEMENTS, ",", 20}, {JRPC_FAULT_SLOW_ESCAPES, "\\", 20},
    {JRPC_FAULT_SLOW_MEMBERS, ":", 8},   {JRPC_FAULT_SLOW_SPACE, " ", 64},
    {JRPC_FAULT_SLOW_STRINGS, "a", 64},
};

void jrpc_behave(jrpc_parser_fault fault, jrpc_slice text)
{
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        if (slow[i].fault == fault) {
            burn(count_of(text, slow[i].bytes) / slow[i].each);
        }
    }
    bool crash = (fault == JRPC_FAULT_CRASH_ON_DEPTH && jrpc_depth_of(text) > CRASH_DEPTH) ||
                 (fault == JRPC_FAULT_CRASH_ON_DIGITS && longest_digits(text) >= CRASH_DIGITS) ||
                 (fault == JRPC_FAULT_CRASH_ON_EMPTY && text.len == 0) ||
                 (fault == JRPC_FAULT_CRASH_ON_SURROGATE &&
                  jrpc_slice_contains(text, JRPC_SLICE("\\ud800\"")));
    if (crash) {
        abort();
    }
    if (fault == JRPC_FAULT_HANGS_ON_OPEN_ESCAPE && text.len > 0 &&
        text.ptr[text.len - 1] == '\\') {
        for (;;) {
            (void)pause();
        }
    }
}
