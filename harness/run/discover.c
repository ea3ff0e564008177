#include "harness/run/discover.h"

#include "harness/evidence/evidence.h"
#include "harness/link/hear.h"
#include "harness/link/open.h"
#include "reference/base/limits.h"
#include "reference/json/equal.h"
#include "reference/json/read.h"
#include "reference/json/write.h"

#include <stdio.h>

// Bytes of a result that a sighting repeats.
#define RESULT_SHOWN 40
// The longest call, with a name that a description gives.
#define QUESTION_BYTES ((size_t)1 << 16)

// How params are passed in a question.
typedef enum passing {
    BY_POSITION,
    BY_NAME,
    EITHER,   // it has none, or they do not matter
    VARIADIC, // by position, more of them than section 7 prints
    WRAPPED,  // all of them as the one param of the method
} passing;

// One question: a call whose result is known.
typedef struct question {
    const char *capability; // also the method's name
    const char *params;     // JSON spelling; NULL: none
    const char *result;     // JSON spelling; NULL: null, or none at all
    passing passing;
    bool printed; // in section 7
} question;

static const question questions[] = {
    {"subtract", "[42,23]", "19", BY_POSITION, true},
    {"subtract", "{\"subtrahend\":23,\"minuend\":42}", "19", BY_NAME, true},
    {"sum", "[1,2,4]", "7", BY_POSITION, true},
    {"sum", "[1,1,1,1,1,1,1,1]", "8", VARIADIC, true},
    {"get_data", NULL, "[\"hello\",5]", EITHER, true},
    {"update", "[1,2,3,4,5]", NULL, EITHER, true},
    {"notify_hello", "[7]", NULL, EITHER, true},
    {"notify_sum", "[1,2,4]", NULL, EITHER, true},
    {"echo", "[\"jrpcheck\",1]", "[\"jrpcheck\",1]", BY_POSITION, false},
    {"echo", "{\"jrpcheck\":[1]}", "{\"jrpcheck\":[1]}", BY_NAME, false},
    {"echo", "[[\"jrpcheck\",1]]", "[\"jrpcheck\",1]", WRAPPED, false},
};
#define QUESTIONS (sizeof questions / sizeof questions[0])

// Names that servers give to a method that always fails, as an example or for tests. Calling such
// a method does no harm.
static const char *const failing[] = {
    "fail",  "boom",    "throw",  "raise",       "error",      "throw_error",
    "fails", "explode", "broken", "raise_error", "throwError", "raise_exception",
};
#define FAILING (sizeof failing / sizeof failing[0])

// Names of methods that many servers have, and that do no harm either when they are called.
static const char *const common[] = {"ping", "add", "echo", "version", "hello", "status"};
#define COMMON (sizeof common / sizeof common[0])

// What is asked of one target, and how patiently.
typedef struct jck_asking {
    jck_link *link;
    int64_t slowest_us;              // answer so far
    bool waited;                     // in vain, and as long as an answer may take
    const jck_mapping *candidate;    // asked instead of the method with the capability's name; NULL
    char seen[RESULT_SHOWN * 4 + 8]; // the result that came instead of the printed one
    bool coded;                      // the code of the last error is an integer …
    int64_t code;                    // … this one
} jck_asking;

