#include "harness/run/ask_ahead.h"

#include "harness/link/hear.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

// A target whose answers take this long is far away.
#define FAR_US 50000

// Bytes of an answer; a longer one is not used.
#define ANSWER_BYTES ((size_t)1 << 20)

void jck_asked_init(jck_asked *ahead)
{
    jrpc_buffer_init(&ahead->text, jrpc_allocator_heap(), ANSWER_BYTES);
    jrpc_json_document_init(&ahead->document, jrpc_allocator_heap());
}

void jck_asked_done(jck_asked *ahead)
{
    jrpc_json_document_done(&ahead->document);
    jrpc_buffer_done(&ahead->text);
}

bool jck_is_far(const jck_asking *asking)
{
    return asking->slowest_us >= FAR_US && !asking->waited && jck_link_process(asking->link) == 0;
}

static void write_batch(const jck_asking *asking, const jck_numbered *asked, size_t count,
                        jrpc_buffer *text)
{
    for (size_t i = 0; i < count; i++) {
        char id[JCK_QUESTION_ID_BYTES];
        jck_question_id(asking, asked[i].number, id);
        (void)jrpc_buffer_append_char(text, i == 0 ? '[' : ',');
        jck_question_write(asking, &asked[i].question, id, text);
    }
    (void)jrpc_buffer_append_char(text, ']');
}

// Keeps the answer to the batch. Anything else that comes instead ends the wait.
static void hear(jck_asking *asking, jck_asked *ahead)
{
    jck_link *link = asking->link;
    jrpc_error error = {0};
    int64_t deadline_us = jrpc_deadline_in_ms(link->clock, link->timing.reply_ms);
    jck_heard heard = jck_link_hear(link, 'a', deadline_us, &error);
    while (heard.kind != JCK_HEARD_MESSAGE && !jck_heard_ends_wait(heard.kind)) {
        heard = jck_link_hear(link, 'a', deadline_us, &error);
    }
    if (heard.kind == JCK_HEARD_MESSAGE && jrpc_json_is(heard.value, JRPC_JSON_ARRAY) &&
        jrpc_buffer_append(&ahead->text, jrpc_json_spelling(heard.value)) &&
        jrpc_json_read(&ahead->document, jrpc_buffer_slice(&ahead->text), JRPC_LIMIT_DEPTH, NULL)) {
        asking->ahead = jrpc_json_root(&ahead->document);
    }
    asking->waited = asking->waited || heard.kind == JCK_HEARD_TIMEOUT;
}

void jck_ask_ahead(jck_asking *asking, const jck_numbered *asked, size_t count, jck_asked *ahead)
{
    static const jrpc_manner as_usual = {.chunked = false};
    jck_link *link = asking->link;
    jrpc_error error = {0};
    jrpc_buffer text;
    if (jck_connection_is_in_order(jck_link_connection(link, 'a'))) {
        jrpc_buffer_init(&text, jrpc_allocator_heap(), JCK_QUESTION_BYTES);
        write_batch(asking, asked, count, &text);
        if (jck_link_send(link, 'a', jrpc_buffer_slice(&text), &as_usual, &error) ==
            JRPC_PEER_MESSAGE) {
            hear(asking, ahead);
        }
        jrpc_buffer_done(&text);
    }
}
