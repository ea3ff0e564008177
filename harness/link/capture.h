// What a Response, or the HTTP head it came with, provides for later messages: captured names, and
// the headers of a target's description that use them.
#ifndef JCK_LINK_CAPTURE_H
#define JCK_LINK_CAPTURE_H

#include "harness/link/hear.h"

// Keeps in `variables` what the step captures from a message. Nothing is captured for a member that
// is missing, or a header that did not come or is longer than 8 KiB. A header's value becomes a
// String.
void jck_capture_from(const jck_step *step, const jck_heard *heard, jck_variables *variables);

// Gives the open connection the headers of the target, with what the prelude captured filled in.
// Headers that name something not captured yet, or that contain control characters, are left out.
// False without memory.
bool jck_capture_into_headers(jck_link *link, char connection);

// Keeps a copy of what the prelude captured (if it has none, that of the connection before it) with
// the open connection: the link itself only has the names of the connection opened last. False
// without memory.
bool jck_capture_for_connection(jck_link *link, char connection);

#endif
