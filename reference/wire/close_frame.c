#include "reference/wire/close_frame.h"

#include "reference/base/utf8.h"

#include <limits.h>

enum { CODE_BYTES = 2 };

int jrpc_close_code(jrpc_slice body)
{
    return body.len < CODE_BYTES ? JRPC_CLOSE_NO_CODE
                                 : (unsigned char)body.ptr[0] << 8 | (unsigned char)body.ptr[1];
}

const char *jrpc_close_flaw(jrpc_slice body)
{
    static const struct {
        int first, last;
        const char *words;
    } forbidden[] = {
        {0, 999,
         "a Close with a status code below 1000, which is not used (RFC 6455, section 7.4.2)"},
        {1004, 1004, "a Close with status code 1004, which is reserved (RFC 6455, section 7.4.1)"},
        {1005, 1005,
         "a Close with status code 1005, which must not be sent (RFC 6455, section 7.4.1)"},
        {1006, 1006,
         "a Close with status code 1006, which must not be sent (RFC 6455, section 7.4.1)"},
        {1015, 1015,
         "a Close with status code 1015, which must not be sent (RFC 6455, section 7.4.1)"},
        {5000, INT_MAX,
         "a Close with a status code above 4999, which is not defined (RFC 6455, section 7.4.2)"},
    };
    if (body.len == 0) {
        return NULL;
    }
    if (body.len < CODE_BYTES) {
        return "a Close of one byte, which is no status code (RFC 6455, section 5.5.1)";
    }
    int code = jrpc_close_code(body);
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++) {
        if (code >= forbidden[i].first && code <= forbidden[i].last) {
            return forbidden[i].words;
        }
    }
    return jrpc_utf8_is_valid(body.ptr + CODE_BYTES, body.len - CODE_BYTES)
               ? NULL
               : "a Close whose reason is not UTF-8 (RFC 6455, section 5.5.1)";
}
