// Whether the time or the memory that a parser needs grows faster than the text. Pure: both are in
// the replies.
#ifndef JCK_PARSER_GROWTH_H
#define JCK_PARSER_GROWTH_H

#include "harness/parser/judge.h"

// Looks at the replies to ever longer texts of one kind. Returns one sentence with sizes and times,
// in `arena`, if the time of the last texts that are long enough to measure grows with a power of
// the length well above one; otherwise NULL. A text that was not answered in time counts as the
// next step.
const char *jck_growth_sentence(const jck_parser_exchange *exchanges, size_t count,
                                jrpc_arena *arena);
// Whether the times show growth or nearly do, so that further measurements may change the result:
// one of the times may be too long because of other work on the machine.
bool jck_growth_is_unsure(const jck_parser_exchange *exchanges, size_t count);
// The same as jck_growth_sentence for the peak resident memory of the process, beyond what it had
// before the text.
const char *jck_growth_of_memory(const jck_parser_exchange *exchanges, size_t count,
                                 jrpc_arena *arena);
// Whether the next text, of `next_len` bytes, would probably take longer than `most_us` and need
// not be sent: either the parser is merely slow, which is not a fault, or three texts have already
// shown how its time grows.
bool jck_growth_can_stop(const jck_parser_exchange *exchanges, size_t count, size_t next_len,
                         int64_t most_us);

#endif
