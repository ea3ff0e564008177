#include "reference/net/http_aside.h"

void jrpc_http_aside_init(jrpc_http_aside *aside, const jrpc_endpoint *endpoint, CURLM *multi,
                          size_t max_message)
{
    *aside = (jrpc_http_aside){.endpoint = endpoint, .multi = multi};
    jrpc_http_answer_init(&aside->events, max_message, endpoint->allocator);
}

// Ends a transfer wherever it stands.
static void end_transfer(jrpc_http_aside *aside, CURL **easy, struct curl_slist **headers)
{
    if (*easy != NULL) {
        (void)curl_multi_remove_handle(aside->multi, *easy);
        curl_easy_cleanup(*easy);
    }
    curl_slist_free_all(*headers);
    *easy = NULL;
    *headers = NULL;
}

void jrpc_http_aside_done(jrpc_http_aside *aside)
{
    end_transfer(aside, &aside->stream, &aside->stream_headers);
    for (size_t i = 0; i < JRPC_HTTP_ASIDES_MAX; i++) {
        end_transfer(aside, &aside->replies[i].easy, &aside->replies[i].headers);
    }
    jrpc_http_answer_done(&aside->events);
}

void jrpc_http_aside_renew(jrpc_http_aside *aside, CURLM **multi)
{
    bool idle = !aside->open;
    for (size_t i = 0; i < JRPC_HTTP_ASIDES_MAX; i++) {
        idle = idle && aside->replies[i].easy == NULL;
    }
    CURLM *fresh = idle ? curl_multi_init() : NULL;
    if (fresh != NULL) {
        (void)curl_multi_cleanup(*multi);
        *multi = fresh;
        aside->multi = fresh;
    }
}

static size_t on_header(char *line, size_t size, size_t count, void *context)
{
    jrpc_http_aside *aside = context;
    jrpc_http_answer_header(&aside->events, jrpc_slice_of(line, size * count));
    return size * count;
}

static size_t on_event(char *bytes, size_t size, size_t count, void *context)
{
    jrpc_http_aside *aside = context;
    if (!aside->events.events) {
        return 0; // a page, whose status has said enough
    }
    bool goes_on = jrpc_http_answer_body(&aside->events, jrpc_slice_of(bytes, size * count),
                                         jrpc_clock_now_us(aside->endpoint->clock));
    return goes_on ? size * count : 0;
}

static size_t on_ignored(char *bytes, size_t size, size_t count, void *context)
{
    (void)bytes;
    (void)context;
    return size * count;
}

bool jrpc_http_aside_listen(jrpc_http_aside *aside, jrpc_error *error)
{
    static const char *const defaults[] = {"Accept: text/event-stream", NULL};
    end_transfer(aside, &aside->stream, &aside->stream_headers);
    jrpc_http_answer_clear(&aside->events);
    CURL *easy =
        jrpc_http_handle(aside->endpoint, aside->endpoint->events_url, aside->failure, error);
    struct curl_slist *headers = jrpc_http_headers(aside->endpoint, NULL, defaults, error);
    bool begun = easy != NULL && headers != NULL &&
                 curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
                 curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header) == CURLE_OK &&
                 curl_easy_setopt(easy, CURLOPT_HEADERDATA, aside) == CURLE_OK &&
                 curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_event) == CURLE_OK &&
                 curl_easy_setopt(easy, CURLOPT_WRITEDATA, aside) == CURLE_OK &&
                 curl_multi_add_handle(aside->multi, easy) == CURLM_OK;
    if (!begun) {
        curl_easy_cleanup(easy);
        curl_slist_free_all(headers);
        return jrpc_error_set(error, JRPC_ERROR_MEMORY, "no memory for a stream of events");
    }
    aside->stream = easy;
    aside->stream_headers = headers;
    aside->listening = aside->open = true;
    return true;
}

bool jrpc_http_aside_is_settled(jrpc_http_aside *aside, bool *ret_settled, jrpc_error *error)
{
    const jrpc_http_answer *events = &aside->events;
    *ret_settled = events->headed || !aside->open;
    if (!*ret_settled || (events->events && events->status == 200)) {
        return true;
    }
    aside->listening = false;
    if (events->status == 0) {
        return jrpc_error_set(error, JRPC_ERROR_INVALID,
                              "no stream of events at %s: GET is not answered (%s)",
                              aside->endpoint->events_url, aside->failure);
    }
    return jrpc_error_set(error, JRPC_ERROR_INVALID,
                          "no stream of events at %s: GET is answered with HTTP status %d%s; take "
                          "\"events\" out of the target's file if it offers none",
                          aside->endpoint->events_url, events->status,
                          events->status == 200 ? " and another content type" : "");
}

bool jrpc_http_aside_post(jrpc_http_aside *aside, jrpc_slice payload)
{
    static const char *const defaults[] = {"Content-Type: application/json",
                                           "Accept: application/json", "Expect:", NULL};
    size_t place = 0;
    while (place < JRPC_HTTP_ASIDES_MAX && aside->replies[place].easy != NULL) {
        place++;
    }
    if (place == JRPC_HTTP_ASIDES_MAX) {
        return false;
    }
    jrpc_error ignored = {0};
    CURL *easy = jrpc_http_handle(aside->endpoint, aside->endpoint->url, NULL, &ignored);
    struct curl_slist *headers = jrpc_http_headers(aside->endpoint, NULL, defaults, &ignored);
    bool begun =
        easy != NULL && headers != NULL &&
        curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_ignored) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)payload.len) == CURLE_OK &&
        curl_easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, payload.ptr) == CURLE_OK &&
        curl_multi_add_handle(aside->multi, easy) == CURLM_OK;
    if (!begun) {
        curl_easy_cleanup(easy);
        curl_slist_free_all(headers);
        return false;
    }
    aside->replies[place].easy = easy;
    aside->replies[place].headers = headers;
    return true;
}

bool jrpc_http_aside_conclude(jrpc_http_aside *aside, const CURL *easy)
{
    if (easy == aside->stream) {
        end_transfer(aside, &aside->stream, &aside->stream_headers);
        aside->open = false;
        return true;
    }
    for (size_t i = 0; i < JRPC_HTTP_ASIDES_MAX; i++) {
        if (aside->replies[i].easy == easy) {
            end_transfer(aside, &aside->replies[i].easy, &aside->replies[i].headers);
            return true;
        }
    }
    return false;
}
