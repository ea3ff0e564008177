// Private to the judge: the evidence of a client's case, with commands, Requests and outcomes
// matched to each other.
#ifndef JCK_JUDGE_CLIENT_VIEW_H
#define JCK_JUDGE_CLIENT_VIEW_H

#include "harness/judge/asked.h"
#include "harness/judge/trial.h"

// A command of the case and what the driver reported about it.
typedef struct jck_commanded {
    const jck_step *step;
    int index; // of the step
    int64_t tag;
    jrpc_json outcome; // the driver's line; or ABSENT
    int64_t asked_us;  // when it was sent …
    int64_t ended_us;  // … and when its outcome arrived
} jck_commanded;

typedef struct jck_client_view {
    jck_trial *trial;
    jck_asked_list asked;
    jck_commanded commands[JCK_ASKED_MAX];
    size_t command_count;
    bool doubtful;          // a command may not have reached the client as it is …
    int64_t probe;          // … for its driver got this tag with a ping to give it back
    const char *odd_method; // printable: method of a Request that the driver was not commanded to
                            // send; or NULL …
    jrpc_json odd;          // … its Object …
    int64_t odd_at_us;      // … and when it arrived
} jck_client_view;

// Checks a message from the client against what applies to every Request. `value` is ABSENT if it
// is not JSON.
void jck_judge_written(jck_client_view *view, const jck_message *message, jrpc_json value);
// Compares a Request of RO-JRPC with the routing members of the driver's command.
void jck_judge_routing(jck_trial *trial, int step, jrpc_json routing, jrpc_json object);
// Compares an outcome with what a step expects. `of` is its command.
void jck_judge_outcome(jck_client_view *view, const jck_step *step, int index,
                       const jck_commanded *of);
// Whether a call ended without a result: if nothing was sent, the error is the client's own.
bool jck_is_failure(jrpc_json outcome);
// Whether a command has only notifications.
bool jck_is_of_notifications(const jck_step *step);
// Compares the events that the driver reported from step `from` to `until` with what a step
// expects.
void jck_judge_event(jck_client_view *view, const jck_step *step, int index);

// Judges the whole case of a client that runs by itself.
void jck_judge_undriven(jck_client_view *view);

#endif
