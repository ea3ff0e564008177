#include "fuzz/model/markdown.h"

#include "fuzz/fuzz.h"
#include "fuzz/model/plain.h"

#include <stdbool.h>

// Pairs that open and close; a tag may stand inside the one before it.
static const char *const tags[][2] = {
    {"<details>", "</details>"},
    {"<summary>", "</summary>"},
    {"<pre>", "</pre>"},
    {"<code>", "</code>"},
    {"<b>", "</b>"},
};
enum { DETAILS, SUMMARY, PRE, CODE, BOLD, TAGS };

typedef struct reader {
    jrpc_slice rest;
    bool open[TAGS];
    size_t columns; // of the table that is being read, or 0
} reader;

static bool begins(const reader *at, const char *text)
{
    return plain_begins(at->rest, text);
}

static bool take(reader *at, const char *text)
{
    bool there = begins(at, text);
    at->rest = there ? jrpc_slice_from(at->rest, strlen(text)) : at->rest;
    return there;
}

static void take_tag(reader *at)
{
    for (size_t i = 0; i < TAGS; i++) {
        for (int closing = 0; closing < 2; closing++) {
            if (take(at, tags[i][closing])) {
                FUZZ_REQUIRE(at->open[i] == (closing == 1));
                at->open[i] = !at->open[i];
                return;
            }
        }
    }
    fuzz_fail(__FILE__, __LINE__, "every < opens a tag");
}

// "&#60;"
static void take_reference(reader *at)
{
    size_t digits = 0;
    FUZZ_REQUIRE(take(at, "&#"));
    while (digits < at->rest.len && at->rest.ptr[digits] >= '0' && at->rest.ptr[digits] <= '9') {
        digits++;
    }
    FUZZ_REQUIRE(digits >= 2 && digits <= 3);
    at->rest = jrpc_slice_from(at->rest, digits);
    FUZZ_REQUIRE(take(at, ";"));
}

// The rest of a line. Bars divide cells only in tables, stars close only what this line opened.
static void take_line(reader *at, bool bold)
{
    size_t bars = 1;
    while (at->rest.len != 0 && at->rest.ptr[0] != '\n') {
        char byte = at->rest.ptr[0];
        if (byte == '<') {
            take_tag(at);
        } else if (byte == '&') {
            take_reference(at);
        } else if (bold && begins(at, "**\n")) {
            bold = !take(at, "**");
        } else {
            bars += byte == '|';
            FUZZ_REQUIRE(byte != '|' || at->columns != 0);
            FUZZ_REQUIRE(strchr("*_`[]\\!~#>{}\"'@$^", byte) == NULL || byte == '\0');
            size_t len = plain_character(at->rest);
            FUZZ_REQUIRE(len != 0);
            at->rest = jrpc_slice_from(at->rest, len);
        }
    }
    FUZZ_REQUIRE(!bold && take(at, "\n"));
    FUZZ_REQUIRE(at->columns == 0 || bars == at->columns);
    FUZZ_REQUIRE(!at->open[CODE] && !at->open[BOLD] && !at->open[SUMMARY]);
}

// "| Level | Rule |" and the line below it.
static void take_table(reader *at)
{
    const char *end = memchr(at->rest.ptr, '\n', at->rest.len);
    FUZZ_REQUIRE(end != NULL);
    at->columns = plain_count(jrpc_slice_of(at->rest.ptr, (size_t)(end - at->rest.ptr)), "|");
    take(at, "|");
    take_line(at, false);
    FUZZ_REQUIRE(take(at, "|-"));
    take_line(at, false);
}

void markdown_require(jrpc_slice text)
{
    static const char *const plain_lines[] = {
        "\n", "<", "## jrpcheck: ", "### ", "- ", "Command: <code>", NULL};
    reader at = {.rest = text};
    bool counted = false;
    while (at.rest.len != 0) {
        bool in_table = begins(&at, "|");
        if (in_table && at.columns == 0) {
            take_table(&at);
            continue;
        }
        at.columns = in_table ? at.columns : 0;
        if (in_table) {
            (void)take(&at, "|");
            take_line(&at, false);
            continue;
        }
        bool known = at.open[PRE];
        bool bold = !known && take(&at, "**");
        for (size_t i = 0; plain_lines[i] != NULL && !known && !bold; i++) {
            known = begins(&at, plain_lines[i]);
        }
        // "9 cases: 7 passed": the one line that begins with no mark.
        bool counts = !known && !bold && at.rest.ptr[0] >= '0' && at.rest.ptr[0] <= '9';
        FUZZ_REQUIRE(known || bold || (counts && !counted));
        counted = counts || (counted && !begins(&at, "## "));
        (void)(at.open[PRE] || take(&at, "### ") || take(&at, "## "));
        take_line(&at, bold);
        FUZZ_REQUIRE(!at.open[DETAILS] || at.open[PRE] || begins(&at, "<"));
    }
    for (size_t i = 0; i < TAGS; i++) {
        FUZZ_REQUIRE(!at.open[i]);
    }
}
