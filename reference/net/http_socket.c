#include "reference/net/http_socket.h"

#include "reference/base/os_linux.h"
#include "reference/base/slice.h"
#include "reference/net/descriptor.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// How long bytes after the first answer are waited for: a server that writes them does so at once.
enum { STRAY_MS = 10 };

static int on_open(void *context, curl_socket_t descriptor, curlsocktype purpose)
{
    (void)purpose;
    jrpc_http_socket *self = context;
    self->descriptor = descriptor;
    return CURL_SOCKOPT_OK;
}

static int on_close(void *context, curl_socket_t descriptor)
{
    jrpc_http_socket *self = context;
    if (self->descriptor == descriptor) {
        self->descriptor = -1;
    }
    return close(descriptor);
}

// The only sign that the library dropped bytes after an answer is its log.
static int on_words(CURL *easy, curl_infotype type, char *text, size_t len, void *context)
{
    (void)easy;
    jrpc_http_socket *self = context;
    if (type == CURLINFO_TEXT &&
        jrpc_slice_starts_with(jrpc_slice_of(text, len), JRPC_SLICE("Excess found"))) {
        self->excess = true;
    }
    return 0;
}

bool jrpc_http_socket_watch(jrpc_http_socket *socket, CURL *easy, const char *url)
{
    *socket =
        (jrpc_http_socket){.easy = easy, .descriptor = -1, .plain = strncmp(url, "http:", 5) == 0};
    return curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, on_open) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_SOCKOPTDATA, socket) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_words) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_DEBUGDATA, socket) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close) == CURLE_OK &&
           curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, socket) == CURLE_OK;
}

void jrpc_http_socket_hurry(const jrpc_http_socket *socket)
{
    if (socket->descriptor >= 0) {
        jrpc_os_acknowledge_at_once(socket->descriptor);
    }
}

// Whether bytes arrive within this time.
static bool is_readable(const jrpc_http_socket *socket, const jrpc_clock *clock, int64_t wait_ms)
{
    struct pollfd entry = {.fd = socket->descriptor, .events = POLLIN};
    char byte;
    return socket->descriptor >= 0 && socket->plain &&
           jrpc_descriptor_poll(&entry, 1, clock, jrpc_deadline_in_ms(clock, wait_ms)) > 0 &&
           recv(socket->descriptor, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 1;
}

bool jrpc_http_socket_has_more(const jrpc_http_socket *socket, const jrpc_clock *clock)
{
    return socket->excess || is_readable(socket, clock, STRAY_MS);
}

void jrpc_http_socket_check(jrpc_http_socket *socket, const jrpc_clock *clock)
{
    socket->excess = false;
    if (socket->descriptor < 0 || !socket->plain) {
        return;
    }
    int64_t wait_ms = socket->looked ? 0 : STRAY_MS;
    socket->looked = true;
    if (is_readable(socket, clock, wait_ms)) {
        (void)curl_easy_setopt(socket->easy, CURLOPT_FRESH_CONNECT, 1L);
        (void)curl_easy_setopt(socket->easy, CURLOPT_FORBID_REUSE, 1L);
    }
}
