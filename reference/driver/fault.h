// Faults: things that the reference client does wrong on demand, so that the suite can prove that
// it notices them. The counterpart of reference/server/fault.h.
//
// A fault is one row of a table: a name, the rule it breaks, what it does, and functions for the
// places where it changes how a message is handled. Each gets one thing wrong and everything else
// right. The rows are in faults_*.c by theme.
#ifndef JRPC_DRIVER_FAULT_H
#define JRPC_DRIVER_FAULT_H

#include "reference/driver/driver.h"

#include <stdio.h>

// What a fault's functions get.
typedef struct jrpc_change {
    const struct jrpc_client_fault *fault;
    jrpc_driver *driver;
    jrpc_arena *arena; // lives until the current message has been handled
} jrpc_change;

typedef struct jrpc_client_fault {
    const char *name;
    const char *rule;
    const char *description;
    // Outgoing. Each may be NULL: before a command is carried out (false: skip it); the members of
    // one Request; a whole message before it is framed; instead of framing and sending it.
    bool (*command)(jrpc_change *change, jrpc_command *command);
    void (*request)(jrpc_change *change, const jrpc_call_parts *parts, jrpc_request *request);
    void (*outgoing)(jrpc_change *change, jrpc_slice *text);
    jrpc_peer_event (*send)(jrpc_change *change, jrpc_peer *peer, jrpc_slice text,
                            int64_t deadline_us, jrpc_error *error);
    // Incoming: a text before it is read; which call a Response answers (0: none); what is reported
    // to the caller (false: nothing, and the call stays in flight); the members of a command's
    // line.
    void (*incoming)(jrpc_change *change, jrpc_slice *text);
    void (*match)(jrpc_change *change, const jrpc_message *message, uint64_t *id);
    bool (*answer)(jrpc_change *change, const jrpc_message *message, jrpc_answer *answer);
    void (*settled)(jrpc_change *change, const jrpc_outcome_line *line, jrpc_buffer *members);
    // What belongs to no call: a message that the server sends unasked (false: it is not reported),
    // and a stray one.
    bool (*own)(jrpc_change *change, const jrpc_message *message);
    void (*stray)(jrpc_change *change, jrpc_stray_kind kind, jrpc_slice text);
    // What the way to the server changes; NULL: nothing.
    const struct jrpc_relay_way *relay;
    // Data for the functions above.
    bool (*is)(const jrpc_message *message);
    bool (*is_value)(jrpc_json value);
    jrpc_slice (*respell)(jrpc_change *change, jrpc_slice spelling);
    size_t member; // of jrpc_request, by offsetof
    const char *spelling;
    jrpc_stray_kind kind;
    jrpc_answer_kind ends;
} jrpc_client_fault;

typedef struct jrpc_client_fault_table {
    const jrpc_client_fault *faults;
    size_t count;
} jrpc_client_fault_table;
extern const jrpc_client_fault_table jrpc_client_faults_answer, jrpc_client_faults_match,
    jrpc_client_faults_request, jrpc_client_faults_survive, jrpc_client_faults_text,
    jrpc_client_faults_value, jrpc_client_faults_wire, jrpc_client_faults_http,
    jrpc_client_faults_websocket, jrpc_client_faults_large, jrpc_client_faults_routing;
#define JRPC_CLIENT_FAULT_TABLE(rows)                                                              \
    {                                                                                              \
        rows, sizeof(rows) / sizeof *(rows)                                                        \
    }

// A fault by name; NULL if there is none.
const jrpc_client_fault *jrpc_client_fault_find(const char *name);
// Writes all faults: name, tab, rule, tab, description, one per line.
void jrpc_client_fault_list(FILE *out);

// The hooks of a client that call the driver's faults. Both are copied by the functions that take
// them.
jrpc_calls_hooks jrpc_client_fault_calls_hooks(jrpc_driver *driver);
jrpc_client_hooks jrpc_client_fault_client_hooks(jrpc_driver *driver);
// The hooks of the driver itself; each applies every fault in turn.
bool jrpc_client_fault_command(jrpc_driver *driver, jrpc_command *command);
void jrpc_client_fault_settled(const jrpc_outcome_line *line, jrpc_buffer *members);
bool jrpc_client_fault_own(jrpc_driver *driver, const jrpc_message *message);
void jrpc_client_fault_stray(jrpc_driver *driver, jrpc_stray_kind kind, jrpc_slice text);

#endif
