#include "reference/net/http_outgoing.h"

#include <stdio.h>
#include <string.h>

bool jrpc_http_outgoing_add(jrpc_http_outgoing **first, jrpc_slice payload,
                            const jrpc_manner *manner, const jrpc_allocator *allocator,
                            jrpc_error *error)
{
    jrpc_http_outgoing *message = jrpc_allocate(allocator, sizeof *message + payload.len + 1);
    if (message == NULL) {
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory to send a message of %zu bytes",
                              payload.len);
    }
    *message = (jrpc_http_outgoing){.manner = *manner, .len = payload.len};
    if (payload.len > 0) {
        memcpy(message->payload, payload.ptr, payload.len);
    }
    while (*first != NULL) {
        first = &(*first)->next;
    }
    *first = message;
    return true;
}

void jrpc_http_outgoing_drop(jrpc_http_outgoing **first, const jrpc_allocator *allocator)
{
    jrpc_http_outgoing *gone = *first;
    *first = gone->next;
    jrpc_deallocate(allocator, gone);
}

size_t jrpc_http_outgoing_chunk(char *room, size_t size, size_t count, void *context)
{
    jrpc_http_outgoing *message = context;
    size_t end = message->len;
    for (size_t i = 0; i < message->manner.piece_count; i++) {
        size_t cut = message->manner.pieces[i];
        end = cut > message->sent && cut < end ? cut : end;
    }
    size_t piece = end - message->sent;
    piece = piece < size * count ? piece : size * count;
    memcpy(room, message->payload + message->sent, piece);
    message->sent += piece;
    return piece;
}

int jrpc_http_outgoing_rewind(void *context, curl_off_t offset, int origin)
{
    jrpc_http_outgoing *message = context;
    if (origin != SEEK_SET || offset < 0 || (size_t)offset > message->len) {
        return CURL_SEEKFUNC_CANTSEEK;
    }
    message->sent = (size_t)offset;
    return CURL_SEEKFUNC_OK;
}

static bool set_headers(const jrpc_http_outgoing *message, CURL *easy,
                        const jrpc_endpoint *endpoint, struct curl_slist **headers,
                        jrpc_error *error)
{
    char type[256] = "Content-Type: application/json";
    if (message->manner.content_type != NULL) {
        // An empty type is sent as such: "Name;" is the library's spelling of a header without a
        // value.
        int len = snprintf(type, sizeof type, "Content-Type%s%s",
                           message->manner.content_type[0] == '\0' ? ";" : ": ",
                           message->manner.content_type);
        if (len < 0 || (size_t)len >= sizeof type) {
            return jrpc_error_set(error, JRPC_ERROR_LIMIT, "the content type is too long");
        }
    }
    // Without an empty Expect, large bodies would wait a second for "100 Continue".
    const char *const defaults[] = {
        type, "Accept: application/json",
        "Expect:", message->manner.chunked ? "Transfer-Encoding: chunked" : NULL, NULL};
    curl_slist_free_all(*headers);
    *headers = jrpc_http_headers(endpoint, message->manner.headers, defaults, error);
    jrpc_slice payload = jrpc_slice_of(message->payload, message->len);
    return *headers != NULL &&
           jrpc_http_mirror(endpoint, payload, message->manner.headers, headers, error) &&
           jrpc_http_spell_names(&message->manner, message->len, headers) &&
           curl_easy_setopt(easy, CURLOPT_HTTPHEADER, *headers) == CURLE_OK;
}

static bool set_request(jrpc_http_outgoing *message, CURL *easy, const jrpc_endpoint *endpoint)
{
    const char *method = message->manner.http_method;
    bool bare = method != NULL && (strcmp(method, "GET") == 0 || strcmp(method, "DELETE") == 0);
    bool head = method != NULL && strcmp(method, "HEAD") == 0;
    const char *url = message->manner.url != NULL ? message->manner.url : endpoint->url;
    if (curl_easy_setopt(easy, CURLOPT_URL, url) != CURLE_OK) {
        return false;
    }
    if (bare || head) {
        return curl_easy_setopt(easy, CURLOPT_POST, 0L) == CURLE_OK &&
               curl_easy_setopt(easy, CURLOPT_HTTPGET, 1L) == CURLE_OK &&
               curl_easy_setopt(easy, CURLOPT_NOBODY, head ? 1L : 0L) == CURLE_OK &&
               curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method) == CURLE_OK;
    }
    bool chunked = message->manner.chunked;
    return curl_easy_setopt(easy, CURLOPT_NOBODY, 0L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_POST, 1L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_POSTFIELDS, chunked ? NULL : message->payload) ==
               CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE,
                            chunked ? (curl_off_t)-1 : (curl_off_t)message->len) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_READDATA, message) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_SEEKDATA, message) == CURLE_OK;
}

bool jrpc_http_outgoing_set(jrpc_http_outgoing *message, CURL *easy, const jrpc_endpoint *endpoint,
                            struct curl_slist **headers, jrpc_error *error)
{
    message->sent = 0;
    return set_headers(message, easy, endpoint, headers, error) &&
           (set_request(message, easy, endpoint) ||
            jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a request"));
}
