// Private to the room: one execution of a case, and the record that it makes.
#ifndef JCK_DRIVE_EXEC_H
#define JCK_DRIVE_EXEC_H

#include "harness/drive/client.h"
#include "harness/evidence/evidence.h"
#include "harness/judge/asked.h"
#include "harness/suite/variables.h"

#define JCK_DRIVER_CONNECTION '-'

// A command that a driver got, and whether it reported the outcome.
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
    char fence[32];        // the method of the notification sent as a fence; "": none was sent
    bool fence_read;       // … and the driver has reported it
    size_t events;         // from the driver, so far
    size_t events_awaited; // … and how many of them steps have waited for
    char last_heard;       // the connection on which the last message of the case was received;
                           // '\0': none
    size_t heard_count;    // messages of the client, and their bytes
    size_t heard_bytes;
    bool ended;       // the client that runs by itself has ended
    bool cut;         // … it has not, and has made as many calls as we accept
    bool over;        // nothing that remains to be done would show anything
    bool spoilt;      // the connection cannot be used for another case
    jrpc_buffer line; // to the driver
    jrpc_buffer payload;
    jrpc_buffer held; // framed answers that are sent with the next one
    char held_for;    // … on this connection
    // The latest command may not reach the client as it is: the driver may be unable to read it.
    bool doubtful;
    int doubtful_step;
    const jck_given_command *probe; // the ping that went before it
    const jck_asked *meant;         // whose id the current answer mentions first; NULL: nobody's
    // For a client that runs by itself: called with each of its messages after it was recorded;
    // what the client prints is not a report. NULL: there is a driver.
    void (*heard)(struct jck_client_exec *exec, jck_caller *caller, jrpc_json message);
    struct jck_serving *serving;
    jck_client_status status;
    jrpc_error *error;
} jck_client_exec;

// The deadline of an answer that we start waiting for now.
int64_t jck_client_deadline(const jck_client_exec *exec);
// Records how the current step ended, unless that is already recorded.
void jck_client_settle(jck_client_exec *exec, jck_settled settled);
// Records a message; the step and the time are filled in.
void jck_client_record(jck_client_exec *exec, const jck_message *message);
// If the client did not send something that the transport requires, records that.
void jck_client_note_debt(jck_client_exec *exec, const jck_caller *caller);
// Takes what has arrived from the driver, on new connections and on open ones. Returns whether
// there was anything.
bool jck_client_take(jck_client_exec *exec);
// Waits until something arrives, and takes it. False at the deadline, or if the case is over.
bool jck_client_turn(jck_client_exec *exec, int64_t deadline_us);
// Appends the members of a command except its tag.
void jck_client_append_command(jrpc_buffer *out, const jck_driver_command *command);
// If a command has values that some JSON libraries cannot read, sends its members as a ping first.
// False if the case is over: the driver cannot read them.
bool jck_client_probe(jck_client_exec *exec, const jck_driver_command *command);
// Takes the answer to that ping: a driver that gives the members back has read them.
void jck_client_note_echo(jck_client_exec *exec, const jck_given_command *command, jrpc_json line);
// Whether what the driver does now may be because it cannot read the latest command, of which the
// client has sent nothing.
bool jck_client_may_be_unread(const jck_client_exec *exec);
// Records that the driver cannot read a command, which ends the case. `what` it does, and its own
// words, which may be empty.
void jck_client_give_up_command(jck_client_exec *exec, const char *what, jrpc_slice words);
// Sends the driver a command: a line without its tag, such as "\"do\":\"ping\"". Returns the
// command, or NULL if the case is over.
jck_given_command *jck_client_command(jck_client_exec *exec, jrpc_slice name, jrpc_slice members);
// Sends the answer of a step, which is in exec->payload, and handles the result.
void jck_client_reply(jck_client_exec *exec, const jck_step *step, jck_caller *caller);
// Waits until the driver has reported the outcome of a command. False if it has not.
bool jck_client_await(jck_client_exec *exec, const jck_given_command *command, int64_t deadline_us);
// Starts the client of a case without a driver, and answers its calls as the step says until it
// ends.
void jck_client_serve(jck_client_exec *exec, const jck_step *step);
// Keeps the end of the process's standard error.
void jck_client_keep_stderr(const jck_client_exec *exec);
// Records that the driver broke its protocol, which ends the case.
void jck_client_blame_driver(jck_client_exec *exec, const char *why, jrpc_slice line);

#endif
