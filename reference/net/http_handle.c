#include "reference/net/http_private.h"

#include "reference/net/descriptor.h"
#include "reference/net/http.h"
#include "reference/net/socket.h"

#include <string.h>
#include <strings.h>

bool jrpc_http_start(void)
{
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

void jrpc_http_stop(void)
{
    curl_global_cleanup();
}

CURL *jrpc_http_handle(const jrpc_endpoint *endpoint, const char *url, char *failure,
                       jrpc_error *error)
{
    CURL *easy = curl_easy_init();
    bool set =
        easy != NULL && curl_easy_setopt(easy, CURLOPT_URL, url) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_USERAGENT, "jrpcheck/" JRPCHECK_VERSION) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, failure) == CURLE_OK;
    if (set && endpoint->cert_file != NULL) {
        const char *key = endpoint->key_file != NULL ? endpoint->key_file : endpoint->cert_file;
        set = curl_easy_setopt(easy, CURLOPT_SSLCERT, endpoint->cert_file) == CURLE_OK &&
              curl_easy_setopt(easy, CURLOPT_SSLKEY, key) == CURLE_OK;
    }
    if (set && (endpoint->proxy == NULL || strcmp(endpoint->proxy, "env") != 0)) {
        // Said or not, it is never what the environment says: an empty name is not a proxy.
        set = curl_easy_setopt(easy, CURLOPT_PROXY,
                               endpoint->proxy == NULL ? "" : endpoint->proxy) == CURLE_OK;
    }
    if (set && endpoint->insecure) {
        set = curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 0L) == CURLE_OK &&
              curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 0L) == CURLE_OK;
    }
    const char *authorities = jrpc_http_authorities(endpoint);
    if (set && authorities != NULL) {
        set = curl_easy_setopt(easy, CURLOPT_CAINFO, authorities) == CURLE_OK;
    }
    if (!set) {
        curl_easy_cleanup(easy);
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a connection");
        return NULL;
    }
    return easy;
}

static bool same_name(const char *header, const char *other)
{
    size_t len = strcspn(header, ":;");
    return len == strcspn(other, ":;") && strncasecmp(header, other, len) == 0;
}

static bool names(const char *const *headers, const char *name)
{
    for (size_t i = 0; headers != NULL && headers[i] != NULL; i++) {
        if (same_name(headers[i], name)) {
            return true;
        }
    }
    return false;
}

static bool append(struct curl_slist **list, const char *header)
{
    struct curl_slist *longer = curl_slist_append(*list, header);
    *list = longer == NULL ? *list : longer;
    return longer != NULL;
}

struct curl_slist *jrpc_http_headers(const jrpc_endpoint *endpoint, const char *const *instead,
                                     const char *const *defaults, jrpc_error *error)
{
    struct curl_slist *list = NULL;
    bool done = true;
    for (size_t i = 0; instead != NULL && instead[i] != NULL; i++) {
        done = done && append(&list, instead[i]);
    }
    for (size_t i = 0; endpoint->headers != NULL && endpoint->headers[i] != NULL; i++) {
        done =
            done && (names(instead, endpoint->headers[i]) || append(&list, endpoint->headers[i]));
    }
    for (size_t i = 0; defaults[i] != NULL; i++) {
        done = done && (names(instead, defaults[i]) || names(endpoint->headers, defaults[i]) ||
                        append(&list, defaults[i]));
    }
    if (!done) {
        curl_slist_free_all(list);
        list = NULL;
        (void)jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for headers");
    }
    return list;
}

