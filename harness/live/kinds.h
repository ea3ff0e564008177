// What is already known: suspicions that were investigated, and findings that were reported. Shared
// by all workers; thread-safe.
#ifndef JCK_LIVE_KINDS_H
#define JCK_LIVE_KINDS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JCK_KINDS_ROOM 8192u
#define JCK_KINDS_AVOIDED 256u

typedef struct jck_doubt_kind {
    uint64_t key;     // 0: an empty place
    unsigned refuted; // how often nothing was found
    bool found;       // it is a finding
} jck_doubt_kind;

typedef struct jck_kind_set {
    pthread_mutex_t lock;
    jck_doubt_kind doubts[JCK_KINDS_ROOM]; // a table by key
    size_t doubt_count;
    uint64_t found[JCK_KINDS_ROOM]; // differences that were reported
    size_t found_count;
    uint64_t avoided[JCK_KINDS_AVOIDED]; // classes of messages
    size_t avoided_count;
    uint64_t seen[JCK_KINDS_ROOM * 8]; // behaviours, a table by number
    size_t seen_count;
} jck_kind_set;

// Initializes caller's zeroed storage. False if the lock cannot be created.
bool jck_kinds_init(jck_kind_set *kinds);
void jck_kinds_done(jck_kind_set *kinds);

// Whether a suspicion is worth investigating: it has neither become a finding nor been refuted too
// often.
bool jck_kinds_is_open(jck_kind_set *kinds, uint64_t doubt);
bool jck_kinds_is_found(jck_kind_set *kinds, uint64_t doubt);
// Records the outcome of a suspicion.
void jck_kinds_settle(jck_kind_set *kinds, uint64_t doubt, bool found);
// Uses up one of the `most` attempts that a kind of suspicion is worth. False if none is left.
bool jck_kinds_spend(jck_kind_set *kinds, uint64_t kind, unsigned most);
// Records that messages of a class break the connection that they are sent on, or asks whether they
// do.
void jck_kinds_avoid(jck_kind_set *kinds, uint64_t message_class);
bool jck_kinds_is_avoided(jck_kind_set *kinds, uint64_t message_class);
// Whether a finding with this difference was recorded.
bool jck_kinds_is_reported(jck_kind_set *kinds, uint64_t difference);
// Records a finding by its difference; returns whether it is the first of its kind.
bool jck_kinds_is_first(jck_kind_set *kinds, uint64_t difference);
// Removes a difference that was not confirmed.
void jck_kinds_forget(jck_kind_set *kinds, uint64_t difference);
// Records a behaviour; returns whether it is new.
bool jck_kinds_is_new(jck_kind_set *kinds, uint64_t behaviour);
size_t jck_kinds_seen(jck_kind_set *kinds);

#endif
