// How long a target may take to read a long message, beyond the time of an answer: slow is not
// wrong.
#ifndef JCK_LINK_READING_H
#define JCK_LINK_READING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What was seen of it.
typedef struct jck_reading {
    unsigned answers;   // to long messages
    int64_t us_per_mib; // of the slowest of them
} jck_reading;

// Whether a message of so many bytes is a long one: what overtakes it proves little.
bool jck_reading_is_long(size_t bytes);
// Learns from an answer that came so long after messages of so many bytes; nothing of short ones.
void jck_reading_note(jck_reading *reading, size_t bytes, int64_t took_us);
// How long reading so many bytes may take at most: ten seconds for a megabyte, and no more for
// longer ones.
int64_t jck_reading_most_us(size_t bytes);
// How long it takes presumably: many times what was seen, once a few long messages were answered,
// never less than a second, and never more than it may at most.
int64_t jck_reading_learned_us(const jck_reading *reading, size_t bytes);

#endif