static jck_reply classify(jck_asking *asking, jrpc_json response, const question *asked)
{
    jrpc_json result = jrpc_json_get(response, "result");
    jrpc_json error = jrpc_json_get(response, "error");
    asking->coded = jrpc_json_int64(jrpc_json_get(error, "code"), &asking->code);
    // An `error` next to the right result, or one that is not an Object, is for the cases to judge.
    if (jrpc_json_exists(error) && !jrpc_json_exists(result)) {
        return JCK_REPLY_ERROR;
    }
    bool refused = jrpc_json_is(error, JRPC_JSON_OBJECT);
    if (refused && (asked->result == NULL || jrpc_json_is(result, JRPC_JSON_NULL))) {
        return JCK_REPLY_ERROR;
    }
    if (asked->result == NULL) {
        bool null = !jrpc_json_exists(result) || jrpc_json_is(result, JRPC_JSON_NULL);
        return null ? JCK_REPLY_RIGHT : JCK_REPLY_OTHER;
    }
    jrpc_json_document document;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    bool same = jrpc_json_read(&document, jrpc_slice_str(asked->result), JRPC_LIMIT_DEPTH, NULL) &&
                jrpc_json_equal(jrpc_json_root(&document), result);
    jrpc_json_document_done(&document);
    if (!same) {
        jrpc_arena arena;
        jrpc_arena_init(&arena, jrpc_allocator_heap(), 4096);
        (void)snprintf(asking->seen, sizeof asking->seen, "%s",
                       jrpc_json_exists(result)
                           ? jck_excerpt(&arena, jrpc_json_spelling(result), RESULT_SHOWN)
                           : "no result");
        jrpc_arena_done(&arena);
    }
    return same ? JCK_REPLY_RIGHT : refused ? JCK_REPLY_ERROR : JCK_REPLY_OTHER;
}

// How long an answer is waited for: as long as one may take, until one was waited for in vain; then
// as long as the slowest one so far leaves likely.
static int64_t patience_us(const jck_asking *asking)
{
    const jck_timing *timing = &asking->link->timing;
    int64_t most_us = timing->reply_ms * 1000;
    int64_t likely_us = 4 * asking->slowest_us;
    likely_us = likely_us < timing->quiet_ms * 1000 ? timing->quiet_ms * 1000 : likely_us;
    return !asking->waited || likely_us > most_us ? most_us : likely_us;
}

