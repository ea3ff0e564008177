// Whether the time or the memory that a parser takes grows faster than the text. Pure: both are in
// the replies.
#ifndef JCK_PARSER_GROWTH_H
#define JCK_PARSER_GROWTH_H

#include "harness/parser/judge.h"

// The replies to ever longer texts of one kind. One sentence, with the sizes and times, where the
// last steps that are long enough to be measured grow like a power of the length that is well above
// one; NULL where they do not. A text that was not answered in time is the next step of it. In
// `arena`.
const char *jck_growth_sentence(const jck_tried *tried, size_t count, jrpc_arena *arena);
// The same for the most memory that the process had resident, beyond what it had before.
const char *jck_growth_of_memory(const jck_tried *tried, size_t count, jrpc_arena *arena);
// Whether the next text, of `next_len` bytes, would probably take longer than `most_us` and need
// not be asked: either the parser is merely slow, which is not a fault, or three texts have already
// shown how its time grows.
bool jck_growth_can_stop(const jck_tried *tried, size_t count, size_t next_len, int64_t most_us);

#endif