bool jrpc_http_put_opening(jrpc_buffer *out, const jrpc_http_opening *opening, const char *url,
                           jrpc_error *error)
{
    CURLU *parts = curl_url();
    char *scheme = NULL;
    char *host = NULL;
    char *port = NULL;
    char *path = NULL;
    char *query = NULL;
    bool read = parts != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
                curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
                curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
                curl_url_get(parts, CURLUPART_PATH, &path, 0) == CURLUE_OK;
    (void)(read && curl_url_get(parts, CURLUPART_PORT, &port, 0) == CURLUE_OK);
    (void)(read && curl_url_get(parts, CURLUPART_QUERY, &query, 0) == CURLUE_OK);
    const char *colon = port == NULL ? "" : ":";
    read = read && jrpc_buffer_printf(out, "%s ", opening->method) &&
           (!opening->absolute || jrpc_buffer_printf(out, "%s://%s%s%s", scheme, host, colon,
                                                     port == NULL ? "" : port)) &&
           jrpc_buffer_printf(out, "%s%s%s %s\r\n", path, query == NULL ? "" : "?",
                              query == NULL ? "" : query, opening->version);
    read = read && (opening->hostless || jrpc_buffer_printf(out, "Host: %s%s%s\r\n", host, colon,
                                                            port == NULL ? "" : port));
    curl_free(scheme);
    curl_free(host);
    curl_free(port);
    curl_free(path);
    curl_free(query);
    curl_url_cleanup(parts);
    return read ||
           jrpc_error_set(error, JRPC_ERROR_USAGE, "cannot connect to %s: that is not a URL", url);
}

bool jrpc_http_place_of(const char *url, char *ret_host, char *ret_port, size_t size)
{
    CURLU *parts = curl_url();
    char *host = NULL;
    char *port = NULL;
    bool read = parts != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK &&
                curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK &&
                curl_url_get(parts, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) == CURLUE_OK;
    jrpc_slice name = read ? jrpc_slice_str(host) : (jrpc_slice){NULL, 0};
    if (name.len > 2 && name.ptr[0] == '[') { // an IPv6 address
        name = jrpc_slice_inside(name);
    }
    read = read && name.len < size && strlen(port) < size;
    if (read) {
        memcpy(ret_host, name.ptr, name.len);
        ret_host[name.len] = '\0';
        memcpy(ret_port, port, strlen(port) + 1);
    }
    curl_free(host);
    curl_free(port);
    curl_url_cleanup(parts);
    return read;
}

typedef struct reason {
    CURLcode code;
    jrpc_error_code class;
    const char *sentence; // NULL: the library's words
    const char *remedy;
} reason;

static const reason reasons[] = {
    {CURLE_URL_MALFORMAT, JRPC_ERROR_USAGE, "that is not a URL",
     "write http://HOST:PORT/PATH, or ws:// instead of http://"},
    {CURLE_UNSUPPORTED_PROTOCOL, JRPC_ERROR_CLOSED, "it does not speak HTTP/1 or HTTP/2",
     "is it the right port, and HTTP that is spoken there?"},
    {CURLE_WEIRD_SERVER_REPLY, JRPC_ERROR_CLOSED, "what it answers is not HTTP",
     "is it the right port, and HTTP that is spoken there?"},
    {CURLE_COULDNT_RESOLVE_HOST, JRPC_ERROR_SYSTEM, "the host name is not known",
     "check the host name, and that this machine has a network"},
    {CURLE_COULDNT_RESOLVE_PROXY, JRPC_ERROR_SYSTEM, "the name of the proxy is not known",
     "check --proxy (or http_proxy, https_proxy and no_proxy, with --proxy env)"},
    {CURLE_COULDNT_CONNECT, JRPC_ERROR_CLOSED, "connection refused",
     "is the server running, and on this port?"},
    {CURLE_OPERATION_TIMEDOUT, JRPC_ERROR_TIMEOUT, "no answer in time",
     "check the address, or allow more time with --timeout"},
    {CURLE_PEER_FAILED_VERIFICATION, JRPC_ERROR_CLOSED, NULL,
     "name its authority with --ca FILE, or accept any certificate with --insecure"},
    {CURLE_SSL_CERTPROBLEM, JRPC_ERROR_USAGE, NULL,
     "check the certificate of --cert and the key of --key"},
    {CURLE_SSL_CACERT_BADFILE, JRPC_ERROR_USAGE, "TLS has no certificates to trust",
     "check the file that --ca, CURL_CA_BUNDLE or SSL_CERT_FILE names, or install the system's "
     "(package ca-certificates)"},
    {CURLE_SSL_CONNECT_ERROR, JRPC_ERROR_CLOSED, NULL,
     "does the server speak TLS on this port? http:// is without"},
    {CURLE_GOT_NOTHING, JRPC_ERROR_CLOSED, "it closed the connection without an answer",
     "is it HTTP that is spoken there?"},
};

