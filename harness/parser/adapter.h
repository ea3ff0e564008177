// The connection to a parser: a process that receives texts and reports for each what it did with
// it.
// Many texts are in flight at once. If the process ends, hangs or breaks the protocol, the texts in
// flight are sent again one at a time, and the one on which it fails is sent once more alone to a
// fresh process: only if that fails too is the text the cause.
#ifndef JCK_PARSER_ADAPTER_H
#define JCK_PARSER_ADAPTER_H

#include "harness/parser/reply.h"
#include "reference/base/clock.h"
#include "reference/base/error.h"

typedef struct jck_adapter jck_adapter;

typedef struct jck_adapter_options {
    char *const *argv; // NULL-terminated; borrowed, like all that follows
    const char *directory;
    const char *const *environment;
    uint64_t memory;  // bytes that the process may use; 0: no limit
    bool each;        // a program that is started anew for each text, see each.h
    int64_t start_ms; // until the first answer of a process
    int64_t reply_ms; // until each further one
    int64_t grace_ms; // for the process to exit
    int interrupt_fd; // readable: stop; -1: none
    const jrpc_clock *clock;
} jck_adapter_options;

typedef enum jck_ask_status {
    JCK_ASK_DONE,
    JCK_ASK_STOPPED,     // `take` asked to stop
    JCK_ASK_UNOPENED,    // the program cannot be started, or writes unsolicited answers: *error
    JCK_ASK_INTERRUPTED, // interrupt_fd
    JCK_ASK_FAULT,       // our own failure: *error
} jck_ask_status;

// Called once for each text, in order; the reply is borrowed until the call returns. False: stop.
typedef bool jck_take_reply(void *context, size_t index, const jck_reply *reply);

typedef struct jck_questions {
    const jrpc_slice *texts;
    size_t count;
    bool alone; // one text at a time, with the processor time of each
    jck_take_reply *take;
    void *context;
} jck_questions;

// What an adapter said about itself ('I'), as JSON, or empty. `only_in_company`: failures that did
// not recur when the text was sent alone.
typedef struct jck_adapter_facts {
    jrpc_slice identity;
    size_t only_in_company;
    size_t starts;
} jck_adapter_facts;

// Starts nothing yet; NULL if out of memory. Owned: close with jck_adapter_close.
jck_adapter *jck_adapter_open(const jck_adapter_options *options);
// Sends texts and receives the replies; starts the process if none is running.
jck_ask_status jck_adapter_ask(jck_adapter *adapter, const jck_questions *questions,
                               jrpc_error *error);
// Ends the process if one is running: the next text goes to a fresh one.
void jck_adapter_renew(jck_adapter *adapter);
// Closes the input of the process and reads the rest of its output. False, with one sentence, if it
// writes unsolicited answers, does not end, or ends with a status other than 0. True if there is no
// process.
bool jck_adapter_finish(jck_adapter *adapter, jrpc_error *error);
jck_adapter_facts jck_adapter_know(const jck_adapter *adapter);
void jck_adapter_close(jck_adapter *adapter); // accepts NULL

#endif
