// What kinds of message a case sends: profiles speak of them ("batch", "null-id", …), because a
// list of the cases would have to grow with every new one.
#ifndef JCK_SUITE_SENDS_H
#define JCK_SUITE_SENDS_H

#include "harness/suite/case.h"

// The words, NULL-terminated: batch (an Array), positional (params by position), null-id,
// fractional-id (a Number that is not an integer), wide-id (an integer beyond 32 bits),
// positional-notification, odd-method (a name that no header of HTTP can repeat), not-by-name
// (anything but a call without params or with params by name), notification.
const char *const *jck_sends_words(void);
// Whether the step sends valid JSON of that kind, as far as its file spells it out; all but batch
// look into the elements of a batch too. False for an unknown word.
bool jck_step_sends(const jck_step *step, jrpc_slice word);
// Whether any step of the case does.
bool jck_case_sends(const jck_case *test_case, jrpc_slice word);

#endif
