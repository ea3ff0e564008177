// One process of an adapter: texts out, answers in, until it fails. Private to the parser room.
#ifndef JCK_PARSER_ADAPTER_PROCESS_H
#define JCK_PARSER_ADAPTER_PROCESS_H

#include "harness/parser/adapter.h"
#include "reference/base/buffer.h"
#include "reference/net/process.h"
#include "reference/wire/framing.h"

typedef struct jck_adapter_process {
    const jck_adapter_options *options; // borrowed
    jrpc_process *process;              // NULL: none is running
    jrpc_decoder decoder;
    jrpc_buffer output;   // framed texts that are not written yet
    jrpc_buffer identity; // what 'I' said, the first time
    jrpc_buffer tail;     // the last bytes of the standard error of a process that failed
    jrpc_buffer wrote;    // RUBBISH: output that is not a frame
    bool answered;        // the running process has answered something
    bool unwritable;      // it has closed its input
    size_t asked;         // texts that the running process has answered
    size_t starts;
    unsigned hangs;        // so far, over all processes
    int64_t slowest_us;    // the slowest answer other than the first one of a process
    int64_t slow_start_us; // the slowest first answer
} jck_adapter_process;

typedef enum jck_pass_end {
    JCK_PASS_DONE,
    JCK_PASS_STOPPED,
    JCK_PASS_FAILED, // the process is gone; `failure`, `under_way` and `asked_before` say how
    JCK_PASS_UNOPENED,
    JCK_PASS_INTERRUPTED,
    JCK_PASS_FAULT,
} jck_pass_end;

typedef struct jck_pass {
    const jrpc_slice *texts;
    size_t count;
    bool one_by_one;
    bool measure; // the processor time of each text
    bool (*take)(void *context, const jck_reply *reply);
    void *context;
    // Filled in on failure.
    jck_reply failure;
    size_t under_way;    // texts that were sent but not answered, or just the next one
    size_t asked_before; // texts that this process had answered before
} jck_pass;

void jck_adapter_process_init(jck_adapter_process *self, const jck_adapter_options *options);
void jck_adapter_process_done(jck_adapter_process *self);
// Ends the process, if one is running.
void jck_adapter_process_end(jck_adapter_process *self);
// Sends the texts of the pass in order; starts a process if none is running.
jck_pass_end jck_adapter_process_pass(jck_adapter_process *self, jck_pass *pass, jrpc_error *error);
bool jck_adapter_process_finish(jck_adapter_process *self, jrpc_error *error);

#endif