// Hears the answer with this id.
static jck_reply hear(jck_asking *asking, const question *asked, jrpc_slice id, int64_t deadline_us)
{
    for (;;) {
        jrpc_error error = {0};
        jck_heard heard = jck_link_hear(asking->link, 'a', deadline_us, &error);
        switch (heard.kind) {
        case JCK_HEARD_MESSAGE:
            if (jrpc_json_string_is(jrpc_json_get(heard.value, "id"), id)) {
                return classify(asking, heard.value, asked);
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
        case JCK_HEARD_TIMEOUT:
            asking->waited = true;
            return JCK_REPLY_NONE;
        case JCK_HEARD_SILENCE:
        case JCK_HEARD_END:
        case JCK_HEARD_FLOOD:
        case JCK_HEARD_INTERRUPT:
        case JCK_HEARD_FAULT:
            return JCK_REPLY_NONE;
        }
    }
}

// The params of a question, with the names that the candidate has for them.
static void write_params(const jck_asking *asking, const char *params, jrpc_buffer *out)
{
    jrpc_json_document document;
    jrpc_json names = asking->candidate == NULL || asking->candidate->call == NULL
                          ? JRPC_JSON_ABSENT
                          : asking->candidate->call->names;
    jrpc_json_document_init(&document, jrpc_allocator_heap());
    if (!jrpc_json_exists(names) ||
        !jrpc_json_read(&document, jrpc_slice_str(params), JRPC_LIMIT_DEPTH, NULL) ||
        !jrpc_json_is(jrpc_json_root(&document), JRPC_JSON_OBJECT)) {
        (void)jrpc_buffer_append_str(out, params);
    } else {
        const char *between = "{";
        for (jrpc_json_iterator it = jrpc_json_iterate(jrpc_json_root(&document));
             jrpc_json_step(&it);) {
            jrpc_slice key = jrpc_json_spelling(it.key);
            jrpc_json name = jrpc_json_member(names, jrpc_slice_of(key.ptr + 1, key.len - 2));
            (void)jrpc_buffer_append_str(out, between);
            (void)jrpc_buffer_append(out, jrpc_json_exists(name) ? jrpc_json_spelling(name) : key);
            (void)jrpc_buffer_append_char(out, ':');
            (void)jrpc_buffer_append(out, jrpc_json_spelling(it.value));
            between = ",";
        }
        (void)jrpc_buffer_append_char(out, '}');
    }
    jrpc_json_document_done(&document);
}

static void write_question(const jck_asking *asking, const question *asked, const char *id,
                           jrpc_buffer *text)
{
    const jck_connection *open = jck_link_connection(asking->link, 'a');
    const char *params = asked->params == NULL && open->fence.with_params ? "[]" : asked->params;
    (void)jrpc_buffer_append_str(text, "{\"jsonrpc\":\"2.0\",\"method\":");
    if (asking->candidate == NULL) {
        (void)jrpc_json_quote(text, jrpc_slice_str(asked->capability));
    } else {
        (void)jrpc_buffer_append(text, asking->candidate->method);
    }
    if (params != NULL) {
        (void)jrpc_buffer_append_str(text, ",\"params\":");
        write_params(asking, params, text);
    }
    (void)jrpc_buffer_printf(text, ",\"id\":\"%s\"}", id);
}

// Asks. What comes late is told apart from the answers to cases by its id.
static jck_reply ask(jck_asking *asking, const question *asked, size_t number)
{
    jck_link *link = asking->link;
    char id[48];
    int id_len = snprintf(id, sizeof id, "jck-%08x-0-%s%zu", link->nonce,
                          asking->candidate == NULL ? "ask" : "try", number);
    jrpc_buffer text;
    jrpc_buffer_init(&text, jrpc_allocator_heap(), QUESTION_BYTES);
    write_question(asking, asked, id, &text);
    jrpc_error error = {0};
    int64_t began_us = jrpc_clock_now_us(link->clock);
    int64_t deadline_us = began_us + patience_us(asking);
    static const jrpc_manner as_usual = {.chunked = false};
    jrpc_peer_event sent = jck_link_send(link, 'a', jrpc_buffer_slice(&text), &as_usual, &error);
    jrpc_buffer_done(&text);
    if (sent != JRPC_PEER_MESSAGE) {
        return JCK_REPLY_NONE;
    }
    jck_reply reply = hear(asking, asked, jrpc_slice_of(id, (size_t)id_len), deadline_us);
    int64_t took_us = jrpc_clock_now_us(link->clock) - began_us;
    if (reply != JCK_REPLY_NONE && took_us > asking->slowest_us) {
        asking->slowest_us = took_us;
    }
    return reply;
}

jck_discovery jck_discover_decide(jck_reply by_position, jck_reply by_name, bool printed)
{
    bool right = by_position == JCK_REPLY_RIGHT || by_name == JCK_REPLY_RIGHT;
    jck_reply least = right && printed ? JCK_REPLY_OTHER : JCK_REPLY_RIGHT;
    return (jck_discovery){
        .found = right,
        .by_position = right && by_position >= least,
        .by_name = right && by_name >= least,
        .sighted = !right && (by_position == JCK_REPLY_OTHER || by_name == JCK_REPLY_OTHER),
    };
}

// The replies to the questions of one capability.
typedef struct jck_replies {
    jck_reply by_position, by_name, variadic, wrapped;
    const question *other; // the question that a result came for which is not the printed one
    char seen[sizeof((jck_asking *)0)->seen];
} jck_replies;

static void note(jck_replies *replies, const jck_asking *asking, const question *asked,
                 jck_reply reply)
{
    switch (asked->passing) {
    case BY_POSITION:
        replies->by_position = reply;
        break;
    case BY_NAME:
        replies->by_name = reply;
        break;
    case EITHER:
        replies->by_position = replies->by_name = reply;
        break;
    case VARIADIC:
        replies->variadic = reply;
        return;
    case WRAPPED:
        replies->wrapped = reply;
        return;
    }
    if (reply == JCK_REPLY_OTHER && replies->other == NULL) {
        replies->other = asked;
        memcpy(replies->seen, asking->seen, sizeof replies->seen);
    }
}

// Maps a capability to a method.
static bool map(jck_target *target, const char *capability, const char *method, const char *shape)
{
    char text[160];
    (void)snprintf(text, sizeof text, "%s=%s%s", capability, method, shape);
    return jck_target_add_mapping(target, text, NULL);
}

// Notes which params the method of a mapped capability takes.
static void note_params(jck_target *target, jrpc_slice capability, const jck_replies *replies,
                        bool wrapped)
{
    if (wrapped) {
        (void)jck_target_wrap_params(target, capability);
    } else if (replies->variadic != JCK_REPLY_UNASKED && replies->variadic != JCK_REPLY_RIGHT) {
        jck_target_fix_params(target, capability);
    }
}

// Maps the capability to its candidate, if that is what it looks like.
static void conclude_candidate(jck_target *target, const jck_mapping *candidate,
                               const jck_replies *replies)
{
    jck_discovery found = jck_discover_decide(replies->by_position, replies->by_name, false);
    bool wrapped = !found.found && replies->wrapped == JCK_REPLY_RIGHT;
    if ((found.found || wrapped) &&
        jck_target_take_candidate(target, candidate, wrapped || found.by_position,
                                  !wrapped && found.by_name)) {
        note_params(target, candidate->capability, replies, wrapped);
    }
}

// Maps the capability, or says what was seen.
static void conclude(jck_target *target, const question *first, const jck_replies *replies)
{
    jck_discovery found =
        jck_discover_decide(replies->by_position, replies->by_name, first->printed);
    bool wrapped = !found.found && replies->wrapped == JCK_REPLY_RIGHT;
    jrpc_slice capability = jrpc_slice_str(first->capability);
    char text[320];
    if (found.found || wrapped) {
        const char *shape = wrapped || (found.by_position && found.by_name) ? ""
                            : found.by_position                             ? ":by-position"
                                                                            : ":by-name";
        if (map(target, first->capability, first->capability, shape)) {
            note_params(target, capability, replies, wrapped);
        }
    } else if (found.sighted && first->printed && replies->other != NULL &&
               replies->other->params != NULL) {
        (void)snprintf(
            text, sizeof text,
            "a method %s exists and gives %s for %s; add --method %s=%s to have it judged",
            first->capability, replies->seen, replies->other->params, first->capability,
            first->capability);
        (void)jck_target_add_sighting(target, capability, text);
    }
}

// Whether the answers so far leave nothing to be learnt from a question.
static bool is_pointless(const question *asked, const jck_replies *replies)
{
    bool right = replies->by_position == JCK_REPLY_RIGHT || replies->by_name == JCK_REPLY_RIGHT;
    return (asked->passing == VARIADIC && replies->by_position != JCK_REPLY_RIGHT) ||
           (asked->passing == WRAPPED && right);
}

// Asks on a connection that is in order. False if the target is gone.
static bool ask_anew(jck_asking *asking, const question *asked, size_t number, jck_reply *ret_reply)
{
    jck_link_leave_used(asking->link);
    if (jck_link_open(asking->link, 'a', NULL) != JCK_LINK_OK) {
        return false;
    }
    *ret_reply = ask(asking, asked, number);
    return true;
}

// Calls a method that no capability names, whatever its result is. False if the target is gone.
static bool ask_by_name(jck_asking *asking, const char *method, size_t number, jck_reply *ret_reply)
{
    const question asked = {.capability = method, .passing = EITHER};
    return ask_anew(asking, &asked, number, ret_reply);
}

// Whether the last error comes from the method itself: its code is not one of those with which a
// server refuses a call, nor `absent`, that of a method which does not exist.
static bool is_of_the_method(const jck_asking *asking, int64_t absent)
{
    bool of_protocol = asking->code == JRPC_PARSE_ERROR || asking->code == JRPC_INVALID_REQUEST ||
                       asking->code == JRPC_METHOD_NOT_FOUND || asking->code == JRPC_INVALID_PARAMS;
    return !asking->coded || (!of_protocol && asking->code != absent);
}

// Maps `fail` to the first method with one of the names of `failing` that gives an error of its
// own, or no answer with the id of the call.
static void discover_failing(jck_asking *asking, int64_t absent)
{
    jck_reply reply = JCK_REPLY_UNASKED;
    bool wanted = jck_target_mapping(asking->link->target, JRPC_SLICE("fail")) == NULL;
    for (size_t i = 0; wanted && i < FAILING; i++) {
        if (!ask_by_name(asking, failing[i], QUESTIONS + 1 + i, &reply)) {
            return;
        }
        if (reply == JCK_REPLY_NONE ||
            (reply == JCK_REPLY_ERROR && is_of_the_method(asking, absent))) {
            (void)map(asking->link->target, "fail", failing[i], "");
            return;
        }
    }
}

// Maps `known` to a method that exists, whatever it does: the first with a common name that gives a
// result or refuses its params. Where `subtract` was found, that serves instead.
static void discover_known(jck_asking *asking)
{
    jck_target *target = asking->link->target;
    jck_reply reply = JCK_REPLY_UNASKED;
    if (jck_target_mapping(target, JRPC_SLICE("known")) != NULL ||
        jck_target_mapping(target, JRPC_SLICE("subtract")) != NULL) {
        return;
    }
    for (size_t i = 0; i < COMMON; i++) {
        if (!ask_by_name(asking, common[i], QUESTIONS + 1 + FAILING + i, &reply) ||
            reply == JCK_REPLY_NONE) {
            return;
        }
        if (reply != JCK_REPLY_ERROR || (asking->coded && asking->code == JRPC_INVALID_PARAMS)) {
            (void)map(target, "known", common[i], "");
            return;
        }
    }
}

// Finds methods by common names, comparing their errors with that of a method which does not exist.
static void discover_common(jck_asking *asking)
{
    jck_reply reply = JCK_REPLY_UNASKED;
    if (!ask_by_name(asking, "jrpcheck_has_no_such_method", QUESTIONS, &reply) ||
        reply != JCK_REPLY_ERROR || !asking->coded) {
        return;
    }
    int64_t absent = asking->code;
    discover_failing(asking, absent);
    if (absent != JRPC_INVALID_PARAMS) {
        discover_known(asking);
    }
}

// Asks all questions of a capability, which begin at `first`. False if the target is gone.
static bool ask_all(jck_asking *asking, const question *first, jck_replies *replies)
{
    for (const question *asked = first;
         asked < questions + QUESTIONS && strcmp(asked->capability, first->capability) == 0;
         asked++) {
        if (is_pointless(asked, replies)) {
            continue;
        }
        jck_reply reply;
        if (!ask_anew(asking, asked, (size_t)(asked - questions), &reply)) {
            return false;
        }
        note(replies, asking, asked, reply);
    }
    return true;
}

// Looks for the method of one capability, by its name and then by its candidate.
static bool discover_one(jck_asking *asking, const question *first)
{
    jck_target *target = asking->link->target;
    jrpc_slice capability = jrpc_slice_str(first->capability);
    jck_replies replies = {.other = NULL};
    jck_replies of_candidate = {.other = NULL};
    if (jck_target_mapping(target, capability) != NULL) {
        return true;
    }
    if (!ask_all(asking, first, &replies)) {
        return false;
    }
    conclude(target, first, &replies);
    asking->candidate = jck_target_mapping(target, capability) == NULL
                            ? jck_target_candidate(target, capability)
                            : NULL;
    bool there = asking->candidate == NULL || ask_all(asking, first, &of_candidate);
    if (asking->candidate != NULL && there) {
        conclude_candidate(target, asking->candidate, &of_candidate);
    }
    asking->candidate = NULL;
    return there;
}

void jck_discover(jck_link *link)
{
    jck_asking asking = {.link = link};
    for (size_t i = 0; i < QUESTIONS; i++) {
        bool first = i == 0 || strcmp(questions[i - 1].capability, questions[i].capability) != 0;
        if (first && !discover_one(&asking, &questions[i])) {
            return;
        }
    }
    discover_common(&asking);
}
