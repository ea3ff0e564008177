// jansson: any value, not only containers, and strings with \\u0000.
#include "fuzz/plug/plug.h"

#include <jansson.h>

const char *plug_name(void)
{
    return "jansson " JANSSON_VERSION;
}

bool plug_parse(const char *text, size_t len, char **ret_spelled)
{
    *ret_spelled = NULL;
    json_error_t error;
    json_t *value = json_loadb(text, len, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (value == NULL) {
        return false;
    }
    *ret_spelled = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
    json_decref(value);
    return true;
}
