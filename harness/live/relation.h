// Calls that should be answered alike, whatever the right answer is: a method of which nothing is
// known but that it exists is judged by its own answers. Pure.
// A call is sent several times as it is, and several times in another form, in turn. If the answers
// to it as it is are all equal and no answer to the other form equals them, the form matters. What
// a method counts or chooses at random differs among the first, too.
#ifndef JCK_LIVE_RELATION_H
#define JCK_LIVE_RELATION_H

#include "harness/judge/finding.h"
#include "harness/live/compose.h"
#include "reference/base/arena.h"

// Messages of a sequence, at most.
#define JCK_RELATION_SHOTS 12u

// The rule that a difference breaks; empty: the catalogue has none.
jrpc_slice jck_relation_rule(const jck_live_rules *rules, jck_relation relation);
// Makes the sequence for a call with an id: copies with ids of their own, half of them in the form
// of `relation` (ORDER to AFTER). `first` is RESULT or FAILURE, after what the call was answered
// with. `before`: AFTER: the message that must have no effect. `absent`: BATCH: the spelling of the
// method that does not exist. Bytes are in the arena. Returns the number of shots; 0: there is no
// such form of it, or no room.
size_t jck_relation_make(jrpc_slice call, jck_relation first, jck_relation relation,
                         jrpc_slice before, jrpc_slice absent, jrpc_random *random,
                         jrpc_arena *arena, jck_shot *ret_shots);
// Appends what is expected of a shot, and what is captured, to a step. `first`: the relation of the
// first shot.
bool jck_relation_write(const jck_live_rules *rules, jck_relation first, jck_relation relation,
                        jrpc_buffer *out);
// Whether the findings show that the form matters: there is one for each call in the other form,
// and for nothing else. *ret_worst: the worst of them, or of the last of equally bad ones.
bool jck_relation_is_shown(const jck_composition *composition, const jck_findings *findings,
                           const jck_finding **ret_worst);

#endif
