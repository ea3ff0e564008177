#include "harness/link/reading.h"

// Ten seconds for a megabyte, and no more for longer ones: a target that drops them would hold the
// run up for minutes.
#define US_PER_BYTE 10
#define MOST_US 10000000
#define LONG_US 500000
// So many answers to long messages show how fast they are read; others are given so many times the
// slowest of them, as nesting is harder to read than text, and never less than a second.
#define ANSWERS_ENOUGH 2
#define TIMES 50
#define LEAST_US 1000000
#define MIB ((int64_t)1 << 20)

int64_t jck_reading_most_us(size_t bytes)
{
    return bytes < MOST_US / US_PER_BYTE ? (int64_t)bytes * US_PER_BYTE : MOST_US;
}

bool jck_reading_is_long(size_t bytes)
{
    return jck_reading_most_us(bytes) > LONG_US;
}

void jck_reading_note(jck_reading *reading, size_t bytes, int64_t took_us)
{
    if (jck_reading_is_long(bytes) && took_us >= 0) {
        int64_t us_per_mib = took_us * MIB / (int64_t)bytes;
        reading->answers++;
        reading->us_per_mib = us_per_mib > reading->us_per_mib ? us_per_mib : reading->us_per_mib;
    }
}

int64_t jck_reading_learned_us(const jck_reading *reading, size_t bytes)
{
    int64_t most_us = jck_reading_most_us(bytes);
    if (reading->answers < ANSWERS_ENOUGH || reading->us_per_mib > MOST_US) {
        return most_us;
    }
    int64_t mib = (int64_t)(bytes / (size_t)MIB) + 1;
    int64_t seen_us = reading->us_per_mib * TIMES * mib;
    seen_us = seen_us > LEAST_US ? seen_us : LEAST_US;
    return seen_us < most_us ? seen_us : most_us;
}
