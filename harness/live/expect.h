// What is due for a message, as the step of a case spells it (docs/writing-cases.md): for the
// judge, and for the case file that a finding becomes.
#ifndef JCK_LIVE_EXPECT_H
#define JCK_LIVE_EXPECT_H

#include "harness/live/rules.h"

// Appends the value of `expect` for a message. False if there is no room.
bool jck_expect_write(const jck_due_context *context, const jck_live_rules *rules,
                      const jck_due *due, jrpc_buffer *out);
#endif
