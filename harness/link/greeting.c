#include "harness/link/greeting.h"

#include "harness/link/open.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

#include <stdio.h>
#include <string.h>

// How long to wait for one style of fence before the next one is tried as well.
#define STYLE_MS 1500
#define FENCE_BYTES 1024
#define METHOD_NOT_FOUND (-32601)

// Params for calls of the fixture's methods; only methods that change nothing.
static const struct {
    const char *capability;
    const char *params;
} harmless[] = {
    {"echo", "[\"jrpcheck\"]"},
    {"subtract", "[42,23]"},
    {"sum", "[1,2,4]"},
    {"get_data", ""},
};

enum { HARMLESS = sizeof harmless / sizeof harmless[0], UNKNOWN_STYLES = 2 };

static bool style_of_method(jrpc_slice method, const char *params, jck_fence_style *ret_style)
{
    *ret_style = (jck_fence_style){.with_params = false};
    if (method.len >= sizeof ret_style->method) {
        return false;
    }
    memcpy(ret_style->method, method.ptr, method.len);
    (void)snprintf(ret_style->params, sizeof ret_style->params, "%s", params);
    return true;
}

// Number `index` of the styles of a first fence: a method that does not exist (the best one,
// because it has no effect), the same with params, the methods that the target is said to have, and
// those that section 7 of the specification prints, with their params, because some servers do not
// answer calls of methods that they do not know. False past the last.
static bool style_at(const jck_link *link, size_t index, jck_fence_style *ret_style)
{
    if (index < UNKNOWN_STYLES) {
        *ret_style = (jck_fence_style){.with_params = index == 1};
        (void)snprintf(ret_style->method, sizeof ret_style->method, "\"jrpcheck.fence.%08x\"",
                       link->nonce);
        (void)snprintf(ret_style->params, sizeof ret_style->params, "%s", index == 1 ? "[]" : "");
        return true;
    }
    index -= UNKNOWN_STYLES;
    if (index < link->target->mapping_count) {
        const jck_mapping *mapping = &link->target->mappings[index];
        const char *params = "";
        for (size_t i = 0; i < HARMLESS; i++) {
            params = jrpc_slice_is(mapping->capability, harmless[i].capability) ? harmless[i].params
                                                                                : params;
        }
        return style_of_method(mapping->method, params, ret_style) ||
               style_at(link, index + UNKNOWN_STYLES + 1, ret_style);
    }
    index -= link->target->mapping_count;
    if (index >= HARMLESS) {
        return false;
    }
    char method[32];
    int len = snprintf(method, sizeof method, "\"%s\"", harmless[index].capability);
    return style_of_method(jrpc_slice_of(method, (size_t)len), harmless[index].params, ret_style);
}

bool jck_greet_record(const jck_link_opening *now, jck_direction direction,
                      jck_role_of_message role, const jck_heard *heard, jrpc_slice bytes)
{
    if (bytes.len == 0) {
        return true;
    }
    const jrpc_received none = {.true_len = bytes.len};
    const jrpc_received *received = heard == NULL ? &none : &heard->received;
    jck_message message = {.direction = direction,
                           .role = role,
                           .connection = now->connection,
                           .at_us = received->at_us,
                           .bytes = bytes,
                           .true_len = received->true_len,
                           .broken = heard != NULL && heard->broken,
                           .fence = heard == NULL ? JCK_FENCE_NONE : heard->fence,
                           .why = received->why,
                           .http_status = received->http_status,
                           .http_headers = received->http_headers,
                           .http_reused = received->http_reused};
    return jck_evidence_add(&now->link->opening.record, &message);
}

jck_link_status jck_greet_send_fence(const jck_link_opening *now)
{
    jrpc_buffer sent;
    jrpc_buffer_init(&sent, jrpc_allocator_heap(), FENCE_BYTES);
    jrpc_peer_event event = jck_link_send_fence(now->link, now->connection, &sent, now->error);
    bool kept =
        jck_greet_record(now, JCK_SENT, JCK_MESSAGE_OF_FENCE, NULL, jrpc_buffer_slice(&sent));
    jrpc_buffer_done(&sent);
    return event == JRPC_PEER_INTERRUPTED      ? JCK_LINK_INTERRUPTED
           : event == JRPC_PEER_FAULT || !kept ? JCK_LINK_FAULT
                                               : JCK_LINK_OK;
}

