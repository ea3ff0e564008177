// The way to a parser: a process that gets texts and says of each what it did with it.
//
// Many texts are under way at once. Where the process ends, hangs or breaks the protocol, the texts
// that were under way are asked again one at a time, and the one that it happens on once more alone
// on a fresh process: only then is it that text's doing.
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
    uint64_t memory;  // bytes that the process may have; 0: no limit
    bool each;        // a program that is started once for each text, see each.h
    int64_t start_ms; // until the first answer of a process
    int64_t reply_ms; // until each further one
    int64_t grace_ms; // for the end of a process
    int interrupt_fd; // readable: stop; -1: none
    const jrpc_clock *clock;
} jck_adapter_options;

typedef enum jck_ask_status {
    JCK_ASK_DONE,
    JCK_ASK_STOPPED,     // `take` wanted no more
    JCK_ASK_UNOPENED,    // the program cannot be started, or says more than it is asked: *error
    JCK_ASK_INTERRUPTED, // interrupt_fd
    JCK_ASK_FAULT,       // our own failure: *error
} jck_ask_status;

// Called once for each text, in order; the reply is borrowed until it returns. False: stop.
typedef bool jck_take_reply(void *context, size_t index, const jck_reply *reply);

typedef struct jck_questions {
    const jrpc_slice *texts;
    size_t count;
    bool alone; // one at a time, with the processor time of each
    jck_take_reply *take;
    void *context;
} jck_questions;

// What an adapter said of itself ('I'), as JSON; empty without. `only_in_company`: failures that
// did not come when their text was asked alone.
typedef struct jck_adapter_facts {
    jrpc_slice identity;
    size_t only_in_company;
    size_t starts;
} jck_adapter_facts;

// NULL when memory is out; starts nothing yet. Owned: close with jck_adapter_close.
jck_adapter *jck_adapter_open(const jck_adapter_options *options);
// Asks texts, starting the process where none runs.
jck_ask_status jck_adapter_ask(jck_adapter *adapter, const jck_questions *questions,
                               jrpc_error *error);
// Ends the process that runs, if one does: the next text meets a fresh one.
void jck_adapter_renew(jck_adapter *adapter);
// Ends the input of the process and hears it out: false, with one sentence, where it says more
// than it was asked, does not end, or ends with another status than 0. True without a process.
bool jck_adapter_finish(jck_adapter *adapter, jrpc_error *error);
jck_adapter_facts jck_adapter_know(const jck_adapter *adapter);
void jck_adapter_close(jck_adapter *adapter); // NULL is fine

#endif
