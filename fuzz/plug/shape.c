// A plug without an oracle: parses, writes and frees. What executions a second are measured beside,
// where the parser is built as ours is (scripts/fuzz speed --beside).
#include "fuzz/fuzz.h"
#include "fuzz/plug/plug.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_REQUIRE(text != NULL);
    if (size != 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    char *spelled = NULL;
    (void)plug_parse(text, size, &spelled);
    free(spelled);
    free(text);
    return 0;
}
