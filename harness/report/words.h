// Text for what an event contains, shared by the formats.
#ifndef JCK_REPORT_WORDS_H
#define JCK_REPORT_WORDS_H

#include "harness/report/reading.h"
#include "harness/report/safe.h"
#include "reference/base/buffer.h"

// Appends how the connection ended, as a sentence without a full stop: "the target was killed by
// signal 11 (Segmentation fault)". Nothing if it stayed open or nothing was run.
void jck_append_end(jrpc_buffer *out, jck_safe_place place, const jck_reading_case *test_case);

// Appends one message: an arrow (→ sent, ← received), a space, and at most `max` bytes of it.
void jck_append_message(jrpc_buffer *out, jck_safe_place place, const jck_reading_message *message,
                        size_t max);

// The finding that decided the outcome: the first of the worst level that no ground case has
// already reported; NULL if there is none.
const jck_reading_finding *jck_decisive_finding(const jck_reading_case *test_case);

// Appends the result of a case in one line: "J2-6d: expected …", else how it ended, else the reason
// it was not judged, else the outcome's name.
void jck_append_account(jrpc_buffer *out, jck_safe_place place, const jck_reading_case *test_case);

// Appends everything reported about a case: findings, messages (without fences), how it ended, the
// end of stderr; each on a line of its own that begins with `before` and ends with `behind`.
typedef struct jck_details {
    jck_safe_place place;
    const char *before;
    const char *behind;
    size_t message_bytes; // shown of one message
} jck_details;
void jck_append_details(jrpc_buffer *out, const jck_details *how,
                        const jck_reading_case *test_case);

// Whether a message belongs to the case, not to a fence or other work of the harness.
bool jck_is_of_case(const jck_reading_message *message);

// The words for each kind of thing under test: the reports take them only from here.
typedef struct jck_role_words {
    const char *role;  // "server"
    const char *ended; // CRASH, as a sentence without a full stop
    const char *mute;  // HANG
    const char *alive; // what is expected if only survival counts
} jck_role_words;
// `role` as in jck_reading_start; the words of a server for an unknown one.
const jck_role_words *jck_words_of_role(jrpc_slice role);

// Whether an id is a slug, as those of case files are: nothing else is passed to a shell.
bool jck_is_slug(jrpc_slice id);

// Appends what follows "jrpcheck repro CASE" for the target of a stream. A stream of schema 1 has
// the target's name only: nothing is appended if that does not suffice, or if a shell could read it
// as more than words.
void jck_append_target_words(jrpc_buffer *out, jck_safe_place place,
                             const jck_reading_start *start);
// Appends "jrpcheck repro batch/empty --after CASE -- ./server", the line that repeats a case;
// `after` as in jck_reading_case. A finding of fuzzing is repeated from the folder that it was
// saved in; if it was not, nothing is appended. False, and nothing appended, if the stream does not
// name a target that can be opened or the id is not a slug.
bool jck_append_repro(jrpc_buffer *out, jck_safe_place place, const jck_reading_start *start,
                      jrpc_slice id, jrpc_slice after);
// Appends "jrpcheck --only 'batch/*' -- ./server", the line that repeats the run. False, and
// nothing appended, if the stream does not say it or if a shell could read it as more than words.
bool jck_append_command(jrpc_buffer *out, jck_safe_place place, const jck_reading_start *start);

// Appends "this looks like an MCP server over HTTP: add --profile mcp" between `before` and `after`
// if a profile was recognised that was not named, else nothing.
void jck_append_likeness(jrpc_buffer *out, jck_safe_place place, const jck_reading_start *start,
                         const char *before, const char *after);
// The same for what the run says at its end.
void jck_append_hint(jrpc_buffer *out, jck_safe_place place, const jck_reading_finish *finish,
                     const char *before, const char *after);

#endif
