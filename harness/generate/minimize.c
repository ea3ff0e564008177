#include "harness/generate/minimize.h"

#include <stdbool.h>
#include <string.h>

// Copies all parts but [begin, end); returns their number.
static size_t leave_out(const size_t *parts, size_t count, size_t begin, size_t end, size_t *rest)
{
    memcpy(rest, parts, begin * sizeof *parts);
    memcpy(rest + begin, parts + end, (count - end) * sizeof *parts);
    return count - (end - begin);
}

size_t jck_minimize(size_t *parts, size_t count, size_t *scratch, size_t probes_max,
                    jck_try_parts *try_parts, void *context)
{
    for (size_t pieces = 2; count > 1 && probes_max > 0;) {
        size_t size = (count + pieces - 1) / pieces;
        bool smaller = false;
        for (size_t begin = 0; begin < count && count > 1 && probes_max > 0; probes_max--) {
            size_t end = begin + size < count ? begin + size : count;
            size_t left = leave_out(parts, count, begin, end, scratch);
            jck_probe probe = left == 0 ? JCK_PROBE_LACKS : try_parts(context, scratch, left);
            if (probe == JCK_PROBE_STOPS) {
                return count;
            }
            if (probe == JCK_PROBE_SHOWS) {
                memcpy(parts, scratch, left * sizeof *parts);
                count = left;
                smaller = true;
            } else {
                begin = end;
            }
        }
        if (smaller) {
            pieces = pieces > 2 ? pieces - 1 : 2;
        } else if (size == 1) {
            break;
        } else {
            pieces = 2 * pieces < count ? 2 * pieces : count;
        }
    }
    return count;
}
