// Calls that should be answered alike, whatever the right answer is. A method whose right results
// are not known is judged by its own answers. Pure.
// A call is sent several times unchanged, and several times in another form. If the answers to the
// unchanged calls are all equal, and none to the other form is the same, then the form matters. The
// answers of a method that counts, or chooses at random, differ among the unchanged calls already.
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
// of `relation` (ORDER to AFTER). `first` says how the call was answered: RESULT or FAILURE. AFTER
// needs `before`, the message that must have no effect; BATCH needs `absent`, the spelling of the
// method that does not exist. Bytes are in the arena. Returns the number of shots; 0 if the call
// has no such form, or if there is no room.
size_t jck_relation_make(jrpc_slice call, jck_relation first, jck_relation relation,
                         jrpc_slice before, jrpc_slice absent, jrpc_random *random,
                         jrpc_arena *arena, jck_shot *ret_shots);
// Appends what is expected of a shot, and what is captured, to a step. `first`: the relation of the
// first shot.
bool jck_relation_write(const jck_live_rules *rules, jck_relation first, const jck_shot *shot,
                        jrpc_buffer *out);
// Whether the findings show that the form matters: each call in the other form has one, and nothing
// else has. *ret_worst: the worst of them, and the last one among equals.
bool jck_relation_is_shown(const jck_composition *composition, const jck_findings *findings,
                           const jck_finding **ret_worst);

#endif
