// Private to the console report: its state, and the functions that write its parts.
#ifndef JCK_REPORT_CONSOLE_H
#define JCK_REPORT_CONSOLE_H

#include "harness/report/page.h"

typedef struct jck_console {
    bool progress_shown; // the cursor is after a progress line
    bool written;        // something was written about cases of this run
} jck_console;

typedef enum jck_paint {
    JCK_PAINT_BAD,
    JCK_PAINT_DOUBTFUL,
    JCK_PAINT_GOOD,
    JCK_PAINT_FAINT,
    JCK_PAINT_STRONG,
} jck_paint;

// Bytes of one message in the log of failing cases.
#define JCK_CONSOLE_MESSAGE_BYTES 400

// Writes text in a colour, if the output shows colours.
void jck_console_paint(jck_page *page, jck_paint paint, const char *text);
// What was tested: "python3 server.py over stdio (line), profile spec, seed 7".
void jck_console_target(jck_page *page);
// Writes a case to the log.
void jck_console_case(jck_page *page, const jck_reading_case *test_case);
// Whether the log includes the case.
bool jck_console_shows(const jck_page *page, const jck_reading_case *test_case);
// The verdict and its reasons.
void jck_console_summary(jck_page *page);

#endif
