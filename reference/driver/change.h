// Tools for the rows of the fault tables: making values, and the functions that turn most faults
// into plain data.
#ifndef JRPC_DRIVER_CHANGE_H
#define JRPC_DRIVER_CHANGE_H

#include "reference/driver/fault.h"

#include <stddef.h>

// An empty buffer in the change's arena; needs no done.
jrpc_buffer jrpc_change_buffer(jrpc_change *change);
// A JSON text as a value that lives as long as the change's arena; JRPC_JSON_ABSENT if it is
// invalid.
jrpc_json jrpc_change_json(jrpc_change *change, jrpc_slice text);
// Writes a value with every Number (KIND NUMBER) or String in it respelled.
jrpc_json jrpc_change_leaves(jrpc_change *change, jrpc_json value, jrpc_json_kind kind,
                             jrpc_slice (*respell)(jrpc_change *change, jrpc_slice spelling));
// A Number as a double stores it: 2^53+1 becomes 2^53. One beyond the range of a double is
// unchanged.
jrpc_slice jrpc_change_round(jrpc_change *change, jrpc_slice spelling);
// The value of a text with every occurrence of `from` replaced by `to`.
jrpc_slice jrpc_change_replace(jrpc_change *change, jrpc_slice text, const char *from,
                               const char *to);
// Whether an outgoing text is a Request or a batch of them, not an answer of ours.
bool jrpc_change_is_asking(jrpc_change *change, jrpc_slice text);

// The calls in flight, in the order in which they were made.
void jrpc_change_note_call(jrpc_driver *driver, jrpc_slice id);
void jrpc_change_forget_call(jrpc_driver *driver, uint64_t id);
bool jrpc_change_is_under_way(const jrpc_driver *driver, uint64_t id);

// Functions of rows. Each reads its data from change->fault.
void jrpc_row_request_member(jrpc_change *change, const jrpc_call_parts *parts,
                             jrpc_request *request); // member, spelling, of calls and notifications
void jrpc_row_call_member(jrpc_change *change, const jrpc_call_parts *parts,
                          jrpc_request *request); // … of calls alone
void jrpc_row_notification_member(jrpc_change *change, const jrpc_call_parts *parts,
                                  jrpc_request *request); // … of notifications alone
void jrpc_row_params(jrpc_change *change, const jrpc_call_parts *parts,
                     jrpc_request *request);                   // respell, if there are any
void jrpc_row_outgoing(jrpc_change *change, jrpc_slice *text); // respell, if it asks
bool jrpc_row_result(jrpc_change *change, const jrpc_message *message,
                     jrpc_answer *answer); // respell, where is_value, if there is one
bool jrpc_row_lost(jrpc_change *change, const jrpc_message *message,
                   jrpc_answer *answer);                                   // never ends so: `ends`
bool jrpc_row_crash_own(jrpc_change *change, const jrpc_message *message); // is
void jrpc_row_crash_stray(jrpc_change *change, jrpc_stray_kind kind, jrpc_slice text); // kind

// The columns that all rows begin with.
#define JRPC_CLIENT_ROW(name_, rule_, text_) .name = name_, .rule = rule_, .description = text_
// One member of a Request is spelled this way ("" leaves it out).
#define JRPC_ROW_OF(function, member_, text)                                                       \
    .request = function, .member = offsetof(jrpc_request, member_), .spelling = text

#endif
