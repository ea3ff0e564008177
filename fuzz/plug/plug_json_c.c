// json-c in its strict mode, as its manual asks for untrusted text: the whole text, UTF-8 checked.
#include "fuzz/plug/plug.h"

#include <json.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 256 };

const char *plug_name(void)
{
    return "json-c " JSON_C_VERSION;
}

bool plug_parse(const char *text, size_t len, char **ret_spelled)
{
    *ret_spelled = NULL;
    struct json_tokener *tokener = json_tokener_new_ex(DEPTH);
    if (tokener == NULL || len >= INT_MAX) {
        return false;
    }
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
    // The NUL after the text tells it that a number at the end is whole.
    struct json_object *value = json_tokener_parse_ex(tokener, text, (int)len + 1);
    bool taken = json_tokener_get_error(tokener) == json_tokener_success &&
                 json_tokener_get_parse_end(tokener) >= len;
    if (taken) {
        size_t written = 0;
        const char *spelled =
            json_object_to_json_string_length(value, JSON_C_TO_STRING_PLAIN, &written);
        *ret_spelled = spelled == NULL ? NULL : strndup(spelled, written);
    }
    json_object_put(value);
    json_tokener_free(tokener);
    return taken;
}