// Whether an answer comes from HTTP authentication, such as {"detail":"Not authenticated"}: the
// JSON-RPC server has not read the call.
static bool is_of_gate(const jck_heard *heard)
{
    bool refused = heard->received.http_status == 401 || heard->received.http_status == 403;
    return refused && !jrpc_json_exists(jrpc_json_get(heard->value, "jsonrpc")) &&
           !jrpc_json_exists(jrpc_json_get(heard->value, "id"));
}

// Whether a message can be the answer to the first fence although it lacks the fence's id.
static bool is_response(const jck_heard *heard)
{
    return jrpc_json_is(heard->value, JRPC_JSON_OBJECT) &&
           !jrpc_json_exists(jrpc_json_get(heard->value, "method")) && !is_of_gate(heard);
}

static bool has_no_id(jrpc_json response)
{
    jrpc_json id = jrpc_json_get(response, "id");
    return !jrpc_json_exists(id) || jrpc_json_is(id, JRPC_JSON_NULL);
}

// A Response came without the fence's id. True if it has to suffice because no other style works
// better.
static bool learn_form(const jck_link_opening *now, jrpc_json response)
{
    jck_opening *opening = &now->link->opening;
    if (now->link->learned.fence_by_form) {
        jck_fence_learn(&now->open->fences, &now->open->fence, response);
        return true;
    }
    if (!opening->formed.by_form) {
        jck_fences none = {.count = 0};
        opening->formed = now->open->fence;
        jck_fence_learn(&none, &opening->formed, response);
    }
    return false;
}

// Deals with what was heard during the wait for the answer to a first fence. True with *ret_status
// when the wait is over.
static bool is_settled_by(const jck_link_opening *now, const jck_heard *heard,
                          jck_link_status *ret_status)
{
    jck_link *link = now->link;
    jck_remember_http(link, heard);
    switch (heard->kind) {
    case JCK_HEARD_FENCE:
    case JCK_HEARD_LATE_FENCE:
        link->opening.code = 0;
        (void)jrpc_json_int64(jrpc_json_get(jrpc_json_get(heard->value, "error"), "code"),
                              &link->opening.code);
        *ret_status = JCK_LINK_OK;
        return true;
    case JCK_HEARD_ECHO:
        jck_remember_words(link, heard->received.bytes);
        *ret_status = JCK_LINK_ECHOES;
        return true;
    case JCK_HEARD_MESSAGE:
        if (!is_response(heard)) {
            jck_remember_words(link, heard->received.bytes);
            return false;
        }
        // If the id is wrong, the target may just not be able to keep ids of this type.
        link->opening.wrong_id = !has_no_id(heard->value);
        if (link->opening.wrong_id && !now->open->fence.number) {
            *ret_status = JCK_LINK_MUTE;
            return true;
        }
        *ret_status = learn_form(now, heard->value) ? JCK_LINK_OK : JCK_LINK_MUTE;
        return true;
    case JCK_HEARD_NOISE:
        jck_remember_words(link, heard->received.bytes);
        link->opening.breach = heard->received.why;
        link->opening.breaks_frames =
            heard->received.flaw != NULL && heard->received.flaw_of == JRPC_FLAW_BREAK;
        return false;
    case JCK_HEARD_PUSH:
    case JCK_HEARD_REQUEST:
    case JCK_HEARD_DEFERRED:
        return false;
    case JCK_HEARD_SILENCE:
        *ret_status = JCK_LINK_MUTE;             // over HTTP this is known without waiting …
        return link->target->events_url == NULL; // … unless the answer may come as an event
    case JCK_HEARD_END:
        if (link->opening.breach != NULL && jck_target_traits(link->target)->upgrades) {
            (void)jrpc_error_set(now->error, JRPC_ERROR_INVALID,
                                 "what came in place of the first answer could not be read: %s",
                                 link->opening.breach);
        } else {
            (void)jrpc_error_set(now->error, JRPC_ERROR_CLOSED,
                                 "it ended before it answered anything");
        }
        *ret_status = JCK_LINK_UNOPENED;
        return true;
    case JCK_HEARD_FLOOD:
        *ret_status = JCK_LINK_FLOODS;
        return true;
    case JCK_HEARD_TIMEOUT:
        *ret_status = JCK_LINK_MUTE;
        return true;
    case JCK_HEARD_INTERRUPT:
        *ret_status = JCK_LINK_INTERRUPTED;
        return true;
    case JCK_HEARD_FAULT:
        *ret_status = JCK_LINK_FAULT;
        return true;
    }
    return true;
}

