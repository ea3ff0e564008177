// Fuzzing a running target: its options, and what all workers share.
#ifndef JCK_LIVE_LIVE_H
#define JCK_LIVE_LIVE_H

#include "harness/run/worker.h"
#include "harness/suite/profile.h"

#include <stdbool.h>
#include <stdint.h>

// What has been done so far.
typedef struct jck_live_figures {
    int64_t elapsed_us;
    uint64_t messages;
    size_t behaviours; // ways of answering that were seen
    size_t edges;      // of the target's code that were taken, if it shows them
    size_t findings;   // distinct ones
    size_t flaky;      // suspicions that did not recur
} jck_live_figures;

typedef struct jck_live_options {
    uint64_t seed;
    uint64_t max_messages;      // 0: no bound
    const char *corpus;         // a folder, or NULL; borrowed like all that follows
    const char *save;           // a folder, or NULL
    const jck_profile *profile; // whose changes are not findings; NULL: none
    const char *const *only;    // the only rules that are reported; empty: all
    size_t only_count;
    // Called from time to time, by one thread at a time; may be NULL.
    void (*progress)(void *context, const jck_live_figures *figures);
    // Called for each finding as it is confirmed, by one thread at a time, with printable text: its
    // level, its rule, what is wrong, and the last message. May be NULL.
    void (*found)(void *context, const char *level, const char *rule, const char *what,
                  const char *sent);
    void *context;
} jck_live_options;

typedef struct jck_live jck_live;

// Owned; free with jck_live_free. NULL with MEMORY, or with SYSTEM if a folder cannot be used.
jck_live *jck_live_new(const jck_live_options *options, jrpc_error *error);
void jck_live_free(jck_live *live); // accepts NULL
// The variables that an instrumented target needs in its environment to show its edges; NULL past
// the last. In the arena.
const char *jck_live_variable(const jck_live *live, size_t index, jrpc_arena *arena);

// The figures so far.
void jck_live_read(jck_live *live, jck_live_figures *ret_figures);
// The first write that failed; code OK if none did.
const jrpc_error *jck_live_trouble(const jck_live *live);

#endif
