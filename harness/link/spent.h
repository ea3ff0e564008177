// What a run spends its time on: an account by kind of wait and by purpose.
// Each link keeps its own account; a run adds them up. Links wait at the same time, so the sum may
// exceed the duration of the run.
#ifndef JCK_LINK_SPENT_H
#define JCK_LINK_SPENT_H

#include "reference/base/clock.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum jck_spent_kind {
    JCK_SPENT_WORK,    // our own: writing, judging, reporting
    JCK_SPENT_OPENING, // starting and connecting, until the first fence is answered
    JCK_SPENT_ANSWERS, // waiting for what came
    JCK_SPENT_SILENCE, // waiting for what did not come
    JCK_SPENT_FENCES,  // waiting for the answer to a fence, which came
    JCK_SPENT_MUTE,    // … which did not come
    JCK_SPENT_CLOSING, // ending connections and processes
    JCK_SPENT_OTHERS,  // waiting for other workers
} jck_spent_kind;
#define JCK_SPENT_KIND_COUNT (JCK_SPENT_OTHERS + 1)

typedef enum jck_spent_on {
    JCK_SPENT_ON_CASES,      // first looks
    JCK_SPENT_ON_CONFIRMING, // second looks
    JCK_SPENT_ON_SEARCHING,  // what causes a failure that does not appear alone
} jck_spent_on;
#define JCK_SPENT_ON_COUNT (JCK_SPENT_ON_SEARCHING + 1)

typedef struct jck_spent {
    int64_t us[JCK_SPENT_ON_COUNT][JCK_SPENT_KIND_COUNT];
    jck_spent_on on;
    jck_spent_kind kind; // of the time since since_us
    int64_t since_us;    // 0: nothing counted yet
} jck_spent;

const char *jck_spent_kind_name(jck_spent_kind kind); // "work", …
const char *jck_spent_on_name(jck_spent_on on);       // "cases", …

// From now on, counts time as this kind; returns the kind until now.
jck_spent_kind jck_spent_begin(jck_spent *spent, const jrpc_clock *clock, jck_spent_kind kind);
// The same for the purpose.
jck_spent_on jck_spent_turn_to(jck_spent *spent, const jrpc_clock *clock, jck_spent_on on);
// Begins a wait for the target; returns the kind of time that jck_spent_heard goes back to.
jck_spent_kind jck_spent_listen(jck_spent *spent, const jrpc_clock *clock);
// Ends that wait; `in_vain` if nothing came.
void jck_spent_heard(jck_spent *spent, const jrpc_clock *clock, jck_spent_kind before,
                     bool in_vain);
// Adds one account to another.
void jck_spent_add(jck_spent *sum, const jck_spent *spent);
// The time of one kind, whatever it was spent on.
int64_t jck_spent_all(const jck_spent *spent, jck_spent_kind kind);

#endif
