#include "reference/wire/frame_place.h"

bool jrpc_frame_is_begun(const jrpc_frame_place *place)
{
    return place->head_len > 0 || place->left > 0;
}

// Whether the byte completes the head of the frame.
static bool completes_head(jrpc_frame_place *place, char byte)
{
    place->head[place->head_len++] = byte;
    return place->head_len >= 2 &&
           place->head_len == jrpc_frame_head_length(jrpc_slice_of(place->head, place->head_len));
}

size_t jrpc_frame_advance(jrpc_frame_place *place, jrpc_slice bytes)
{
    size_t at = 0;
    while (at < bytes.len && place->left == 0) {
        if (completes_head(place, bytes.ptr[at++])) {
            place->left = jrpc_frame_payload_length(jrpc_slice_of(place->head, place->head_len));
            place->head_len = 0;
            if (place->left == 0) {
                return at;
            }
        }
    }
    size_t rest = bytes.len - at;
    size_t len = rest < place->left ? rest : (size_t)place->left;
    place->left -= len;
    return at + len;
}
