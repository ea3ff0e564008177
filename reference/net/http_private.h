// What the peers over HTTP and WebSocket share: an easy handle made for an endpoint, and failures
// told in a sentence. Private to this room.
#ifndef JRPC_NET_HTTP_PRIVATE_H
#define JRPC_NET_HTTP_PRIVATE_H

#include "reference/net/peer.h"

#include <curl/curl.h>

// A handle with everything set that follows from the endpoint (address, TLS, what is never wanted:
// signals, redirects, other protocols). `url` is copied; `failure` (CURL_ERROR_SIZE bytes, may be
// NULL) receives words and is borrowed. NULL with MEMORY.
CURL *jrpc_http_handle(const jrpc_endpoint *endpoint, const char *url, char *failure,
                       jrpc_error *error);
// The file of certificates to trust: the endpoint's, else CURL_CA_BUNDLE or SSL_CERT_FILE of the
// environment, else where systems keep theirs; NULL: libcurl knows. Borrowed.
const char *jrpc_http_authorities(const jrpc_endpoint *endpoint);
// Those of `instead` ("Name:" leaves one out; NULL: none), of the endpoint and of `defaults` (each
// NULL-terminated) whose name is not among the ones before. Owned: curl_slist_free_all. NULL with
// MEMORY.
struct curl_slist *jrpc_http_headers(const jrpc_endpoint *endpoint, const char *const *instead,
                                     const char *const *defaults, jrpc_error *error);
// The first line of a request, "POST /path HTTP/1.1", and the header Host after it.
typedef struct jrpc_http_opening {
    const char *method;
    const char *version; // "HTTP/1.1"
    bool hostless;       // Host is left out
    bool absolute;       // the request line names the whole URL (RFC 9112, section 3.2.2)
} jrpc_http_opening;

// Appends it for a URL. False with USAGE (it is not a URL) or without memory.
bool jrpc_http_put_opening(jrpc_buffer *out, const jrpc_http_opening *opening, const char *url,
                           jrpc_error *error);
// The host and the port that a URL names, each NUL-terminated in `size` bytes. False if it is not a
// URL, or they are longer.
bool jrpc_http_place_of(const char *url, char *ret_host, char *ret_port, size_t size);
// Adds the headers that the endpoint makes of a message, unless `instead` has one of that name.
// False without memory, with *error; *headers stays owned by the caller.
bool jrpc_http_mirror(const jrpc_endpoint *endpoint, jrpc_slice payload, const char *const *instead,
                      struct curl_slist **headers, jrpc_error *error);
// Spells the names of all headers as the manner says. Content-Length, which the library would add
// in its own spelling, is added here. False without memory; *headers stays owned by the caller.
bool jrpc_http_spell_names(const jrpc_manner *manner, size_t body_len, struct curl_slist **headers);
// Says why a target could not be reached, with a remedy. `words` are the library's own.
void jrpc_http_explain(const jrpc_endpoint *endpoint, CURLcode code, const char *words,
                       jrpc_error *error);
// Connects (through a proxy, with TLS, as the endpoint asks) and sends nothing. Owned:
// curl_easy_cleanup closes the connection. NULL with *error.
CURL *jrpc_http_connect(const jrpc_endpoint *endpoint, const char *url, int64_t deadline_us,
                        jrpc_error *error);

#endif
