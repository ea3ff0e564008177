#include "harness/cli/transcript.h"

#include "harness/report/safe.h"

#include <inttypes.h>

bool jck_transcript_write(FILE *out, const jck_reading_case *test_case)
{
    bool written = jck_print_safe(out, test_case->id) &&
                   fprintf(out, ": %s\n", jck_outcome_name(test_case->outcome)) > 0;
    for (size_t i = 0; i < test_case->message_count && written; i++) {
        const jck_reading_message *message = &test_case->messages[i];
        written =
            fputs("  ", out) >= 0 && jck_print_safe(out, message->connection) &&
            fprintf(out, " +%" PRId64 "us %s ", message->at_us, message->sent ? "->" : "<-") > 0;
        if (written && message->role.len > 0) {
            written =
                fputc('(', out) >= 0 && jck_print_safe(out, message->role) && fputs(") ", out) >= 0;
        }
        written = written && jck_print_safe(out, message->bytes);
        if (written && message->true_len > message->bytes.len) {
            written = fprintf(out, " ... (%zu bytes in all)", message->true_len) > 0;
        }
        written = written && fputc('\n', out) >= 0;
    }
    return written;
}
