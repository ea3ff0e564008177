#include "fuzz/told.h"

#include "fuzz/fuzz.h"

// The byte at a place of the text, or NUL.
static char byte_at(jrpc_slice text, size_t line, size_t column)
{
    size_t at = 0;
    for (; at < text.len && line > 1; at++) {
        line -= text.ptr[at] == '\n' ? 1 : 0;
    }
    return at + column <= text.len ? text.ptr[at + column - 1] : '\0';
}

// The place of a wrong hexadecimal digit is right. Other sentences do not say enough to be checked,
// and escapes move what comes after them.
static void require_place(jrpc_slice text, const jrpc_error *error)
{
    bool of_digits = strstr(error->message, "needs pairs of hexadecimal digits") != NULL;
    char byte = byte_at(text, error->line, error->column);
    bool digit = byte != '\0' && strchr("0123456789abcdefABCDEF", byte) != NULL;
    FUZZ_REQUIRE(!of_digits || !digit || memchr(text.ptr, '\\', text.len) != NULL);
}

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
    if (told->text.ptr != NULL) {
        require_place(told->text, error);
    }
}

size_t fuzz_count_lines(jrpc_slice text)
{
    size_t lines = 1;
    for (size_t i = 0; i < text.len; i++) {
        lines += text.ptr[i] == '\n' ? 1 : 0;
    }
    return lines;
}
