// Sends a step's answer to the client: framed, held back, in pieces, or after a header part of its
// own.
#include "harness/drive/exec.h"
#include "reference/wire/framing.h"

#include <string.h>

// Answers that were held back are sent first, in one piece with this one.
static jrpc_peer_event send_framed(jck_client_exec *exec, jck_caller *caller, jrpc_slice payload,
                                   bool hold)
{
    if (exec->held.len > 0 && exec->held_for != caller->letter) {
        // A client with a connection per call cannot get several answers in one piece.
        jck_caller *before = jck_reception_find(&exec->client->reception, exec->held_for);
        if (before != NULL) {
            (void)jrpc_peer_send_raw(before->peer, jrpc_buffer_slice(&exec->held),
                                     jck_client_deadline(exec), exec->error);
        }
        jrpc_buffer_clear(&exec->held);
    }
    exec->held_for = caller->letter;
    if (!jrpc_framing_encode(exec->client->options.target->framing, payload, &exec->held)) {
        (void)jrpc_error_set(exec->error, JRPC_ERROR_MEMORY, "out of memory for answers");
        return JRPC_PEER_FAULT;
    }
    if (hold) {
        return JRPC_PEER_MESSAGE;
    }
    jrpc_peer_event event = jrpc_peer_send_raw(caller->peer, jrpc_buffer_slice(&exec->held),
                                               jck_client_deadline(exec), exec->error);
    jrpc_buffer_clear(&exec->held);
    return event;
}

// Sends a payload after a header part given by the case.
static jrpc_peer_event send_headed(jck_client_exec *exec, const char *const *head,
                                   jck_caller *caller, jrpc_slice payload)
{
    static const char place[] = "{length}";
    jrpc_buffer_clear(&exec->line);
    for (; *head != NULL; head++) {
        const char *at = strstr(*head, place);
        size_t before = at == NULL ? strlen(*head) : (size_t)(at - *head);
        (void)jrpc_buffer_append(&exec->line, jrpc_slice_of(*head, before));
        if (at != NULL) {
            (void)jrpc_buffer_printf(&exec->line, "%zu%s", payload.len, at + sizeof place - 1);
        }
        (void)jrpc_buffer_append_str(&exec->line, "\r\n");
    }
    (void)jrpc_buffer_append_str(&exec->line, "\r\n");
    if (!jrpc_buffer_append(&exec->line, payload)) {
        (void)jrpc_error_set(exec->error, JRPC_ERROR_LIMIT, "an answer is too long for its head");
        return JRPC_PEER_FAULT;
    }
    return jrpc_peer_send_raw(caller->peer, jrpc_buffer_slice(&exec->line),
                              jck_client_deadline(exec), exec->error);
}

static jrpc_peer_event send_payload(jck_client_exec *exec, const jck_step *step, jck_caller *caller)
{
    jrpc_slice payload = jrpc_buffer_slice(&exec->payload);
    bool stream = jck_target_traits(exec->client->options.target)->byte_stream;
    const jck_payload *spelled = &step->payload;
    if (step->head != NULL) {
        return send_headed(exec, step->head, caller, payload);
    }
    if (spelled->raw) {
        return jrpc_peer_send_raw(caller->peer, payload, jck_client_deadline(exec), exec->error);
    }
    if (spelled->chunk_count > 0 && step->manner.ping) {
        jrpc_manner how = step->manner;
        how.pieces = spelled->chunks;
        how.piece_count = spelled->chunk_count;
        return jrpc_peer_send_as(caller->peer, payload, &how, jck_client_deadline(exec),
                                 exec->error);
    }
    if (spelled->chunk_count > 0) {
        return jrpc_peer_send_chunks(caller->peer, payload, spelled->chunks, spelled->chunk_count,
                                     jck_client_deadline(exec), exec->error);
    }
    if (stream && (step->held || exec->held.len > 0)) {
        return send_framed(exec, caller, payload, step->held);
    }
    return jrpc_peer_send_as(caller->peer, payload, &step->manner, jck_client_deadline(exec),
                             exec->error);
}

void jck_client_reply(jck_client_exec *exec, const jck_step *step, jck_caller *caller)
{
    exec->spoilt = exec->spoilt || step->payload.raw || step->manner.form != NULL;
    jck_client_record(exec, &(jck_message){.direction = JCK_SENT,
                                           .role = JCK_MESSAGE_OF_CASE,
                                           .connection = caller->letter,
                                           .bytes = jrpc_buffer_slice(&exec->payload),
                                           .true_len = exec->payload.len});
    switch (send_payload(exec, step, caller)) {
    case JRPC_PEER_MESSAGE:
    case JRPC_PEER_NOISE:
    case JRPC_PEER_SILENT:
        jck_client_settle(exec, JCK_SETTLED);
        break;
    case JRPC_PEER_ENDED:
        jck_client_settle(exec, JCK_GONE);
        break;
    case JRPC_PEER_TIMEOUT:
        jck_client_settle(exec, JCK_UNSENT);
        exec->spoilt = true;
        break;
    case JRPC_PEER_INTERRUPTED:
        exec->status = JCK_CLIENT_INTERRUPTED;
        exec->over = true;
        break;
    case JRPC_PEER_FAULT:
        exec->status = JCK_CLIENT_FAULT;
        exec->over = true;
        break;
    }
}
