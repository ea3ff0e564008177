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

// Work that grows with the square of `count`.
static void burn(size_t count)
{
    volatile size_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < count; k++) {
            sum = sum + k;
        }
    }
}

// Memory that grows with the square of `count`, touched and freed.
static void hoard(size_t count)
{
    char *kept = count > 0 ? malloc(count * count) : NULL;
    if (kept != NULL) {
        memset(kept, 1, count * count);
        free(kept);
    }
}

// Hash tables of the names in a text, with hashes for which collisions are easily found.
#define SLOTS 4096

typedef size_t hash_of_name(jrpc_slice name);

static size_t polynomial(jrpc_slice name, size_t factor)
{
    size_t hash = 0;
    for (size_t i = 0; i < name.len; i++) {
        hash = hash * factor + (unsigned char)name.ptr[i];
    }
    return hash;
}

static size_t hash_by_31(jrpc_slice name)
{
    return polynomial(name, 31);
}

static size_t hash_by_33(jrpc_slice name)
{
    return polynomial(name, 33);
}

static size_t hash_by_sum(jrpc_slice name)
{
    return polynomial(name, 1);
}

// A number is its own hash; other names are spread well.
static size_t hash_of_number(jrpc_slice name)
{
    size_t value = 0;
    for (size_t i = 0; i < name.len; i++) {
        if (!isdigit((unsigned char)name.ptr[i])) {
            return polynomial(name, 1000003);
        }
        value = value * 10 + (size_t)(name.ptr[i] - '0');
    }
    return value;
}

// All in one slot.
static size_t hash_of_none(jrpc_slice name)
{
    (void)name;
    return 0;
}

static const struct {
    jrpc_parser_fault fault;
    hash_of_name *hash;
} tables[] = {
    {JRPC_FAULT_SLOW_COLLISIONS_31, hash_by_31},
    {JRPC_FAULT_SLOW_COLLISIONS_33, hash_by_33},
    {JRPC_FAULT_SLOW_COLLISIONS_OF_NUMBERS, hash_of_number},
    {JRPC_FAULT_SLOW_COLLISIONS_OF_SUMS, hash_by_sum},
    {JRPC_FAULT_SLOW_NAMES, hash_of_none},
};

// How many names of members are in the fullest slot; each is counted unless it equals the one
// before.
static size_t fullest_slot(jrpc_slice text, hash_of_name *hash)
{
    static const size_t each = 2;
    size_t *slots = calloc(SLOTS, sizeof *slots);
    size_t fullest = 0;
    jrpc_slice name = {NULL, 0};
    for (size_t i = 0; slots != NULL && i < text.len; i++) {
        if (text.ptr[i] != '"') {
            continue;
        }
        const char *end = memchr(text.ptr + i + 1, '"', text.len - i - 1);
        if (end == NULL) {
            break;
        }
        jrpc_slice next = jrpc_slice_of(text.ptr + i + 1, (size_t)(end - text.ptr) - i - 1);
        i = (size_t)(end - text.ptr);
        if (i + 1 < text.len && text.ptr[i + 1] == ':' && !jrpc_slice_equal(name, next)) {
            name = next;
            size_t count = ++slots[hash(name) % SLOTS];
            fullest = count > fullest ? count : fullest;
        }
    }
    free(slots);
    return fullest / each;
}

// Which bytes each slow or memory-hungry fault counts, how many of them make one step, and what the
// steps use up.
static const struct {
    jrpc_parser_fault fault;
    const char *bytes;
    size_t each;
    void (*use)(size_t count);
} greedy[] = {
    {JRPC_FAULT_HOARDS_ON_DEPTH, "[", 11, hoard},
    {JRPC_FAULT_HOARDS_ON_ELEMENTS, ",", 24, hoard},
    {JRPC_FAULT_HOARDS_ON_ESCAPES, "\\", 24, hoard},
    {JRPC_FAULT_HOARDS_ON_STRINGS, "a", 48, hoard},
    {JRPC_FAULT_SLOW_DEPTH, "[", 8, burn},
    {JRPC_FAULT_SLOW_DIGITS, "0123456789", 64, burn},
    {JRPC_FAULT_SLOW_ELEMENTS, ",", 16, burn},
    {JRPC_FAULT_SLOW_ESCAPES, "\\", 16, burn},
    {JRPC_FAULT_SLOW_MEMBERS, ":", 4, burn},
    {JRPC_FAULT_SLOW_SPACE, " ", 64, burn},
    {JRPC_FAULT_SLOW_STRINGS, "a", 64, burn},
};

void jrpc_behave(jrpc_parser_fault fault, jrpc_slice text)
{
    for (size_t i = 0; i < sizeof greedy / sizeof *greedy; i++) {
        if (greedy[i].fault == fault) {
            greedy[i].use(count_of(text, greedy[i].bytes) / greedy[i].each);
        }
    }
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        if (tables[i].fault == fault) {
            burn(fullest_slot(text, tables[i].hash));
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
