#include "harness/live/kinds.h"

// How often a suspicion of a kind is investigated in vain.
#define REFUTED_MOST 3u

bool jck_kinds_init(jck_kind_set *kinds)
{
    return pthread_mutex_init(&kinds->lock, NULL) == 0;
}

void jck_kinds_done(jck_kind_set *kinds)
{
    (void)pthread_mutex_destroy(&kinds->lock);
}

// The slot of a suspicion, created if there is none. NULL if the table is full.
static jck_doubt_kind *place_of(jck_kind_set *kinds, uint64_t doubt)
{
    uint64_t key = doubt | 1u;
    for (size_t i = 0; i < JCK_KINDS_ROOM; i++) {
        jck_doubt_kind *place = &kinds->doubts[(size_t)((key >> 7) + i) % JCK_KINDS_ROOM];
        if (place->key == key) {
            return place;
        }
        if (place->key == 0) {
            if (kinds->doubt_count >= JCK_KINDS_ROOM / 2) {
                return NULL;
            }
            kinds->doubt_count++;
            place->key = key;
            return place;
        }
    }
    return NULL;
}

bool jck_kinds_is_open(jck_kind_set *kinds, uint64_t doubt)
{
    (void)pthread_mutex_lock(&kinds->lock);
    const jck_doubt_kind *place = place_of(kinds, doubt);
    bool open = place != NULL && !place->found && place->refuted < REFUTED_MOST;
    (void)pthread_mutex_unlock(&kinds->lock);
    return open;
}

bool jck_kinds_spend(jck_kind_set *kinds, uint64_t kind, unsigned most)
{
    (void)pthread_mutex_lock(&kinds->lock);
    jck_doubt_kind *place = place_of(kinds, kind);
    bool left = place != NULL && place->refuted < most;
    if (left) {
        place->refuted++;
    }
    (void)pthread_mutex_unlock(&kinds->lock);
    return left;
}

bool jck_kinds_is_found(jck_kind_set *kinds, uint64_t doubt)
{
    (void)pthread_mutex_lock(&kinds->lock);
    const jck_doubt_kind *place = place_of(kinds, doubt);
    bool found = place != NULL && place->found;
    (void)pthread_mutex_unlock(&kinds->lock);
    return found;
}

void jck_kinds_settle(jck_kind_set *kinds, uint64_t doubt, bool found)
{
    (void)pthread_mutex_lock(&kinds->lock);
    jck_doubt_kind *place = place_of(kinds, doubt);
    if (place != NULL) {
        place->found = place->found || found;
        place->refuted += found ? 0 : 1;
    }
    (void)pthread_mutex_unlock(&kinds->lock);
}

static bool holds(const uint64_t *list, size_t count, uint64_t wanted)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == wanted) {
            return true;
        }
    }
    return false;
}

void jck_kinds_avoid(jck_kind_set *kinds, uint64_t message_class)
{
    (void)pthread_mutex_lock(&kinds->lock);
    if (kinds->avoided_count < JCK_KINDS_AVOIDED &&
        !holds(kinds->avoided, kinds->avoided_count, message_class)) {
        kinds->avoided[kinds->avoided_count++] = message_class;
    }
    (void)pthread_mutex_unlock(&kinds->lock);
}

bool jck_kinds_is_avoided(jck_kind_set *kinds, uint64_t message_class)
{
    (void)pthread_mutex_lock(&kinds->lock);
    bool avoided = holds(kinds->avoided, kinds->avoided_count, message_class);
    (void)pthread_mutex_unlock(&kinds->lock);
    return avoided;
}

bool jck_kinds_is_reported(jck_kind_set *kinds, uint64_t difference)
{
    (void)pthread_mutex_lock(&kinds->lock);
    bool reported = holds(kinds->found, kinds->found_count, difference);
    (void)pthread_mutex_unlock(&kinds->lock);
    return reported;
}

bool jck_kinds_is_first(jck_kind_set *kinds, uint64_t difference)
{
    (void)pthread_mutex_lock(&kinds->lock);
    bool known =
        kinds->found_count == JCK_KINDS_ROOM || holds(kinds->found, kinds->found_count, difference);
    if (!known) {
        kinds->found[kinds->found_count++] = difference;
    }
    (void)pthread_mutex_unlock(&kinds->lock);
    return !known;
}

void jck_kinds_forget(jck_kind_set *kinds, uint64_t difference)
{
    (void)pthread_mutex_lock(&kinds->lock);
    size_t left = 0;
    for (size_t i = 0; i < kinds->found_count; i++) {
        kinds->found[left] = kinds->found[i];
        left += kinds->found[i] == difference ? 0 : 1;
    }
    kinds->found_count = left;
    (void)pthread_mutex_unlock(&kinds->lock);
}

bool jck_kinds_is_new(jck_kind_set *kinds, uint64_t behaviour)
{
    const size_t room = sizeof kinds->seen / sizeof *kinds->seen;
    (void)pthread_mutex_lock(&kinds->lock);
    bool fresh = false;
    for (size_t i = 0; i < room && behaviour != 0; i++) {
        uint64_t *place = &kinds->seen[(size_t)((behaviour >> 3) + i) % room];
        if (*place == behaviour) {
            break;
        }
        if (*place == 0) {
            fresh = kinds->seen_count < room / 2;
            *place = fresh ? behaviour : 0;
            kinds->seen_count += fresh ? 1 : 0;
            break;
        }
    }
    (void)pthread_mutex_unlock(&kinds->lock);
    return fresh;
}

size_t jck_kinds_seen(jck_kind_set *kinds)
{
    (void)pthread_mutex_lock(&kinds->lock);
    size_t seen = kinds->seen_count;
    (void)pthread_mutex_unlock(&kinds->lock);
    return seen;
}
