// What is recorded while a case runs, apart from where it comes from.
#include "harness/drive/exec.h"

#define STDERR_BYTES ((size_t)16 << 20)

void jck_client_record(jck_client_exec *exec, const jck_message *message)
{
    jck_message stamped = *message;
    stamped.step = exec->step;
    stamped.at_us = jrpc_clock_now_us(exec->client->options.clock) - exec->began_us;
    if (!jck_evidence_add(exec->evidence, &stamped)) {
        (void)jrpc_error_set(exec->error, JRPC_ERROR_MEMORY,
                             "out of memory for the evidence of %.*s", (int)exec->test_case->id.len,
                             exec->test_case->id.ptr);
        exec->status = JCK_CLIENT_FAULT;
        exec->over = true;
    }
}

void jck_client_keep_stderr(const jck_client_exec *exec)
{
    jrpc_buffer tail;
    jrpc_buffer_init(&tail, jrpc_allocator_heap(), STDERR_BYTES);
    if (exec->client->driver.peer != NULL) {
        jrpc_peer_stderr_tail(exec->client->driver.peer, &tail);
    }
    (void)jrpc_arena_copy(exec->evidence->arena, jrpc_buffer_slice(&tail),
                          &exec->evidence->stderr_tail);
    jrpc_buffer_done(&tail);
}

void jck_client_settle(jck_client_exec *exec, jck_settled settled)
{
    if (exec->evidence->settled[exec->step] == JCK_NOT_RUN) {
        exec->evidence->settled[exec->step] = settled;
    }
}

int64_t jck_client_deadline(const jck_client_exec *exec)
{
    return jrpc_deadline_in_ms(exec->client->options.clock, jck_client_patience_ms(exec->client));
}

void jck_client_blame_driver(jck_client_exec *exec, const char *why, jrpc_slice line)
{
    jck_client_record(exec, &(jck_message){.direction = JCK_RECEIVED,
                                           .role = JCK_MESSAGE_NOISE,
                                           .connection = JCK_DRIVER_CONNECTION,
                                           .bytes = line,
                                           .true_len = line.len,
                                           .why = why});
    exec->over = true;
    exec->spoilt = true;
}
