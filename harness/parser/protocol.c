#include "harness/parser/protocol.h"

jck_frame_kind jck_protocol_read(jrpc_slice frame, jck_reply *ret_reply)
{
    *ret_reply = (jck_reply){
        .kind = JCK_REPLY_RUBBISH, .frame = frame, .text = jrpc_slice_from(frame, 1), .cpu_us = -1};
    if (frame.len == 0) {
        ret_reply->why = "an answer is empty; its first byte must be A, a, R or I";
        return JCK_FRAME_BAD;
    }
    switch (frame.ptr[0]) {
    case 'A':
        ret_reply->kind = JCK_REPLY_ACCEPTED;
        return JCK_FRAME_REPLY;
    case 'a':
        if (frame.len > 1) {
            ret_reply->why = "an answer 'a' is followed by a text; only 'A' carries one";
            return JCK_FRAME_BAD;
        }
        ret_reply->kind = JCK_REPLY_TAKEN;
        return JCK_FRAME_REPLY;
    case 'R':
        ret_reply->kind = JCK_REPLY_REFUSED;
        if (ret_reply->text.len > JCK_REASON_BYTES) {
            ret_reply->text.len = JCK_REASON_BYTES;
        }
        return JCK_FRAME_REPLY;
    case 'I':
        return JCK_FRAME_IDENTITY;
    default:
        ret_reply->why = "an answer begins with another byte than A, a, R or I";
        return JCK_FRAME_BAD;
    }
}

bool jck_reply_keep(jrpc_arena *arena, const jck_reply *reply, jck_reply *ret_kept)
{
    *ret_kept = *reply;
    if (!jrpc_arena_copy(arena, reply->frame, &ret_kept->frame) ||
        !jrpc_arena_copy(arena, reply->stderr_tail, &ret_kept->stderr_tail)) {
        return false;
    }
    // The text is the frame without its first byte.
    size_t len = reply->text.len;
    ret_kept->text =
        len == 0 ? (jrpc_slice){NULL, 0}
                 : jrpc_slice_of(ret_kept->frame.ptr + (reply->text.ptr - reply->frame.ptr), len);
    return true;
}
