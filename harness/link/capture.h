// What a Response, or the head it came with, brings for later: captured names, and the headers of a
// target's description that are made of them.
#ifndef JCK_LINK_CAPTURE_H
#define JCK_LINK_CAPTURE_H

#include "harness/link/hear.h"

// Keeps in `variables` what the step captures of a message. What is not there is not captured: a
// member that is missing, a header that did not come or is longer than 8 KiB. A header's value
// becomes a String.
void jck_capture_from(const jck_step *step, const jck_heard *heard, jck_variables *variables);

// Gives the open connection the headers of the target, with what the prelude captured filled in;
// those that name something not captured yet, or with control characters, are left out. False
// without memory.
bool jck_capture_into_headers(jck_link *link, char connection);

// Keeps for the open connection what its prelude captured: the link's names are those of the
// connection that was opened last. False without memory.
bool jck_capture_for_connection(jck_link *link, char connection);

#endif
