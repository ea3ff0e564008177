#include "fuzz/told.h"

#include "fuzz/fuzz.h"

void fuzz_tell(void *context, const jrpc_error *error)
{
    fuzz_told *told = context;
    told->count++;
    FUZZ_REQUIRE(error->code != JRPC_OK && error->message[0] != '\0');
    if (error->code == JRPC_ERROR_MEMORY) {
        told->memory++;
        FUZZ_REQUIRE(told->memory == 1);
        return;
    }
    FUZZ_REQUIRE(error->source[0] != '\0');
    FUZZ_REQUIRE(error->line != 0 && error->column != 0);
    FUZZ_REQUIRE(told->lines == 0 || error->line <= told->lines);
}

size_t fuzz_count_lines(jrpc_slice text)
{
    size_t lines = 1;
    for (size_t i = 0; i < text.len; i++) {
        lines += text.ptr[i] == '\n' ? 1 : 0;
    }
    return lines;
}
