// Finds methods of the fixture contract that a target has although nobody named them: those whose
// names section 7 of the specification prints, `echo`, and one that fails.
//
// A method is taken for the one that is meant if it gives exactly the result that is printed, in at
// least one of the two ways of passing params; then it is judged in the other way too, if it
// answers there with a result. One that has the name and another result may be another method: it
// is not taken, and the target remembers what was seen, for the reason of what is skipped. A method
// with a name such as `boom` is taken for one that fails if its error has another code than that of
// a method which does not exist, and none of those with which a server refuses a call.
#ifndef JCK_RUN_DISCOVER_H
#define JCK_RUN_DISCOVER_H

#include "harness/run/question.h"

// What is made of the answers to the questions of one capability.
typedef struct jck_discovery {
    bool found;       // map it …
    bool by_position; // … with these ways of passing params
    bool by_name;
    bool sighted; // the method exists and is not what section 7 prints: say so
} jck_discovery;

// Decides from the replies by position and by name. `printed`: the specification prints both, so
// that one which is right in one way and gives another result in the other is wrong there.
jck_discovery jck_discover_decide(jck_reply by_position, jck_reply by_name, bool printed);

// Opens connection 'a' and adds a mapping to the link's target for every method that was found and
// is not mapped yet. Must run before anybody else uses the target. What goes wrong here shows again
// when the cases run, so it is not reported.
void jck_discover(jck_link *link);

#endif
