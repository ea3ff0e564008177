#include "reference/json/double.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double jrpc_json_double(jrpc_slice spelling)
{
    char digits[JRPC_JSON_DOUBLE_SPELLING_MAX + 1];
    if (spelling.len > JRPC_JSON_DOUBLE_SPELLING_MAX) {
        return NAN;
    }
    memcpy(digits, spelling.ptr, spelling.len);
    digits[spelling.len] = '\0';
    return strtod(digits, NULL); // LC_NUMERIC is "C": no program of ours sets a locale
}
