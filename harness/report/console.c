#include "harness/report/console.h"

#include "harness/report/words.h"

void jck_console_paint(jck_page *page, jck_paint paint, const char *text)
{
    static const char *const codes[] = {"\033[1;31m", "\033[33m", "\033[32m", "\033[2m", "\033[1m"};
    if (page->options.color) {
        jck_page_str(page, codes[paint]);
    }
    jck_page_str(page, text);
    if (page->options.color) {
        jck_page_str(page, "\033[0m");
    }
}

void jck_console_target(jck_page *page)
{
    const jck_reading_start *start = &page->tally.start;
    jck_page_safe(page, JCK_SAFE_PLAIN, start->target);
    jck_page_str(page, " over ");
    jck_page_safe(page, JCK_SAFE_PLAIN, start->transport);
    if (start->framing.len > 0) {
        jck_page_str(page, " (");
        jck_page_safe(page, JCK_SAFE_PLAIN, start->framing);
        jck_page_str(page, ")");
    }
    jck_page_str(page, ", profile ");
    jck_page_safe(page, JCK_SAFE_PLAIN, start->profile);
    jck_page_str(page, start->strict ? ", strict, seed " : ", seed ");
    jck_page_safe(page, JCK_SAFE_PLAIN, start->seed);
    jck_page_str(page, ", jrpcheck ");
    jck_page_safe(page, JCK_SAFE_PLAIN, start->tool);
    jck_page_str(page, "\n");
}
