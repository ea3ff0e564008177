// One session with a target as the judge is given it: a case, what was sent, what came back, how it
// went. What the targets that judge share: making such evidence, and claims about every verdict.
#ifndef JRPC_FUZZ_SESSION_EXCHANGE_H
#define JRPC_FUZZ_SESSION_EXCHANGE_H

#include "harness/judge/judge.h"

typedef struct exchange {
    jrpc_arena arena; // of everything below
    const jck_suite *suite;
    const jck_case *test_case;
    jck_variables variables;
    jck_evidence evidence;
    jck_calibration calibration;
    unsigned choice; // among what a right answer may say where its case leaves it open
} exchange;

// A session in which nothing was sent yet and every step ended with a fence. `target` offers the
// capabilities. Free with exchange_done.
void exchange_begin(exchange *e, const jck_suite *suite, const jck_target *target,
                    const jck_case *test_case);
void exchange_done(exchange *e);

// Appends what a step sends. False if it sends nothing, or more than `maximum` bytes.
bool exchange_expand(exchange *e, size_t step, size_t maximum, jrpc_buffer *out);
// Writes down what a step sends; false as above.
bool exchange_send(exchange *e, size_t step, size_t maximum);
// Writes down a message (copied).
void exchange_add(exchange *e, const jck_message *message);
// A message of the case that came in answer to a step.
jck_message exchange_answer(const exchange *e, size_t step, jrpc_slice bytes);
// What was sent in a step, empty if nothing was.
jrpc_slice exchange_sent(const exchange *e, size_t step);

// The verdict, in an arena that this initializes over `allocator`.
jck_verdict exchange_judge(exchange *e, const jrpc_allocator *allocator, jrpc_arena *arena);

// What holds for every verdict on evidence that memory sufficed for: no fault of the harness, every
// finding is of a rule that the suite knows and told in printable words, at a step of the case.
void exchange_require_sound(const exchange *e, const jck_verdict *verdict);
// Judged once.
void exchange_require_sound_verdict(exchange *e);
// Judged again it is the same, word for word.
void exchange_require_repeatable(exchange *e);
// Judges in arenas that are too small, of `rooms` sizes, which `turn` shifts. That gives an error,
// never an accusation.
void exchange_require_short(exchange *e, size_t rooms, uint32_t turn);
// A second judgement finds the same, under the same rules, in the same steps, at the same levels.
void exchange_require_alike(exchange *e, const jck_verdict *before);
// Judged with memory for `successes` allocations: an error, never an accusation, unless they
// sufficed.
void exchange_require_frugal(exchange *e, size_t successes);

#endif
