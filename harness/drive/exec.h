// Private to the room: one execution of a case, and the record that it writes.
#ifndef JCK_DRIVE_EXEC_H
#define JCK_DRIVE_EXEC_H

#include "harness/drive/client.h"
#include "harness/evidence/evidence.h"
#include "harness/judge/asked.h"
#include "harness/suite/variables.h"

// What a driver was told, and whether it said what came of it.
typedef struct jck_given_command {
    jrpc_slice name; // empty: one of our own
    int64_t tag;
    bool settled;
} jck_given_command;

typedef struct jck_client_exec {
    jck_client *client;
    const jck_case *test_case;
    jck_variables *variables;
    jck_evidence *evidence;
    int step;
    int64_t began_us;
    jck_asked_list asked;
    jck_given_command commands[JCK_ASKED_MAX];
    size_t command_count;
    char fence[32];        // the method of the notification that a fence sends; "": none was sent
    bool fence_read;       // … and the driver has reported it
    size_t events;         // of the driver, so far
    size_t events_awaited; // … and those that steps have waited for
    char last_heard;       // the connection on which something of the case came last; '\0': none
    size_t heard_count;    // messages of the client, and how many bytes
    size_t heard_bytes;
    bool ended;       // the client that runs by itself has
    bool cut;         // … it has not, and has made as many calls as are listened to
    bool over;        // nothing that is still to be done would say anything
    bool spoilt;      // the connection is not fit for another case
    jrpc_buffer line; // to the driver
    jrpc_buffer payload;
    jrpc_buffer held;       // framed answers that wait for the next one
    char held_for;          // … on this connection
    const jck_asked *meant; // whose id the answer at hand mentions first; NULL: nobody's
    // A client that runs by itself: every message of its own is shown to `heard`, after it was
    // written down, and what it prints is no report. NULL: a driver is in charge.
    void (*heard)(struct jck_client_exec *exec, jck_caller *caller, jrpc_json message);
    struct jck_serving *serving;
    jck_client_status status;
    jrpc_error *error;
} jck_client_exec;

// Until when an answer that is waited for from now on has to come.
int64_t jck_client_deadline(const jck_client_exec *exec);
// Writes down how the step at hand ended, if nothing is written down yet.
void jck_client_settle(jck_client_exec *exec, jck_settled settled);
// Writes down a message; the step and the time are filled in.
void jck_client_record(jck_client_exec *exec, const jck_message *message);
// Takes what has come from the driver, from new connections, and over those that are open. Whether
// anything had.
bool jck_client_take(jck_client_exec *exec);
// Waits until something comes, and takes it. False at the deadline, or when the case is over.
bool jck_client_turn(jck_client_exec *exec, int64_t deadline_us);
// Tells the driver to do something: a line without its tag, such as "\"do\":\"ping\"". The command,
// or NULL when the case is over.
jck_given_command *jck_client_command(jck_client_exec *exec, jrpc_slice name, jrpc_slice members);
// Sends what a step answers, which is in exec->payload, and draws the consequence.
void jck_client_reply(jck_client_exec *exec, const jck_step *step, jck_caller *caller);
// Waits until the driver has said what came of a command. False if it has not.
bool jck_client_await(jck_client_exec *exec, const jck_given_command *command, int64_t deadline_us);
// Starts the client of a case without a driver, and answers its calls as the step says, until it
// ends.
void jck_client_serve(jck_client_exec *exec, const jck_step *step);
// Keeps the end of what the process wrote on its standard error.
void jck_client_keep_stderr(const jck_client_exec *exec);
// Writes down that the driver broke its protocol, which ends the case.
void jck_client_blame_driver(jck_client_exec *exec, const char *why, jrpc_slice line);

#endif
