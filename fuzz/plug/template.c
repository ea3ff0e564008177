// A plug to copy: replace the three lines that mention mylib.
#include "fuzz/plug/plug.h"

const char *plug_name(void)
{
    return "mylib 0.0";
}

bool plug_parse(const char *text, size_t len, char **ret_spelled)
{
    // value = mylib_parse(text, len); if (value == NULL) return false;
    // *ret_spelled = mylib_write(value); mylib_free(value); return true;
    (void)text;
    (void)len;
    *ret_spelled = NULL;
    return false;
}
