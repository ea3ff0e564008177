// How fast a target answers, and how long it is therefore worth waiting for an answer.
// After a hundred answers the usual time is known. A hundred times that, and several times the
// slowest, is long enough for a first look. After a dozen answers it is guessed, and a first look
// lasts longer. What a first look finds missing is confirmed with the full time before it is
// believed. Unless the user has set that time, it is many times the slowest answer, within bounds.
#ifndef JCK_RUN_PACE_H
#define JCK_RUN_PACE_H

#include "harness/evidence/evidence.h"
#include "harness/judge/owed.h"
#include "harness/link/link.h"

#define JCK_SLOWEST 5

typedef struct jck_pace {
    size_t answers; // seen so far
    size_t results; // … of them with a result
    // The slowest of them, slowest first. Several, because a busy machine may delay one or two.
    int64_t slowest_us[JCK_SLOWEST];
    int64_t total_us;   // of all answers together
    unsigned misjudged; // how often a hurried look missed an answer that came within the full time
    bool early;         // a dozen answers suffice, because the ground cases are over
} jck_pace;

// Learns from the record of a case that is neither a hazard nor slow on purpose.
void jck_pace_note(jck_pace *pace, const jck_evidence *evidence);
// Whether enough is known to hurry.
bool jck_pace_is_known(const jck_pace *pace);
// The full times, from the longest ones, `most`: an answer is missing after many times the
// slowest, but not before most->reply_least_ms. What `does_work`, because it expects the result of
// a method, gets the longest times until enough results were seen.
jck_timing jck_pace_full(const jck_pace *pace, const jck_timing *most, bool does_work);
// The times for a first look: never longer than `full`, and never unfairly short. The full times if
// too little is known, or hurrying went wrong before.
jck_timing jck_pace_timing(const jck_pace *pace, const jck_timing *full);
// The times for a first look before anything is known about the target.
jck_timing jck_pace_at_first(const jck_timing *full);
// The times for an attempt aside (see jck_worker_try_aside), from those for a first look: as long
// for a connection that goes mute, several times as long for all else.
jck_timing jck_pace_aside(const jck_timing *first, const jck_timing *full);
// Whether several answers took a considerable part of the longest time, `most`.
bool jck_pace_is_strained(const jck_pace *pace, const jck_timing *most);
// The mean time of an answer, in microseconds; 0 where none was seen.
int64_t jck_pace_mean_us(const jck_pace *pace);

// Which kinds of messages a target has left unanswered so far, although it owes answers to them. A
// first look does not wait for such answers. One that comes before the answer to the fence is still
// seen, and afterwards the connection is listened to in the background.
typedef struct jck_silences {
    unsigned unanswered[JCK_OWED_KINDS]; // messages of that kind
    uint32_t answered;                   // kinds, as bits, of which one was answered
    bool any;                            // a message was left unanswered
} jck_silences;

// Learns from the record of a case.
void jck_silences_note(jck_silences *silences, const jck_evidence *evidence);
// The kinds, as bits, of which several messages were left unanswered and none was answered.
uint32_t jck_silences_usual(const jck_silences *silences);

#endif