// Waits for the answer to the fence just sent, or a late answer to an earlier one: a target that is
// still starting answers them all in the end.
static jck_link_status await_fence(const jck_link_opening *now, int64_t deadline_us)
{
    for (;;) {
        jck_heard heard = jck_link_hear(now->link, now->connection, deadline_us, now->error);
        bool fence = heard.kind == JCK_HEARD_FENCE || heard.kind == JCK_HEARD_LATE_FENCE;
        jck_role_of_message role = fence                           ? JCK_MESSAGE_OF_FENCE
                                   : heard.kind == JCK_HEARD_NOISE ? JCK_MESSAGE_NOISE
                                                                   : JCK_MESSAGE_OF_CASE;
        if (!jck_greet_record(now, JCK_RECEIVED, role, &heard, heard.received.bytes)) {
            return JCK_LINK_FAULT;
        }
        jck_link_status status = JCK_LINK_MUTE;
        if (is_settled_by(now, &heard, &status)) {
            return status;
        }
    }
}

// Which of the fences sent since `number`, each in the next style, was answered: the first of those
// that were, because its style is the best.
static uint32_t first_answered(const jck_fences *fences, uint32_t number)
{
    while (number < fences->count && number < JCK_FENCES_KEPT &&
           fences->sent[number].answers == 0) {
        number++;
    }
    return number;
}

// How long the target may take to start and to answer.
#define TRIAL_MS 3000

// No method has this name; servers that must be initialized first also answer with an error.
#define CALL "{\"jsonrpc\":\"2.0\",\"method\":\"jrpcheck.absent\",\"id\":\"jck-trial\"}"

static bool is_any_response(jrpc_slice text)
{
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    jrpc_json value = jrpc_json_read(&document, text, JRPC_LIMIT_DEPTH, NULL)
                          ? jrpc_json_root(&document)
                          : JRPC_JSON_ABSENT;
    bool is = jrpc_json_exists(jrpc_json_get(value, "error")) ||
              jrpc_json_exists(jrpc_json_get(value, "result"));
    jrpc_json_document_done(&document);
    return is;
}

// Calls the target in a framing on a separate connection (over stdio: a separate process). True if
// it answers with a Response within TRIAL_MS. False at once if less time is left until
// `deadline_us`.
static bool answers_in(jck_link *link, jrpc_framing framing, int64_t deadline_us)
{
    jrpc_error ignored = {0};
    jrpc_endpoint endpoint = link->endpoint;
    int64_t until_us = jrpc_deadline_in_ms(link->clock, TRIAL_MS);
    endpoint.framing = framing;
    jrpc_peer *peer = until_us > deadline_us ? NULL : jrpc_peer_open(&endpoint, until_us, &ignored);
    if (peer == NULL) {
        return false;
    }
    bool answers = false;
    jrpc_peer_event event = jrpc_peer_send(peer, JRPC_SLICE(CALL), until_us, &ignored);
    while (event == JRPC_PEER_MESSAGE && !answers) {
        jrpc_received received = {.at_us = 0};
        event = jrpc_peer_receive(peer, until_us, &received, &ignored);
        answers = event == JRPC_PEER_MESSAGE && is_any_response(received.bytes);
    }
    if (jck_target_traits(link->target)->is_child) {
        jck_kept_dismiss(&link->kept, peer, link->clock, link->timing.grace_ms);
    } else {
        jrpc_peer_close(peer, link->timing.grace_ms);
    }
    return answers;
}

// A target that never answered is tried in another framing after so many styles.
#define STYLES_BEFORE_TRIAL 2

static bool has_heard_something(const jck_opening *opening)
{
    bool heard = false;
    for (size_t i = 0; i < opening->record.count; i++) {
        heard = heard || opening->record.messages[i].direction == JCK_RECEIVED;
    }
    return heard;
}

