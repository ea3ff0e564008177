// Requests of clients that follow a redirect of the suite.
#ifndef JCK_SUITE_REDIRECT_H
#define JCK_SUITE_REDIRECT_H

#include "reference/base/slice.h"

// Whether the head of a request has the path to which the form of answers "redirect" sends clients.
bool jck_is_redirected(jrpc_slice head);

#endif
