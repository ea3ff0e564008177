// Private to the judge: the messages that a step must account for.
#ifndef JCK_JUDGE_ANSWERS_H
#define JCK_JUDGE_ANSWERS_H

#include "harness/judge/owed.h"
#include "harness/judge/trial.h"

// The answers that a step must account for: what arrived on its connection since the last step that
// was judged.
typedef struct jck_answers {
    int step;
    char connection;
    jrpc_slice sent; // the payload of the step, empty if nothing was sent
    jck_owed owed;
    jrpc_json *replies; // Responses, batches and anything received instead of them, in order
    size_t count;
    jrpc_json *originated; // the server's own notifications and requests
    size_t originated_count;
    bool unreadable;  // a Response arrived that is not JSON: already reported, so a missing answer
                      // is not
    bool displaced;   // only repeated answers of an earlier step arrived: this step's own may come
                      // with the next one
    bool echoed;      // the target sent our own message back
    bool streamed;    // it calls a method that the target declares to answer with a stream
    bool versionless; // an element of the batch that was sent has no `jsonrpc`
} jck_answers;

// Gathers what came for `step` (from `first_step` on) and checks the envelope of every Response.
bool jck_gather(jck_trial *trial, int first_step, int step, jck_answers *ret_answers);
// What the specification requires for the bytes that were sent; valid as long as the trial.
jck_owed jck_trial_owed(jck_trial *trial, jrpc_slice sent);
// Whether everything that the case sent is valid: calls, notifications, and batches of these.
bool jck_sent_valid_alone(jck_trial *trial);
// Whether the case sent anything that is not valid in a step before this one.
bool jck_sent_invalid_before(jck_trial *trial, int step);
// Whether what was sent is a single valid call.
bool jck_is_call_owed(const jck_answers *answers);
// Whether what was sent is not JSON, so that an error is owed.
bool jck_is_parse_error_owed(const jck_answers *answers);
// Whether what was sent is a single notification, or a batch of only notifications.
bool jck_is_notification(const jck_answers *answers);
// The id that was sent and that a Response can echo, or ABSENT.
jrpc_json jck_id_owed(const jck_answers *answers);

#endif
