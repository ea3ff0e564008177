// Prints where a plug disagrees with the reader: a line a class, with its count and its smallest
// example. The inputs are files and folders; the driver calls this as if it were a fuzz target.
#include "fuzz/fuzz.h"
#include "fuzz/plug/compare.h"
#include "fuzz/plug/plug.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXAMPLE_BYTES = 60 };

typedef struct line {
    size_t count;
    size_t len; // of the smallest example
    char example[EXAMPLE_BYTES];
} line;

// The table is printed when the program ends, and the entry point has no context.
static line lines[PLUG_CLASS_COUNT];

static void print_example(const line *l)
{
    for (size_t i = 0; i < l->len && i < EXAMPLE_BYTES; i++) {
        unsigned char byte = (unsigned char)l->example[i];
        (void)printf(byte >= 0x20 && byte < 0x7F ? "%c" : "\\x%02x", byte);
    }
    (void)printf(l->len > EXAMPLE_BYTES ? "... (%zu bytes)\n" : "\n", l->len);
}

static void print_table(void)
{
    size_t all = 0;
    for (size_t i = 0; i < PLUG_CLASS_COUNT; i++) {
        all += lines[i].count;
    }
    (void)printf("%s: %zu texts, %zu disagreements\n", plug_name(), all,
                 all - lines[PLUG_AGREES].count);
    for (size_t i = 1; i < PLUG_CLASS_COUNT; i++) {
        if (lines[i].count != 0) {
            (void)printf("%6zu  %-42s ", lines[i].count, plug_kind_of((plug_class)i)->title);
            print_example(&lines[i]);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool registered;
    if (!registered) {
        registered = true;
        FUZZ_REQUIRE(atexit(print_table) == 0);
    }
    line *l = &lines[plug_compare(jrpc_slice_of((const char *)data, size))];
    if (l->count++ == 0 || size < l->len) {
        l->len = size;
        memcpy(l->example, data, size < EXAMPLE_BYTES ? size : EXAMPLE_BYTES);
    }
    return 0;
}
