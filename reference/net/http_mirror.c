// Headers that repeat a part of the message they go out with, and headers in another spelling.
#include "reference/net/http_private.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct taking {
    const char *const *instead;
    struct curl_slist **headers;
} taking;

static bool is_given(const char *const *lines, const char *line)
{
    size_t len = strcspn(line, ":");
    for (; lines != NULL && *lines != NULL; lines++) {
        if (strcspn(*lines, ":") == len && strncasecmp(*lines, line, len) == 0) {
            return true;
        }
    }
    return false;
}

static bool take(void *list, const char *line)
{
    const taking *into = list;
    if (is_given(into->instead, line)) {
        return true;
    }
    struct curl_slist *longer = curl_slist_append(*into->headers, line);
    *into->headers = longer != NULL ? longer : *into->headers;
    return longer != NULL;
}

bool jrpc_http_mirror(const jrpc_endpoint *endpoint, jrpc_slice payload, const char *const *instead,
                      struct curl_slist **headers, jrpc_error *error)
{
    taking into = {instead, headers};
    return endpoint->mirror == NULL ||
           endpoint->mirror(endpoint->mirror_context, payload, take, &into) ||
           jrpc_error_set(error, JRPC_ERROR_MEMORY, "out of memory for headers");
}

bool jrpc_http_spell_names(const jrpc_manner *manner, size_t body_len, struct curl_slist **headers)
{
    if (manner->names == JRPC_NAMES_USUAL) {
        return true;
    }
    char length[64];
    (void)snprintf(length, sizeof length, "Content-Length: %zu", body_len);
    struct curl_slist *all = manner->chunked ? *headers : curl_slist_append(*headers, length);
    *headers = all != NULL ? all : *headers;
    for (struct curl_slist *at = all; at != NULL; at = at->next) {
        for (char *c = at->data; *c != '\0' && strchr(":;", *c) == NULL; c++) {
            *c = (char)(manner->names == JRPC_NAMES_LOWER ? tolower((unsigned char)*c)
                                                          : toupper((unsigned char)*c));
        }
    }
    return all != NULL;
}
