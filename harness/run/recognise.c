#include "harness/run/recognise.h"

#include "harness/evidence/evidence.h"
#include "harness/judge/match.h"
#include "harness/link/hear.h"
#include "harness/link/open.h"
#include "reference/base/limits.h"
#include "reference/json/read.h"

// What matching may need for one message.
#define MATCH_BYTES ((size_t)1 << 20)
// Ids of questions use steps that no prelude has.
#define FIRST_STEP 1000
// An answer may take this many times as long as the first one.
#define PATIENCE_TIMES 4

static bool resolve_nothing(void *context, jrpc_slice name, jrpc_slice *ret_spelling)
{
    (void)context;
    (void)name;
    (void)ret_spelling;
    return false;
}

static bool matches(jrpc_json pattern, jrpc_json message)
{
    jrpc_arena arena;
    jrpc_arena_init(&arena, jrpc_allocator_heap(), MATCH_BYTES);
    const jck_matching matching = {.resolve = resolve_nothing, .arena = &arena};
    bool same = jck_match_message(&matching, pattern, message) && !arena.failed;
    jrpc_arena_done(&arena);
    return same;
}

static bool is_shown_by(const jck_sign *sign, const jck_message *message)
{
    bool shown = message->direction == JCK_RECEIVED &&
                 (sign->status == 0 || sign->status == message->http_status) &&
                 jrpc_slice_contains(message->bytes, sign->says);
    if (!shown || !jrpc_json_exists(sign->message)) {
        return shown;
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    shown = jrpc_json_read(&document, message->bytes, JRPC_LIMIT_DEPTH, NULL) &&
            matches(sign->message, jrpc_json_root(&document));
    jrpc_json_document_done(&document);
    return shown;
}

bool jck_is_refused(const jck_link *link, jrpc_error *error)
{
    const jck_evidence *heard = &link->opening.record;
    for (size_t i = 0; i < heard->count; i++) {
        const jck_message *message = &heard->messages[i];
        for (size_t k = 0; k < link->target->refusal_count; k++) {
            const jck_denial *refusal = &link->target->refusals[k];
            if (is_shown_by(&refusal->sign, message)) {
                jrpc_arena arena;
                jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
                (void)jrpc_error_set(error, JRPC_ERROR_INVALID, "%.*s: %s", (int)refusal->means.len,
                                     refusal->means.ptr, jck_excerpt(&arena, message->bytes, 200));
                jrpc_arena_done(&arena);
                return true;
            }
        }
    }
    return false;
}

static bool shows_itself(const jck_evidence *heard, const jck_recognition *recognition)
{
    for (size_t i = 0; i < heard->count; i++) {
        for (size_t k = 0; k < recognition->sign_count; k++) {
            if (is_shown_by(&recognition->signs[k], &heard->messages[i])) {
                return true;
            }
        }
    }
    return false;
}

// Whether the answer to a question is the one that identifies a server of the profile.
static bool hear(jck_link *link, const jck_step *asked, int number, int64_t deadline_us)
{
    for (;;) {
        jrpc_error ignored = {0};
        int step = 0;
        jck_heard heard = jck_link_hear(link, 'a', deadline_us, &ignored);
        if (jck_heard_ends_wait(heard.kind)) {
            return false;
        }
        jrpc_json id = jrpc_json_get(heard.value, "id");
        if (heard.kind == JCK_HEARD_MESSAGE &&
            jck_variables_origin(&link->captured, id, &step) == JCK_ID_OF_STEP && step == number) {
            return matches(asked->expect.pattern, heard.value);
        }
    }
}

static bool ask(jck_link *link, const jck_step *asked, int number, int64_t wait_ms)
{
    jrpc_error ignored = {0};
    jrpc_buffer payload;
    jrpc_buffer_init(&payload, jrpc_allocator_heap(), JRPC_LIMIT_MESSAGE_BYTES);
    jck_variables_set_step(&link->captured, number);
    int64_t deadline = jrpc_deadline_in_ms(link->clock, wait_ms);
    bool sent = jck_variables_expand(&link->captured, &asked->payload, &payload, &ignored) &&
                jck_link_send(link, 'a', jrpc_buffer_slice(&payload), &asked->manner, &ignored) ==
                    JRPC_PEER_MESSAGE;
    jrpc_buffer_done(&payload);
    return sent && hear(link, asked, number, deadline);
}

// Asks all questions of a recognition until one identifies the target.
static bool ask_all(jck_link *link, const jck_recognition *recognition, int64_t wait_ms)
{
    bool shown = false;
    for (size_t i = 0; i < recognition->ask_count && !shown; i++) {
        jck_link_leave_used(link);
        shown = jck_link_open(link, 'a', NULL) == JCK_LINK_OK &&
                ask(link, &recognition->asks[i], FIRST_STEP + (int)i, wait_ms);
    }
    return shown;
}

// A fresh connection (over stdio: a process) on which the recognition's framing is spoken.
static bool try_framing(const jck_link *link, const jck_recognition *recognition)
{
    jck_target target = *link->target;
    target.framing = recognition->framing;
    jck_timing timing = link->timing;
    timing.start_ms = timing.reply_ms;
    jck_link trial;
    jck_link_init(&trial, &target, &timing, link->clock, link->endpoint.interrupt_fd, link->nonce,
                  link->host);
    trial.bare = true;
    bool shown = ask_all(&trial, recognition, timing.reply_ms);
    jck_link_done(&trial);
    return shown;
}

// Whether questions in the recognition's framing can help where the target was silent in its own.
static bool is_worth_a_trial(const jck_link *link, const jck_recognition *recognition)
{
    const jck_target *target = link->target;
    return (link->opening.status == JCK_LINK_MUTE || link->opening.status == JCK_LINK_UNOPENED) &&
           link->opening.connected && jck_target_traits(target)->byte_stream &&
           !target->framing_given && recognition->framing_given &&
           recognition->framing != target->framing;
}

// Whether the target has methods that were named or that do what section 7 prints. One that is only
// known to exist does not count.
static bool has_methods(const jck_target *target)
{
    bool exists = jck_target_mapping(target, JRPC_SLICE("known")) != NULL;
    return target->mapping_count > (exists ? 1u : 0u);
}

static bool is_worth_asking(const jck_link *link, const jck_recognition *recognition)
{
    const jck_target *target = link->target;
    return link->opening.status == JCK_LINK_OK && link->opening.code != 0 && !has_methods(target) &&
           (!recognition->framing_given ||
            (jck_target_traits(target)->byte_stream && recognition->framing == target->framing));
}

static int64_t patience_ms(const jck_link *link)
{
    int64_t likely = PATIENCE_TIMES * link->opening.took_us / 1000;
    likely = likely < link->timing.quiet_ms ? link->timing.quiet_ms : likely;
    return likely < link->timing.reply_ms ? likely : link->timing.reply_ms;
}

void jck_recognise(jck_link *link)
{
    jck_target *target = link->target;
    const jck_recognition *all = target->recognitions;
    for (size_t i = 0; i < target->recognition_count && target->looks_like == NULL; i++) {
        target->looks_like = shows_itself(&link->opening.record, &all[i]) ? &all[i] : NULL;
    }
    int64_t wait_ms = patience_ms(link);
    for (size_t i = 0; i < target->recognition_count && target->looks_like == NULL; i++) {
        bool shown = (is_worth_asking(link, &all[i]) && ask_all(link, &all[i], wait_ms)) ||
                     (is_worth_a_trial(link, &all[i]) && try_framing(link, &all[i]));
        target->looks_like = shown ? &all[i] : NULL;
    }
}
