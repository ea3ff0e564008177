// Runs one case on a link and records the evidence. Knows how to send, collect and fence; has no
// idea of right and wrong.
#ifndef JCK_SESSION_SESSION_H
#define JCK_SESSION_SESSION_H

#include "harness/evidence/evidence.h"
#include "harness/link/link.h"
#include "harness/suite/variables.h"

#include <stdatomic.h>

typedef struct jck_session {
    jck_link *link;          // borrowed
    jrpc_buffer payload;     // of the current step
    jrpc_buffer fence;       // of the current fence
    uint64_t timers_expired; // waits that ran into their deadline
    uint64_t timers_excused; // those of them after which everything that is owed came all the same
    // The number of messages on a connection that the target closed, perhaps in good order, during
    // the last case; 0: it closed none.
    size_t closed_after;
    unsigned served; // so many connections were seen to be served at once, if more than one …
    unsigned room;   // … and no more than that many; 0: not known
    // Set once nothing else runs any more: until then, a step may let the rest of the run pass.
    // NULL: nothing else does.
    const atomic_bool *rest_is_over;
    const atomic_int *learned_quiet_ms; // what a first look calls quiet by now; NULL, 0: not known
    int64_t rest_least_ms;              // how long such a step lasts at least …
    int64_t rest_most_ms;   // … and at most, because others wait for their turn; 0: no such limit
    const jck_case *rested; // the last case with such a step; its next attempt lasts as long: …
    int64_t rested_ms;      // … at least so long
    // Messages that this target is known to leave unanswered: their answers are not waited for.
    bool silent_on_parse_error;
    bool silent_on_batch;
    bool silent_on_positional, silent_on_named; // calls with such params
    uint32_t
        usual_silences; // kinds of messages (jck_owed_bit) for which a first look does not wait
} jck_session;

typedef enum jck_session_status {
    JCK_SESSION_OK,          // the evidence is complete
    JCK_SESSION_DISTURBED,   // another worker ended the process meanwhile: the evidence proves
                             // nothing
    JCK_SESSION_SINGLE,      // the target serves fewer connections at once than the case opens, and
                             // the first one works
    JCK_SESSION_UNOPENED,    // the target could not be opened (again): *error says
    JCK_SESSION_MUTE,        // it was opened but answers nothing
    JCK_SESSION_INTERRUPTED, // the user asked to stop
    JCK_SESSION_FAULT,       // our own failure: *error says
} jck_session_status;

// How closely the target is watched in addition to fences.
typedef enum jck_watch {
    JCK_WATCH_FENCES, // in company: a fence is proof enough
    JCK_WATCH_QUIET,  // alone: after every silence, a quiet window too
    JCK_WATCH_LINGER, // alone: also a quiet window after the last fence, for a late end
} jck_watch;

void jck_session_init(jck_session *session, jck_link *link);
// Waits that ran into their deadline, after which something that is owed never came.
static inline uint64_t jck_session_waits_in_vain(const jck_session *session)
{
    return session->timers_expired - session->timers_excused;
}
void jck_session_done(jck_session *session);

// Whether the target's framing and transport can carry the case; if not, *ret_reason says why (in
// `arena`). `variables` give the payloads.
bool jck_session_can_carry(jck_session *session, const jck_case *test_case,
                           jck_variables *variables, jrpc_arena *arena, jck_reason *ret_reason);
// Executes the steps. Afterwards a connection that ended or went mute is closed, and the evidence
// says why.
jck_session_status jck_session_run(jck_session *session, const jck_case *test_case,
                                   jck_variables *variables, jck_watch watch,
                                   jck_evidence *evidence, jrpc_error *error);
// Listens to connection 'a' for a while longer after the end of a case, and adds what comes to the
// record of that case. Whether anything came or the connection ended, so that the record must be
// judged again.
bool jck_session_linger(jck_session *session, const jck_case *test_case, jck_variables *variables,
                        jck_evidence *evidence, int64_t window_ms);
// Listens for a quiet window on connection 'a'. Returns whether anything came.
bool jck_session_listen(jck_session *session, int64_t window_ms);

#endif
