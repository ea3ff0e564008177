// Markup as an automaton: the second opinion on XML and HTML that reports write.
//
// Stricter than any browser: only the elements and attributes that the reports are known to use,
// each below the parents it may have, closed in order; values between double quotes; in text no
// bare `<`,
// `>`, `"` or `&`; links to places that the document has, or to a file beside it. So whatever a
// peer says that opens a tag, leaves a value or adds a script is seen.
#ifndef JRPC_FUZZ_MODEL_MARKUP_H
#define JRPC_FUZZ_MODEL_MARKUP_H

#include "reference/base/slice.h"

typedef enum markup_kind {
    MARKUP_JUNIT,
    MARKUP_SVG,
    MARKUP_HTML,
} markup_kind;

// The only style and the only script that an HTML document may hold.
typedef struct markup_assets {
    jrpc_slice style, script;
} markup_assets;

// Fails unless `text` is one such document and nothing else. The rows of a table have the same
// number of cells. `assets` is for HTML, else NULL.
void markup_require(jrpc_slice text, markup_kind kind, const markup_assets *assets);

// What stands between the style and the script of an HTML document that holds.
jrpc_slice markup_body(jrpc_slice text, const markup_assets *assets);

#endif
