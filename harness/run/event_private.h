// Private to the writer of events: members of an object, and the exchange of a case.
#ifndef JCK_RUN_EVENT_PRIVATE_H
#define JCK_RUN_EVENT_PRIVATE_H

#include "harness/evidence/evidence.h"
#include "reference/json/write.h"

void jck_event_text(jrpc_json_writer *writer, const char *name, jrpc_slice text);
// The same, with secrets masked.
void jck_event_masked(jrpc_json_writer *writer, const char *name, jrpc_slice text);
void jck_event_number(jrpc_json_writer *writer, const char *name, int64_t number);
void jck_event_bool(jrpc_json_writer *writer, const char *name, bool value);
// The member `exchange`: the messages, how the connection ended, HTTP, stderr.
void jck_event_exchange(jrpc_json_writer *writer, const jck_evidence *evidence);
// The member `sequence`: messages that were sent, one after the other.
void jck_event_sequence(jrpc_json_writer *writer, const jck_message *messages, size_t count);

#endif