void jrpc_http_explain(const jrpc_endpoint *endpoint, CURLcode code, const char *words,
                       jrpc_error *error)
{
    const char *url = endpoint->url;
    if (endpoint->proxy != NULL && code == CURLE_COULDNT_CONNECT) {
        (void)jrpc_error_set(error, JRPC_ERROR_CLOSED,
                             "cannot connect to %s through the proxy: connection refused; is the "
                             "proxy running, and on this port?",
                             url);
        return;
    }
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++) {
        if (reasons[i].code == code) {
            const char *sentence = reasons[i].sentence;
            sentence = sentence != NULL ? sentence : words;
            (void)jrpc_error_set(error, reasons[i].class, "cannot connect to %s: %s; %s", url,
                                 sentence, reasons[i].remedy);
            return;
        }
    }
    (void)jrpc_error_set(error, JRPC_ERROR_CLOSED, "cannot connect to %s: %s", url,
                         words[0] != '\0' ? words : curl_easy_strerror(code));
}

// Called by the library about once a second while it waits: ends the wait when interrupted.
static int on_progress(void *context, curl_off_t total, curl_off_t now, curl_off_t up_total,
                       curl_off_t up_now)
{
    (void)total;
    (void)now;
    (void)up_total;
    (void)up_now;
    const jrpc_endpoint *endpoint = context;
    struct pollfd entry = {.fd = endpoint->interrupt_fd, .events = POLLIN};
    return jrpc_descriptor_poll(&entry, 1, endpoint->clock, jrpc_clock_now_us(endpoint->clock)) > 0;
}

// The longest host, and the longest port, that are looked at.
enum { HOST_BYTES = 256 };

// Whether connecting takes no time: to a loopback address, without TLS and proxy.
static bool is_near(const jrpc_endpoint *endpoint, const char *url)
{
    char host[HOST_BYTES];
    char port[HOST_BYTES];
    return endpoint->proxy == NULL && strncmp(url, "http:", 5) == 0 &&
           jrpc_http_place_of(url, host, port, sizeof host) &&
           (strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0 ||
            strcmp(host, "localhost") == 0);
}

static CURLcode connect_in_time(CURL *easy, const jrpc_endpoint *endpoint, bool near,
                                int64_t deadline_us)
{
    int64_t wait_ms = JRPC_SOCKET_QUEUED_MS;
    for (;;) {
        int64_t left_ms = (deadline_us - jrpc_clock_now_us(endpoint->clock)) / 1000;
        left_ms = left_ms < 1 ? 1 : left_ms > INT32_MAX ? INT32_MAX : left_ms;
        bool last = !near || wait_ms >= left_ms;
        (void)curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)(last ? left_ms : wait_ms));
        CURLcode code = curl_easy_perform(easy);
        if (code != CURLE_OPERATION_TIMEDOUT || last) {
            return code;
        }
        wait_ms *= 2;
    }
}

CURL *jrpc_http_connect(const jrpc_endpoint *endpoint, const char *url, int64_t deadline_us,
                        jrpc_error *error)
{
    char words[CURL_ERROR_SIZE] = "";
    CURL *easy = jrpc_http_handle(endpoint, url, words, error);
    if (easy == NULL) {
        return NULL;
    }
    // Protocol choice in the TLS handshake would prefer HTTP/2, which has no upgrade.
    (void)curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    (void)curl_easy_setopt(easy, CURLOPT_CONNECT_ONLY, 1L);
    // What follows the handshake of WebSocket is nothing that a proxy could forward as HTTP.
    (void)curl_easy_setopt(easy, CURLOPT_HTTPPROXYTUNNEL,
                           jrpc_transport_traits(endpoint->transport)->upgrades ? 1L : 0L);
    (void)curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
    (void)curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, on_progress);
    (void)curl_easy_setopt(easy, CURLOPT_XFERINFODATA, endpoint);
    CURLcode code = connect_in_time(easy, endpoint, is_near(endpoint, url), deadline_us);
    (void)curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 1L);
    (void)curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, NULL);
    if (code != CURLE_OK) {
        if (code == CURLE_ABORTED_BY_CALLBACK) {
            (void)jrpc_error_set(error, JRPC_ERROR_INTERRUPTED, "connecting to %s was interrupted",
                                 endpoint->url);
        } else {
            jrpc_http_explain(endpoint, code, words, error);
        }
        curl_easy_cleanup(easy);
        return NULL;
    }
    return easy;
}
