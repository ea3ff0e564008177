// Private to the session: the bytes of a payload.
#ifndef JCK_SESSION_CARRY_H
#define JCK_SESSION_CARRY_H

#include "harness/session/session.h"

// Fills session->payload with the bytes that a payload puts on the wire. False with *error.
bool jck_session_expand(jck_session *session, const jck_payload *payload, jck_variables *variables,
                        jrpc_error *error);

#endif
