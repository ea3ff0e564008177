// The same messages many times, for targets that count. A target that loses an answer of every
// seventh batch shows this only if batches are repeated. Pure.
#ifndef JCK_LIVE_REPEAT_H
#define JCK_LIVE_REPEAT_H

#include "harness/live/compose.h"
#include "reference/base/arena.h"

// Fills `ret_shots` with `count` messages: those of `shots` in turn, again and again. A copy
// has new ids, in its elements too, because a target may refuse an id that is in use. The bytes of
// copies are in the arena. `ret_shots` may be `shots`. False if there is no room.
bool jck_repeat(const jck_shot *shots, size_t shot_count, size_t count, jrpc_arena *arena,
                jck_shot *ret_shots);
// The same for one message, if it is a call of the method `absent` (its JSON spelling) or of one
// whose name begins so: in each copy, the method has another such name too. False if it is not such
// a call, or there is no room.
bool jck_repeat_renamed(const jck_shot *shot, jrpc_slice absent, size_t count, jrpc_arena *arena,
                        jck_shot *ret_shots);

#endif
