#include "harness/cli/stranger.h"

#include <stdio.h>
#include <string.h>

static bool is_dotted(jrpc_slice host)
{
    for (size_t i = 0; i < host.len; i++) {
        if ((host.ptr[i] < '0' || host.ptr[i] > '9') && host.ptr[i] != '.') {
            return false;
        }
    }
    return true;
}

bool jck_is_loopback(jrpc_slice host)
{
    return jrpc_slice_is(host, "localhost") || jrpc_slice_is(host, "::1") ||
           jrpc_slice_is(host, "[::1]") ||
           (jrpc_slice_starts_with(host, JRPC_SLICE("127.")) && is_dotted(host));
}

// The host of a URL, without a user, brackets and port.
static jrpc_slice host_of(const char *url)
{
    const char *begin = strstr(url, "://");
    begin = begin == NULL ? url : begin + 3;
    size_t len = strcspn(begin, "/?#");
    for (size_t i = len; i > 0; i--) {
        if (begin[i - 1] == '@') {
            begin += i;
            len -= i;
            break;
        }
    }
    if (len > 0 && begin[0] == '[') {
        size_t inner = strcspn(begin + 1, "]");
        return jrpc_slice_of(begin + 1, inner < len ? inner : len - 1);
    }
    size_t host = strcspn(begin, ":");
    return jrpc_slice_of(begin, host < len ? host : len);
}

bool jck_stranger_check(const jck_target *target, const char *allowed, jrpc_error *error)
{
    const char *const places[] = {target->host, target->url, target->events_url};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (places[i] == NULL) {
            continue;
        }
        jrpc_slice host = i == 0 ? jrpc_slice_str(places[i]) : host_of(places[i]);
        if (!jck_is_loopback(host) && (allowed == NULL || !jrpc_slice_is(host, allowed))) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE,
                                  "%.*s is another machine: fuzzing sends it thousands of "
                                  "malformed messages, and may "
                                  "bring it down; if its owner agrees, add --i-may-fuzz %.*s",
                                  (int)(host.len > 100 ? 100 : host.len), host.ptr,
                                  (int)(host.len > 100 ? 100 : host.len), host.ptr);
        }
    }
    return true;
}
