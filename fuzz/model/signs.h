// By what a server is recognised or is seen to refuse, by the book (cases/README.md): the second
// opinion on the members `recognise` and `refusals` of a profile.
#ifndef JRPC_FUZZ_MODEL_SIGNS_H
#define JRPC_FUZZ_MODEL_SIGNS_H

#include "fuzz/model/tree.h"

// `*ret_deep` is set where there are patterns or steps, about which the model knows nothing.

// Both may be NULL, where the member is absent.
bool signs_is_recognition(const tree *recognise, bool *ret_deep);
bool signs_is_refusals(const tree *refusals, bool *ret_deep);

#endif
