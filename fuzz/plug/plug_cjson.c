// cJSON, as its readers use it: the whole text must be the value.
#include "fuzz/plug/plug.h"

#include <cjson/cJSON.h>
#include <stdio.h>

const char *plug_name(void)
{
    static char name[32];
    (void)snprintf(name, sizeof name, "cJSON %s", cJSON_Version());
    return name;
}

bool plug_parse(const char *text, size_t len, char **ret_spelled)
{
    *ret_spelled = NULL;
    // The NUL counts for cJSON where it is asked to see the end.
    cJSON *value = cJSON_ParseWithLengthOpts(text, len + 1, NULL, 1);
    if (value == NULL) {
        return false;
    }
    *ret_spelled = cJSON_PrintUnformatted(value);
    cJSON_Delete(value);
    return true;
}
