// Messages that break off because the length in front of them counts something else than bytes.
#ifndef JCK_JUDGE_CUT_SHORT_H
#define JCK_JUDGE_CUT_SHORT_H

#include "harness/judge/trial.h"

// Whether a received message that is not JSON becomes JSON together with the bytes that came right
// after it outside of any frame; *ret_len is then the length of both in bytes.
bool jck_is_cut_by_its_length(jck_trial *trial, const jck_message *message, size_t *ret_len);
// Reports such a message: its Content-Length is wrong, not its JSON. False if it is not one.
bool jck_add_cut_by_length(jck_trial *trial, const jck_message *message, int step);

#endif
