#include "harness/cli/number.h"

bool jck_number(const char *text, uint64_t least, uint64_t most, uint64_t *ret)
{
    uint64_t number = 0;
    if (text[0] == '\0') {
        return false;
    }
    for (const char *p = text; *p != '\0'; p++) {
        if (*p < '0' || *p > '9') {
            return false;
        }
        unsigned digit = (unsigned)(*p - '0');
        if (number > (UINT64_MAX - digit) / 10) {
            return false;
        }
        number = number * 10 + digit;
    }
    if (number < least || number > most) {
        return false;
    }
    *ret = number;
    return true;
}
