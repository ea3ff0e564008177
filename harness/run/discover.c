#include "harness/run/discover.h"

#include "harness/link/hear.h"
#include "harness/link/open.h"
#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"

#include <stdio.h>

// One question: a call whose result is known.
typedef struct question {
    const char *capability; // also the method's name
    const char *params;     // JSON spelling; NULL: none
    const char *result;     // JSON spelling
    bool by_position;
    bool by_name;
} question;

static const question questions[] = {
    {"subtract", "[42,23]", "19", true, false},
    {"subtract", "{\"subtrahend\":23,\"minuend\":42}", "19", false, true},
    {"sum", "[1,2,4]", "7", true, false},
    {"get_data", NULL, "[\"hello\",5]", true, true},
    {"echo", "[\"jrpcheck\",1]", "[\"jrpcheck\",1]", true, false},
    {"echo", "{\"jrpcheck\":[1]}", "{\"jrpcheck\":[1]}", false, true},
};

static bool is_result(jrpc_json response, const char *wanted)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool same = jrpc_json_read(&document, jrpc_slice_str(wanted), JRPC_LIMIT_DEPTH, NULL) &&
                jrpc_json_equal(jrpc_json_root(&document), jrpc_json_get(response, "result"));
    jrpc_json_document_done(&document);
    return same;
}

// Asks; true if the right result comes. A target that answers nothing is not waited for long: what
// comes late is told from the answers to cases by its id.
static bool ask(jck_link *link, const question *asked, size_t number)
{
    char id[48];
    int id_len = snprintf(id, sizeof id, "jck-%08x-0-ask%zu", link->nonce, number);
    jck_connection *open = jck_link_connection(link, 'a');
    const char *params = asked->params == NULL && open->fence.with_params ? "[]" : asked->params;
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), 1024);
    jrpc_buffer_printf(&text, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",%s%s%s\"id\":\"%s\"}",
                       asked->capability,
                       params == NULL ? "" : "\"params\":", params == NULL ? "" : params,
                       params == NULL ? "" : ",", id);
    jrpc_error error = {0};
    int64_t deadline = jrpc_deadline_in_ms(link->clock, link->timing.quiet_ms);
    static const jrpc_manner as_usual = {.chunked = false};
    bool waiting =
        jck_link_send(link, 'a', jrpc_buffer_slice(&text), &as_usual, &error) == JRPC_PEER_MESSAGE;
    jrpc_buffer_done(&text);
    bool right = false;
    while (waiting) {
        jck_heard heard = jck_link_hear(link, 'a', deadline, &error);
        switch (heard.kind) {
        case JCK_HEARD_MESSAGE:
            if (jrpc_json_string_is(jrpc_json_get(heard.value, "id"),
                                    jrpc_slice_of(id, (size_t)id_len))) {
                right = is_result(heard.value, asked->result);
                waiting = false;
            }
            break;
        case JCK_HEARD_FENCE:
        case JCK_HEARD_LATE_FENCE:
        case JCK_HEARD_ECHO:
        case JCK_HEARD_PUSH:
        case JCK_HEARD_REQUEST:
        case JCK_HEARD_NOISE:
        case JCK_HEARD_DEFERRED:
            break;
        case JCK_HEARD_SILENCE:
        case JCK_HEARD_END:
        case JCK_HEARD_TIMEOUT:
        case JCK_HEARD_FLOOD:
        case JCK_HEARD_INTERRUPT:
        case JCK_HEARD_FAULT:
            waiting = false;
            break;
        }
    }
    return right;
}

void jck_discover(jck_link *link)
{
    enum { COUNT = sizeof questions / sizeof questions[0] };
    bool wanted[COUNT];
    bool found[COUNT] = {false};
    for (size_t i = 0; i < COUNT; i++) {
        wanted[i] =
            jck_target_mapping(link->target, jrpc_slice_str(questions[i].capability)) == NULL;
    }
    for (size_t i = 0; i < COUNT; i++) {
        if (wanted[i] && jck_link_open(link, 'a', NULL) != JCK_LINK_OK) {
            return;
        }
        found[i] = wanted[i] && ask(link, &questions[i], i);
    }
    for (size_t i = 0; i < COUNT; i++) {
        bool both = i + 1 < COUNT && found[i] && found[i + 1] &&
                    strcmp(questions[i].capability, questions[i + 1].capability) == 0;
        if (!found[i]) {
            continue;
        }
        char mapping[64];
        const char *shape = both || (questions[i].by_position && questions[i].by_name) ? ""
                            : questions[i].by_position ? ":by-position"
                                                       : ":by-name";
        (void)snprintf(mapping, sizeof mapping, "%s=%s%s", questions[i].capability,
                       questions[i].capability, shape);
        (void)jck_target_add_mapping(link->target, mapping, NULL);
        i += both;
    }
}
