// The smallest part of something that still shows what the whole shows (delta debugging, Zeller and
// Hildebrandt 2002). The caller defines the parts and what is shown: messages of a sequence,
// elements of a batch, bytes of a text.
#ifndef JCK_GENERATE_MINIMIZE_H
#define JCK_GENERATE_MINIMIZE_H

#include <stddef.h>

typedef enum jck_probe {
    JCK_PROBE_SHOWS, // the parts still show it
    JCK_PROBE_LACKS, // they do not
    JCK_PROBE_STOPS, // the caller wants no more probes
} jck_probe;

// Tries exactly the given parts, in the given order.
typedef jck_probe jck_try_parts(void *context, const size_t *parts, size_t count);

// Removes parts while the rest still shows it. `parts` are `count` numbers of the caller's, which
// together show it; the remaining ones still do, in the same order, and none of them can be removed
// alone unless the probes ran out. `scratch` has room for `count` numbers. At most `probes_max`
// tries. Returns how many parts remain, at least 1 if there was any.
size_t jck_minimize(size_t *parts, size_t count, size_t *scratch, size_t probes_max,
                    jck_try_parts *try_parts, void *context);

#endif
