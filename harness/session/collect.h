// Private to the session: one execution of a case, and how messages are collected for it.
#ifndef JCK_SESSION_COLLECT_H
#define JCK_SESSION_COLLECT_H

#include "harness/session/session.h"

typedef struct jck_exec {
    jck_session *session;
    const jck_case *test_case;
    jck_variables *variables;
    jck_evidence *evidence;
    jck_watch watch;
    int step;
    int64_t began_us;
    bool gone;         // connection 'a' (or the one of the step) ended
    bool mute;         // a fence was not answered
    bool flooded;      // it writes more than is listened to
    bool unfenced;     // the connection must not be used again: nothing proves that it is in order
    bool closed_write; // our side was closed
    bool exchanging;   // over HTTP: a message's exchange is under way
    bool disturbed;    // another worker ended the process
    bool cut_short;    // the next step lacks what an earlier answer should have brought
    jrpc_slice requested_id; // of the server's last request
    jck_session_status status;
    jrpc_error *error;
} jck_exec;

// Fills session->payload with the bytes that a payload puts on the wire. False with *error.
bool jck_session_expand(jck_session *session, const jck_payload *payload, jck_variables *variables,
                        jrpc_error *error);
// Whether there is a point in going on with the case.
bool jck_exec_goes_on(const jck_exec *exec);
// Whether a message of the case has come in this step.
bool jck_exec_has_heard(const jck_exec *exec);
// Writes down what was sent.
void jck_exec_sent(jck_exec *exec, char connection, jck_role_of_message role, jrpc_slice bytes);
// Draws the consequence of a send that did not go through.
void jck_exec_note(jck_exec *exec, jrpc_peer_event event);
// Collects until `count` messages of the case have come, or `within_ms` have passed; false if they
// have not all come.
bool jck_collect(jck_exec *exec, char connection, size_t count, int64_t within_ms);
// The same over a transport of exchanges (HTTP): collects until the exchange is over, which proves
// that nothing more comes; a stream of events that goes on and on is left some time after its first
// message. Whether a message of the case came that can be an answer.
bool jck_collect_exchange(jck_exec *exec, char connection);
// Collects what is there already, or comes within the window, whatever it is.
void jck_collect_for(jck_exec *exec, char connection, int64_t window_ms);
// The same for a quiet window.
void jck_collect_quiet(jck_exec *exec, char connection);
// Sends a fence and collects until it is answered, then, if `missing` messages have still not come,
// for a quiet window more.
void jck_collect_fence(jck_exec *exec, char connection, size_t missing);
// Sends raw bytes in the chunks of a payload.
jrpc_peer_event jck_send_raw(jrpc_peer *peer, const jck_payload *payload, jrpc_slice bytes,
                             int64_t deadline_us, jrpc_error *error);
// After the last step: how it ended, what stands behind muteness, the end of stderr; closes what
// cannot be used again.
void jck_exec_conclude(jck_exec *exec);

#endif
