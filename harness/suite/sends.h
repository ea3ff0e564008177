// Kinds of message that a case sends: profiles refer to them ("batch", "null-id", …), since a list
// of cases would have to grow with every new one.
#ifndef JCK_SUITE_SENDS_H
#define JCK_SUITE_SENDS_H

#include "harness/suite/case.h"

// The words, NULL-terminated: batch (an Array), positional (params by position), null-id,
// fractional-id (a Number that is not an integer), wide-id (an integer beyond 32 bits),
// positional-notification, odd-method (a name that no HTTP header can carry), not-by-name (anything
// but a call without params or with params by name), notification.
const char *const *jck_sends_words(void);
// Whether the step sends valid JSON of that kind, as far as its file spells it out; all kinds but
// batch include the elements of a batch. False for an unknown word.
bool jck_step_sends(const jck_step *step, jrpc_slice word);
// Whether any step of the case sends such a message.
bool jck_case_sends(const jck_case *test_case, jrpc_slice word);

#endif
