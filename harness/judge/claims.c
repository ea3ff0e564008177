#include "harness/judge/claims.h"

#include <string.h>

bool jck_is_blank(jrpc_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (strchr(" \t\r\n", text.ptr[i]) == NULL || text.ptr[i] == '\0') {
            return false;
        }
    }
    return true;
}

// Whether what follows a bracket can begin an Array: a log line may begin with "[info]" or with
// "[2026-01-31 12:00:00]".
static bool begins_array(jrpc_slice text)
{
    static const char *const words[] = {"true", "false", "null"};
    size_t at = 0;
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t')) {
        at++;
    }
    jrpc_slice rest = jrpc_slice_from(text, at);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (jrpc_slice_starts_with(rest, jrpc_slice_str(words[i]))) {
            return true;
        }
    }
    size_t number = rest.len > 0 && rest.ptr[0] == '-' ? 1 : 0;
    while (number < rest.len && rest.ptr[number] >= '0' && rest.ptr[number] <= '9') {
        number++;
    }
    bool ends = number == rest.len;
    return ends || (number > 0 ? strchr(".eE, \t]", rest.ptr[number]) != NULL
                               : strchr("{[\"]", rest.ptr[0]) != NULL);
}

bool jck_claims_to_be_json(jrpc_slice text)
{
    size_t at = jrpc_slice_starts_with(text, JRPC_SLICE("\xEF\xBB\xBF")) ? 3 : 0;
    while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t')) {
        at++;
    }
    return at < text.len && (text.ptr[at] == '{' ||
                             (text.ptr[at] == '[' && begins_array(jrpc_slice_from(text, at + 1))));
}
