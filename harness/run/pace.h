// How fast a target answers, and how long it is therefore worth while to wait for it.
//
// After a hundred answers it is known what is usual; a hundred times that, and several times the
// slowest of them, is long enough for a first look. What such a look finds missing is confirmed
// with the full time before it is believed.
#ifndef JCK_RUN_PACE_H
#define JCK_RUN_PACE_H

#include "harness/evidence/evidence.h"
#include "harness/link/link.h"

#define JCK_SLOWEST 5

typedef struct jck_pace {
    size_t answers; // seen so far
    // The slowest of them, the very slowest first: what a busy machine does to one or two is no
    // measure.
    int64_t slowest_us[JCK_SLOWEST];
    int64_t total_us;   // of all of them together
    unsigned misjudged; // times that the full time showed an answer which the hurried look missed
} jck_pace;

// Learns from the record of a case that neither hurts nor is slow by intention.
void jck_pace_note(jck_pace *pace, const jck_evidence *evidence);
// Whether enough is known to hurry.
bool jck_pace_is_known(const jck_pace *pace);
// The times for a first look: never longer than `full`, and never too short to be fair. The full
// ones where too little is known, or where hurrying went wrong before.
jck_timing jck_pace_timing(const jck_pace *pace, const jck_timing *full);
// The mean time of an answer, in microseconds; 0 where none was seen.
int64_t jck_pace_mean_us(const jck_pace *pace);

#endif
