// Which messages the Responses without a usable id answer.
#ifndef JCK_LIVE_ASSIGN_H
#define JCK_LIVE_ASSIGN_H

#include "harness/live/account.h"

// Whether the error for a message may have this code.
bool jck_code_is_due(const jck_due *due, int64_t code);
// For each unassigned Response of the account, in `ret_message_of`, the index of an unanswered
// message that it may answer; SIZE_MAX: there is none. Returns whether there was memory for it.
bool jck_assign(jck_account *account, size_t *ret_message_of);

#endif
