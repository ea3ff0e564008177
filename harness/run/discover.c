#include "harness/run/discover.h"

#include "harness/link/greeting.h"
#include "harness/run/ask_ahead.h"
#include "reference/rpc/message.h"

#include <stdio.h>

static const jck_question questions[] = {
    {"subtract", "[42,23]", "19", JCK_PASSED_BY_POSITION, true},
    {"subtract", "{\"subtrahend\":23,\"minuend\":42}", "19", JCK_PASSED_BY_NAME, true},
    {"sum", "[1,2,4]", "7", JCK_PASSED_BY_POSITION, true},
    {"sum", "[1,1,1,1,1,1,1,1]", "8", JCK_PASSED_VARIADIC, true},
    {"get_data", NULL, "[\"hello\",5]", JCK_PASSED_EITHER, true},
    {"get_data", "[]", "[\"hello\",5]", JCK_PASSED_NONE, true},
    {"update", "[1,2,3,4,5]", NULL, JCK_PASSED_EITHER, true},
    {"notify_hello", "[7]", NULL, JCK_PASSED_EITHER, true},
    {"notify_sum", "[1,2,4]", NULL, JCK_PASSED_EITHER, true},
    {"echo", "[\"jrpcheck\",1]", "[\"jrpcheck\",1]", JCK_PASSED_BY_POSITION, false},
    {"echo", "{\"jrpcheck\":[1]}", "{\"jrpcheck\":[1]}", JCK_PASSED_BY_NAME, false},
    {"echo", "[[\"jrpcheck\",1]]", "[\"jrpcheck\",1]", JCK_PASSED_WRAPPED, false},
};
#define QUESTIONS (sizeof questions / sizeof questions[0])

// Names that servers give to a method that always fails, as an example or for tests. Calling such
// a method does no harm.
static const char *const failing[] = {
    "fail",  "boom",    "throw",  "raise",       "error",      "throw_error",
    "fails", "explode", "broken", "raise_error", "throwError", "raise_exception",
};
#define FAILING (sizeof failing / sizeof failing[0])

static const char absent_method[] = "jrpcheck_has_no_such_method";

// Names of methods that many servers have. Calling them does no harm either.
static const char *const common[] = {"ping", "add", "echo", "version", "hello", "status"};
#define COMMON (sizeof common / sizeof common[0])

// Names of methods that answer after a time. Some count in seconds, so the first call asks for a
// single unit: if it takes long, no further call is made. If a call with SLOW_PARAMS takes as long
// as that many milliseconds, the unit is the millisecond.
static const char *const sleeping[] = {"slow", "sleep", "delay"};
#define SLEEPING (sizeof sleeping / sizeof sleeping[0])
#define UNIT_MOST_US 500000
#define SLOW_PARAMS "[40]"
#define SLOW_LEAST_US 39000
#define SLOW_MOST_US 2000000

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
    bool wants_params;         // refused without, right with an empty Array
    const jck_question *other; // the question that got a result other than the printed one
    char seen[sizeof((jck_asking *)0)->seen];
} jck_replies;

