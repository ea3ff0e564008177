// Whether ids are equal, and whether one may be a changed form of the other.
#ifndef JCK_LIVE_IDENTITY_H
#define JCK_LIVE_IDENTITY_H

#include "reference/json/value.h"

// As jrpc_json_equal, but faster: the spelling alone decides about most pairs of ids.
bool jck_ids_equal(jrpc_json a, jrpc_json b);
// A number that is the same for equal ids; 0: there is none, and it proves nothing.
uint64_t jck_id_key(jrpc_json id);
static inline bool jck_id_keys_may_agree(uint64_t a, uint64_t b)
{
    return a == b || a == 0 || b == 0;
}
// The double nearest to a Number; infinite if it is out of range or too long to be compared. 0 for
// any other value.
double jck_id_number(jrpc_json id);
// Whether a Number id whose nearest double is `sent` may have come back as one whose nearest double
// is `answered`, because a double or a float was stored.
bool jck_id_number_may_return_as(double sent, double answered);
// Whether an id that may come back as another value (JCK_ODD_ID) may have come back as `answered`:
// as the number that a double or a float keeps of it; a String as any String.
bool jck_id_may_return_as(jrpc_json sent, jrpc_json answered);
// Whether a String id may have come back shortened to `answered`: it begins with that, and
// `answered` is so long that few other ids begin with it too.
bool jck_id_may_be_cut_to(jrpc_json sent, jrpc_json answered);

#endif
