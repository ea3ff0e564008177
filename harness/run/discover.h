// Finds methods of the fixture contract that a target has although they were not named: those
// printed in section 7 of the specification, `echo`, one that fails, and one that answers after a
// number of milliseconds.
// A method counts as found if it gives exactly the printed result for at least one of the two ways
// of passing params; the other way is then judged too, if it gives a result there. A method with
// the same name but a different result may be an unrelated one: it is not mapped, and what was seen
// is kept for the reason why cases are skipped. A method with a name such as `boom` counts as one
// that fails if its error code is neither that of a method that does not exist nor one with which a
// server refuses a call.
#ifndef JCK_RUN_DISCOVER_H
#define JCK_RUN_DISCOVER_H

#include "harness/run/question.h"

// What follows from the answers to the questions about one capability.
typedef struct jck_discovery {
    bool found;       // map it …
    bool by_position; // … with these ways of passing params
    bool by_name;
    bool sighted; // the method exists but does not behave as section 7 prints: say so
} jck_discovery;

// Decides from the replies by position and by name. `printed`: the specification prints both ways,
// so a method that is right in one and gives a different result in the other is wrong there.
jck_discovery jck_discover_decide(jck_reply by_position, jck_reply by_name, bool printed);

// Opens connection 'a' and adds a mapping to the link's target for every method found and not
// mapped yet. If a mapping does not say how params are passed, and the method refuses one way as
// Invalid params while the other gives the right result, the refused way is removed. Must run
// before anything else uses the target. Failures are not reported here, because they show again
// when the cases run.
// `slow`: also looks for a method that answers after a time. It must not be called with random
// params later, because such a call could take for ever.
void jck_discover(jck_link *link, bool slow);

#endif