static void note(jck_replies *replies, const jck_asking *asking, const jck_question *asked,
                 jck_reply reply)
{
    switch (asked->passing) {
    case JCK_PASSED_BY_POSITION:
        replies->by_position = reply;
        break;
    case JCK_PASSED_BY_NAME:
        replies->by_name = reply;
        break;
    case JCK_PASSED_EITHER:
        replies->by_position = replies->by_name = reply;
        break;
    case JCK_PASSED_NONE:
        replies->by_position = replies->by_name = reply;
        replies->wants_params = reply == JCK_REPLY_RIGHT;
        break;
    case JCK_PASSED_VARIADIC:
        replies->variadic = reply;
        return;
    case JCK_PASSED_WRAPPED:
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

// Notes which params the method of a mapped capability accepts.
static void note_params(jck_target *target, jrpc_slice capability, const jck_replies *replies,
                        bool wrapped)
{
    if (wrapped) {
        (void)jck_target_wrap_params(target, capability);
    } else if (replies->variadic != JCK_REPLY_UNASKED && replies->variadic != JCK_REPLY_RIGHT) {
        jck_target_fix_params(target, capability);
    }
}

// Maps the capability to its candidate if the answers fit.
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

// Maps the capability, or records what was seen.
static void conclude(jck_target *target, const jck_question *first, const jck_replies *replies)
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

// Whether the question can no longer add anything to the answers so far.
static bool is_pointless(const jck_question *asked, const jck_replies *replies)
{
    bool right = replies->by_position == JCK_REPLY_RIGHT || replies->by_name == JCK_REPLY_RIGHT;
    return (asked->passing == JCK_PASSED_NONE && replies->by_position != JCK_REPLY_ERROR) ||
           (asked->passing == JCK_PASSED_VARIADIC && replies->by_position != JCK_REPLY_RIGHT) ||
           (asked->passing == JCK_PASSED_WRAPPED && right);
}

// Calls a method that no capability names, whatever its result is. False if the target is gone.
static bool ask_by_name(jck_asking *asking, const char *method, size_t number, jck_reply *ret_reply)
{
    const jck_question asked = {.capability = method, .passing = JCK_PASSED_EITHER};
    return jck_ask(asking, &asked, number, ret_reply);
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

// Maps `known` to a method that exists, whatever it does: `subtract` if that was found, otherwise
// the first one with a common name that gives a result or refuses its params.
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

// Calls a method that answers after a time. *ret_took_us is how long a result took, INT64_MAX if
// none came. False if the target is gone.
static bool time_call(jck_asking *asking, const char *method, const char *params, size_t number,
                      int64_t *ret_took_us)
{
    const jck_question asked = {
        .capability = method, .params = params, .passing = JCK_PASSED_BY_POSITION};
    jck_reply reply = JCK_REPLY_UNASKED;
    int64_t began_us = jrpc_clock_now_us(asking->link->clock);
    bool there = jck_ask(asking, &asked, number, &reply);
    bool served = reply == JCK_REPLY_RIGHT || reply == JCK_REPLY_OTHER;
    *ret_took_us = served ? jrpc_clock_now_us(asking->link->clock) - began_us : INT64_MAX;
    return there;
}

// Maps `slow` to the first method with one of the names of `sleeping` that takes milliseconds.
static void discover_slow(jck_asking *asking)
{
    jck_target *target = asking->link->target;
    size_t number = QUESTIONS + 1 + FAILING + COMMON;
    bool wanted = jck_target_mapping(target, JRPC_SLICE("slow")) == NULL;
    for (size_t i = 0; wanted && i < SLEEPING; i++) {
        int64_t took_us = INT64_MAX;
        if (!time_call(asking, sleeping[i], "[1]", number++, &took_us)) {
            return;
        }
        if (took_us > UNIT_MOST_US) {
            continue;
        }
        if (!time_call(asking, sleeping[i], SLOW_PARAMS, number++, &took_us)) {
            return;
        }
        if (took_us >= SLOW_LEAST_US && took_us <= SLOW_MOST_US) {
            (void)map(target, "slow", sleeping[i], ":by-position");
            return;
        }
    }
}

// Finds methods by common names, comparing their errors with that of a method which does not exist.
static void discover_common(jck_asking *asking, bool slow)
{
    jck_reply reply = JCK_REPLY_UNASKED;
    if (!ask_by_name(asking, absent_method, QUESTIONS, &reply) || reply != JCK_REPLY_ERROR ||
        !asking->coded) {
        return;
    }
    int64_t absent = asking->code;
    discover_failing(asking, absent);
    if (absent != JRPC_INVALID_PARAMS) {
        discover_known(asking);
    }
    if (slow) {
        discover_slow(asking);
    }
}

// Asks all questions of a capability, which begin at `first`. False if the target is gone.
static bool ask_all(jck_asking *asking, const jck_question *first, jck_replies *replies)
{
    for (const jck_question *asked = first;
         asked < questions + QUESTIONS && strcmp(asked->capability, first->capability) == 0;
         asked++) {
        if (is_pointless(asked, replies)) {
            continue;
        }
        jck_reply reply;
        if (!jck_ask(asking, asked, (size_t)(asked - questions), &reply)) {
            return false;
        }
        note(replies, asking, asked, reply);
    }
    return true;
}

// The question that passes all params inside a single one; NULL if the capability has none.
static const jck_question *wrapped_question(const jck_question *first)
{
    for (const jck_question *asked = first;
         asked < questions + QUESTIONS && strcmp(asked->capability, first->capability) == 0;
         asked++) {
        if (asked->passing == JCK_PASSED_WRAPPED) {
            return asked;
        }
    }
    return NULL;
}

// Lets cases pass a single param if the method, which gave no right result otherwise, returns its
// first param. False if the target is gone.
static bool wrap_if_right(jck_asking *asking, const jck_question *first, const jck_mapping *named)
{
    const jck_question *wrapped = wrapped_question(first);
    jck_reply reply = JCK_REPLY_UNASKED;
    bool there = wrapped == NULL || jck_ask(asking, wrapped, (size_t)(wrapped - questions), &reply);
    if (reply == JCK_REPLY_RIGHT) {
        (void)jck_target_wrap_params(asking->link->target, named->capability);
    }
    return there;
}

// A method may take params in one way only (section 4.2). If the user did not say how it takes
// them, and it refuses one way as Invalid params while the other way gives the right result, cases
// do not use the refused way. False if the target is gone.
static bool narrow(jck_asking *asking, const jck_question *first, const jck_mapping *named)
{
    const jck_question *by_name = first + 1;
    bool both = by_name < questions + QUESTIONS && first->passing == JCK_PASSED_BY_POSITION &&
                by_name->passing == JCK_PASSED_BY_NAME;
    bool right[2] = {false, false};
    bool refused[2] = {false, false};
    bool there = true;
    asking->candidate = named;
    for (size_t i = 0; both && there && i < 2; i++) {
        jck_reply reply;
        there = jck_ask(asking, first + i, (size_t)(first + i - questions), &reply);
        right[i] = there && reply == JCK_REPLY_RIGHT;
        refused[i] = there && reply == JCK_REPLY_ERROR && asking->coded &&
                     asking->code == JRPC_INVALID_PARAMS;
    }
    if (both && there && !right[0] && !right[1]) {
        there = wrap_if_right(asking, first, named);
    }
    asking->candidate = NULL;
    if ((right[0] && refused[1]) || (right[1] && refused[0])) {
        jck_target_keep_shapes(asking->link->target, named->capability, right[0], right[1]);
    }
    return there;
}

// Looks for the method of one capability, by its name and then by its candidate.
static bool discover_one(jck_asking *asking, const jck_question *first)
{
    jck_target *target = asking->link->target;
    jrpc_slice capability = jrpc_slice_str(first->capability);
    jck_replies replies = {.other = NULL};
    jck_replies of_candidate = {.other = NULL};
    const jck_mapping *named = jck_target_mapping(target, capability);
    if (named != NULL) {
        return !named->assumed || narrow(asking, first, named);
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
    if (replies.wants_params || of_candidate.wants_params) {
        jck_greet_keep_params(asking->link);
    }
    return there;
}

// Asks what is not asked yet in one batch.
static void ask_the_rest_ahead(jck_asking *asking, size_t first, jck_asked *ahead)
{
    jck_numbered rest[QUESTIONS + 1 + FAILING + COMMON];
    size_t count = 0;
    for (size_t i = first; i < QUESTIONS; i++) {
        rest[count++] = (jck_numbered){questions[i], i};
    }
    for (size_t i = 0; i < 1 + FAILING + COMMON; i++) {
        const char *method = i == 0         ? absent_method
                             : i <= FAILING ? failing[i - 1]
                                            : common[i - 1 - FAILING];
        rest[count++] =
            (jck_numbered){{.capability = method, .passing = JCK_PASSED_EITHER}, QUESTIONS + i};
    }
    jck_ask_ahead(asking, rest, count, ahead);
}

void jck_discover(jck_link *link, bool slow)
{
    jck_asked ahead;
    jck_asking asking = {.link = link, .ahead = JRPC_JSON_ABSENT};
    bool there = true;
    bool asked_ahead = false;
    jck_asked_init(&ahead);
    for (size_t i = 0; i < QUESTIONS && there; i++) {
        bool first = i == 0 || strcmp(questions[i - 1].capability, questions[i].capability) != 0;
        if (first && !asked_ahead && jck_is_far(&asking)) {
            ask_the_rest_ahead(&asking, i, &ahead);
            asked_ahead = true;
        }
        there = !first || discover_one(&asking, &questions[i]);
    }
    if (there) {
        discover_common(&asking, slow);
    }
    jck_asked_done(&ahead);
}
