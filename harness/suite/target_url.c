// URLs of targets, checked before anything runs: what a library would refuse later, or interpret in
// an unintended way, is refused here with its reason.
#include "harness/suite/target_private.h"

#include <string.h>

// The longest address of a Unix socket.
#define SOCKET_PATH_BYTES 107

bool jck_is_url(const char *word)
{
    jrpc_transport transport;
    const char *rest;
    return strstr(word, "://") != NULL || jrpc_transport_from_address(word, &transport, &rest);
}

static bool refuse(const char *word, const char *reason, jrpc_error *error)
{
    return jrpc_error_set(error, JRPC_ERROR_USAGE, "%.200s: %s", word, reason);
}

// A number from 1 to 65535, or nothing where `optional`.
static bool check_port(const char *word, jrpc_slice port, jrpc_error *error)
{
    unsigned long number = 0;
    for (size_t i = 0; i < port.len && number <= 65535; i++) {
        bool digit = port.ptr[i] >= '0' && port.ptr[i] <= '9';
        number = digit ? number * 10 + (unsigned long)(port.ptr[i] - '0') : 65536;
    }
    return (number > 0 && number <= 65535) ||
           jrpc_error_set(error, JRPC_ERROR_USAGE,
                          "%.200s: there is no port '%.*s'; ports are numbers from 1 to 65535",
                          word, JCK_WORD(port));
}

static bool is_address6(jrpc_slice host)
{
    size_t colons = 0;
    size_t i = 0;
    for (; i < host.len && host.ptr[i] != '%'; i++) {
        if (host.ptr[i] == '\0' || strchr("0123456789abcdefABCDEF:.", host.ptr[i]) == NULL) {
            return false;
        }
        colons += host.ptr[i] == ':' ? 1 : 0;
    }
    // The name of an interface may follow a percent sign.
    return colons >= 2 && (i == host.len || i + 1 < host.len);
}

static bool check_host(const char *word, jrpc_slice host, jrpc_error *error)
{
    if (host.len == 0) {
        return refuse(word, "no host is named", error);
    }
    for (size_t i = 0; i < host.len; i++) {
        if (strchr("[]:<>\"'\\^`{|}", host.ptr[i]) != NULL) {
            return jrpc_error_set(error, JRPC_ERROR_USAGE,
                                  "%.200s: '%.*s' is not a host name or an address; write an IPv6 "
                                  "address in brackets, such as [::1]",
                                  word, JCK_WORD(host));
        }
    }
    return true;
}

// Splits "HOST", "HOST:PORT", "[ADDRESS]", "[ADDRESS]:PORT". The port is empty if there is none.
static bool split(const char *word, jrpc_slice authority, jrpc_slice *ret_host,
                  jrpc_slice *ret_port, jrpc_error *error)
{
    size_t len = 0;
    bool bracket = authority.len > 0 && authority.ptr[0] == '[';
    if (bracket) {
        const char *end = memchr(authority.ptr, ']', authority.len);
        if (end == NULL) {
            return refuse(word, "the bracket of the address is not closed", error);
        }
        len = (size_t)(end - authority.ptr) + 1;
        *ret_host = jrpc_slice_of(authority.ptr + 1, len - 2);
        if (!is_address6(*ret_host)) {
            return refuse(word, "there is no IPv6 address in the brackets", error);
        }
    } else {
        const char *colon = memchr(authority.ptr, ':', authority.len);
        len = colon == NULL ? authority.len : (size_t)(colon - authority.ptr);
        *ret_host = jrpc_slice_of(authority.ptr, len);
    }
    jrpc_slice rest = jrpc_slice_from(authority, len);
    *ret_port = jrpc_slice_from(rest, 1);
    if (rest.len > 0 && !jrpc_slice_starts_with(rest, JRPC_SLICE(":"))) {
        return refuse(word, "there is something between the address and its port", error);
    }
    return (bracket || check_host(word, *ret_host, error)) &&
           (rest.len == 0 || check_port(word, *ret_port, error));
}

