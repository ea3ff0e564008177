// Bytes of a peer, made printable for a sentence.
#ifndef JCK_EVIDENCE_EXCERPT_H
#define JCK_EVIDENCE_EXCERPT_H

#include "reference/base/arena.h"
#include "reference/base/slice.h"

#include <stddef.h>

// At most `max` bytes of `bytes`, "…" where it was cut. Characters that print as themselves stay
// (see jrpc_visible_sequence), every other byte is spelled \xNN. In `arena`; never NULL ("?" when
// memory is out).
const char *jck_excerpt(jrpc_arena *arena, jrpc_slice bytes, size_t max);

#endif
