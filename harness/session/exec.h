// Private to the session: one execution of a case, and the record that it writes.
#ifndef JCK_SESSION_EXEC_H
#define JCK_SESSION_EXEC_H

#include "harness/link/synchronise.h"
#include "harness/session/session.h"

typedef struct jck_exec {
    jck_session *session;
    const jck_case *test_case;
    jck_variables *variables;
    jck_evidence *evidence;
    jck_watch watch;
    int step;
    bool usually_silent; // messages like that of the step are usually left unanswered
    int64_t began_us;
    jrpc_slice requested_id;   // of the server's last request
    jck_session_status status; // OK while it goes on
    jrpc_error *error;
} jck_exec;

// Fills session->payload with the bytes that a payload puts on the wire. False with *error.
bool jck_session_expand(jck_session *session, const jck_payload *payload, jck_variables *variables,
                        jrpc_error *error);
// Whether the case can go on: nothing failed on our side, and no connection did.
bool jck_exec_goes_on(const jck_exec *exec);
// Records how the collection after the current step ended.
void jck_exec_settle(jck_exec *exec, jck_settled settled);
// Records what was sent.
void jck_exec_sent(jck_exec *exec, char connection, jck_role_of_message role, jrpc_slice bytes);
// Deals with a send that did not succeed.
void jck_exec_note(jck_exec *exec, char connection, jrpc_peer_event event);
// Whether a message of the case has come during this step.
bool jck_exec_has_heard(const jck_exec *exec);
// Records what was heard, and keeps what a step captures from it. Returns what the caller is to
// take it for, which differs from its own kind if it does not answer the step.
jck_heard_kind jck_exec_note_heard(jck_exec *exec, char connection, const jck_heard *heard);
// Hears one message and records it in the same way.
jck_heard_kind jck_exec_hear(jck_exec *exec, char connection, int64_t deadline_us);
// Records, once, what came while the connection was opened, before any case asked for it.
void jck_exec_record_opening(jck_exec *exec);

#endif