// Whether a target that did not answer calls written as lines answers calls with Content-Length, or
// answers them without a line feed at the end.
static bool is_framed(const jck_link_opening *now, size_t styles)
{
    jck_link *link = now->link;
    const jck_target *target = link->target;
    bool silent =
        link->opened == 0 && styles == STYLES_BEFORE_TRIAL && !has_heard_something(&link->opening);
    static const jrpc_framing others[] = {JRPC_FRAMING_CONTENT_LENGTH, JRPC_FRAMING_CONCATENATED};
    bool tried = silent && !target->framing_given && target->prelude_count == 0 &&
                 target->framing == JRPC_FRAMING_LINE && jck_target_traits(target)->byte_stream;
    for (size_t i = 0; tried && i < sizeof others / sizeof *others && !link->opening.framed; i++) {
        link->opening.framed = answers_in(link, others[i], now->deadline_us);
        link->opening.framing = others[i];
    }
    return link->opening.framed;
}

jck_link_status jck_greet_find_fence(const jck_link_opening *now)
{
    jck_link *link = now->link;
    size_t first = link->learned.fence_style;
    uint32_t begun = now->open->fences.count;
    jck_fence_style next;
    jck_link_status status = JCK_LINK_MUTE;
    for (size_t index = first; style_at(link, index, &next) && status == JCK_LINK_MUTE; index++) {
        if (is_framed(now, index - first)) {
            return JCK_LINK_MUTE;
        }
        now->open->fence = next;
        now->open->fence.number = link->learned.fence_number;
        status = jck_greet_send_fence(now);
        if (status != JCK_LINK_OK) {
            return status;
        }
        bool last = !style_at(link, index + 1, &next);
        bool formed = link->opening.formed.by_form;
        int64_t soon =
            jrpc_deadline_in_ms(link->clock, formed ? link->timing.patience_ms : STYLE_MS);
        int64_t until = (last && !formed) || soon > now->deadline_us ? now->deadline_us : soon;
        status = await_fence(now, until);
        if (status == JCK_LINK_MUTE && link->opening.wrong_id && !link->learned.fence_number) {
            link->learned.fence_number = true;
            begun = now->open->fences.count;
            first = index--; // once more in this style, with a Number as id
            continue;
        }
        if (!formed && link->opening.formed.by_form) {
            link->opening.formed_index = index;
        }
        if (status == JCK_LINK_OK && !link->learned.fence_by_form) {
            link->learned.fence_style = first + first_answered(&now->open->fences, begun) - begun;
            (void)style_at(link, link->learned.fence_style, &now->open->fence);
            now->open->fence.number = link->learned.fence_number;
        }
    }
    if (status == JCK_LINK_MUTE && link->opening.formed.by_form) {
        link->learned.fence_by_form = true;
        link->learned.fence_style = link->opening.formed_index;
        now->open->fence = link->opening.formed;
        jck_fences_settle(&now->open->fences);
        status = JCK_LINK_OK;
    }
    return status;
}

jck_link_status jck_greet_learn_params(const jck_link_opening *now)
{
    jck_link *link = now->link;
    bool refused = link->opening.code != 0 && link->opening.code != METHOD_NOT_FOUND;
    if (link->learned.params_known || link->learned.fence_style != 0 || !refused) {
        return JCK_LINK_OK;
    }
    link->learned.params_known = true;
    const jck_fence_style without = now->open->fence;
    (void)style_at(link, 1, &now->open->fence);
    now->open->fence.number = without.number;
    jck_link_status status = jck_greet_send_fence(now);
    if (status == JCK_LINK_OK) {
        status = await_fence(now, jrpc_deadline_in_ms(link->clock, STYLE_MS));
    }
    if (status == JCK_LINK_OK && link->opening.code == METHOD_NOT_FOUND) {
        link->learned.fence_style = 1;
        return JCK_LINK_OK;
    }
    now->open->fence = without;
    return status == JCK_LINK_MUTE ? JCK_LINK_OK : status;
}

void jck_greet_keep_params(jck_link *link)
{
    if (link->learned.fence_style != 0) {
        return;
    }
    link->learned.fence_style = 1;
    jck_fence_style *fence = &jck_link_connection(link, 'a')->fence;
    bool number = fence->number;
    (void)style_at(link, 1, fence);
    fence->number = number;
}
