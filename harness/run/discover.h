// Finds methods of the fixture contract that a target has without being told: those whose names and
// results section 7 of the specification prints, and `echo`. A method is taken only if it gives
// exactly the result that is printed, so a method that merely has such a name is left alone.
#ifndef JCK_RUN_DISCOVER_H
#define JCK_RUN_DISCOVER_H

#include "harness/link/link.h"

// Opens connection 'a' and adds a mapping to the link's target for every method that was found and
// is not mapped yet. Must run before anybody else uses the target. What goes wrong here shows again
// when the cases run, so it is not told.
void jck_discover(jck_link *link);

#endif
