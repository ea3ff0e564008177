// A transcript: every message in both directions, one per line, in the order of the events.
#ifndef JCK_CLI_TRANSCRIPT_H
#define JCK_CLI_TRANSCRIPT_H

#include "harness/report/reading.h"

#include <stdio.h>

// Writes what one case exchanged:
//   batch/empty-array: fail
//     a +412us -> [bytes sent, unprintable ones as \xNN]
//     a +613us <- [bytes received]
// False if out of memory or if the stream failed.
bool jck_transcript_write(FILE *out, const jck_reading_case *test_case);

#endif
