// The smallest part of something that still shows what the whole shows (delta debugging, Zeller and
// Hildebrandt 2002). What the parts are, and what is to be seen, is the caller's: messages of a
// sequence, elements of a batch, bytes of a text.
#ifndef JCK_GENERATE_MINIMIZE_H
#define JCK_GENERATE_MINIMIZE_H

#include <stddef.h>

typedef enum jck_probe {
    JCK_PROBE_SHOWS, // what is looked for is there
    JCK_PROBE_LACKS, // it is not
    JCK_PROBE_STOPS, // the caller wants no more probes
} jck_probe;

// Tries the parts that are named, in their order, and no others.
typedef jck_probe jck_try_parts(void *context, const size_t *parts, size_t count);

// Takes parts away while the rest still shows it. `parts` are `count` numbers of the caller's,
// which together show it; what is left of them at the end still does, in the same order, and none
// of it can be spared alone unless the probes ran out. `scratch` has room for `count` numbers. At
// most `probes_max` tries. Returns how many parts are left, at least 1 if there was any.
size_t jck_minimize(size_t *parts, size_t count, size_t *scratch, size_t probes_max,
                    jck_try_parts *try_parts, void *context);

#endif