static bool read_tcp(jck_target *target, const char *word, const char *rest, jrpc_error *error)
{
    jrpc_slice host = {NULL, 0};
    jrpc_slice port = {NULL, 0};
    if (!split(word, jrpc_slice_str(rest), &host, &port, error)) {
        return false;
    }
    if (port.len == 0) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "%.200s names no host and port; write tcp://HOST:PORT, such as "
                              "tcp://127.0.0.1:4000",
                              word);
    }
    target->host = jck_target_copy(target, host, error);
    target->port = jck_target_copy(target, port, error);
    return target->host != NULL && target->port != NULL;
}

static bool read_unix(jck_target *target, const char *rest, jrpc_error *error)
{
    // unix:///path is the same as unix:/path.
    rest += strncmp(rest, "//", 2) == 0 ? 2 : 0;
    size_t len = strlen(rest);
    if (len == 0 || len > SOCKET_PATH_BYTES) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "unix:%.120s: the path of a socket has 1 to %d bytes, and this one "
                              "%zu",
                              rest, SOCKET_PATH_BYTES, len);
    }
    target->path = jck_target_copy(target, jrpc_slice_str(rest), error);
    return target->path != NULL;
}

static bool read_web(jck_target *target, const char *word, const char *rest, jrpc_error *error)
{
    jrpc_slice authority = {rest, strcspn(rest, "/?#")};
    jrpc_slice host;
    jrpc_slice port;
    // A user and a password may precede the last "@".
    for (size_t i = authority.len; i > 0; i--) {
        if (authority.ptr[i - 1] == '@') {
            authority = jrpc_slice_from(authority, i);
            break;
        }
    }
    if (!split(word, authority, &host, &port, error)) {
        return false;
    }
    // Schemes are case-insensitive; the code that talks to the server expects lower case.
    size_t scheme = (size_t)(rest - word);
    char *url = jck_target_alloc(target, strlen(word) + 1, 1, error);
    if (url == NULL) {
        return false;
    }
    memcpy(url, word, strlen(word) + 1);
    for (size_t i = 0; i < scheme; i++) {
        url[i] = url[i] >= 'A' && url[i] <= 'Z' ? (char)(url[i] - 'A' + 'a') : url[i];
    }
    target->url = url;
    return true;
}

// Characters that a URL must not contain: blanks outside a path, and bytes that are not printable.
static bool check_bytes(const char *word, bool path, jrpc_error *error)
{
    for (const char *p = word; *p != '\0'; p++) {
        unsigned char byte = (unsigned char)*p;
        if (byte < ' ' || byte == 0x7F || (byte == ' ' && !path)) {
            return refuse(word, "it contains a space or a byte that is not printable", error);
        }
    }
    return true;
}

bool jck_target_set_url(jck_target *target, const char *word, jrpc_error *error)
{
    const char *rest = NULL;
    if (!jrpc_transport_from_address(word, &target->transport, &rest)) {
        return jrpc_error_set(error, JRPC_ERROR_USAGE,
                              "%.200s has no scheme that is known; a target is tcp://HOST:PORT, "
                              "unix:PATH, http(s)://… or ws(s)://…",
                              word);
    }
    jrpc_address address = jck_target_traits(target)->address;
    if (rest[0] == '\0') {
        return refuse(word, "nothing comes after the scheme", error);
    }
    if (!check_bytes(word, address == JRPC_ADDRESS_PATH, error)) {
        return false;
    }
    switch (address) {
    case JRPC_ADDRESS_PORT:
        return read_tcp(target, word, rest, error);
    case JRPC_ADDRESS_PATH:
        return read_unix(target, rest, error);
    case JRPC_ADDRESS_URL:
        return read_web(target, word, rest, error);
    case JRPC_ADDRESS_COMMAND:
        break;
    }
    return false;
}
