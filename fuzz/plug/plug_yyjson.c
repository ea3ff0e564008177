// yyjson: strict, numbers that no double holds as they are spelled.
#include "fuzz/plug/plug.h"

#include <stdio.h>
#include <yyjson.h>

const char *plug_name(void)
{
    return "yyjson " YYJSON_VERSION_STRING;
}

bool plug_parse(const char *text, size_t len, char **ret_spelled)
{
    *ret_spelled = NULL;
    yyjson_doc *document = yyjson_read(text, len, YYJSON_READ_BIGNUM_AS_RAW);
    if (document == NULL) {
        return false;
    }
    *ret_spelled = yyjson_write(document, YYJSON_WRITE_ALLOW_INVALID_UNICODE, NULL);
    yyjson_doc_free(document);
    return true;
}
