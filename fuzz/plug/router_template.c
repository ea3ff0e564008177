// A plug for a dispatcher, to copy: replace what mentions mylib. plug_router.h says which methods
// it has.
#include "fuzz/plug/plug_router.h"

const char *plug_name(void)
{
    return "mylib 0.0";
}

char *plug_answer(const char *text, size_t len)
{
    // return mylib_handle(server, text, len); NULL where it has nothing to say
    (void)text;
    (void)len;
    return NULL;
}
