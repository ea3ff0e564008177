// What a disagreement over a text reads like: what was expected, what came, and where.
#include "fuzz/fuzz.h"
#include "fuzz/model/tree.h"
#include "fuzz/plug/compare.h"
#include "fuzz/plug/difference.h"

#include <stdlib.h>

enum { SHOWN_BYTES = 100 };

static void print_way(FILE *out, const difference *to)
{
    (void)fprintf(out, "$");
    for (size_t i = 0; i < to->len; i++) {
        if (to->names[i] == NULL) {
            (void)fprintf(out, "[%zu]", to->indices[i]);
        } else {
            (void)fprintf(out, "[");
            plug_show(out, to->names[i]->spelling, SHOWN_BYTES);
            (void)fprintf(out, "]");
        }
    }
}

static void explain_change(FILE *out, tree_pool *pool, jrpc_slice text, jrpc_slice written)
{
    if (grammar_check(text, TREE_DEPTH).verdict != GRAMMAR_JSON) {
        (void)fprintf(out, "  expected  accepted or refused: it is nested deeper than %u\n",
                      (unsigned)TREE_DEPTH);
        return;
    }
    difference to;
    difference_find(&to, tree_read(pool, text), tree_read(pool, written));
    (void)fprintf(out, "  at        ");
    print_way(out, &to);
    (void)fprintf(out, " (byte %zu)\n  expected  ", (size_t)(to.left->spelling.ptr - text.ptr));
    plug_show(out, to.left->spelling, SHOWN_BYTES);
    (void)fprintf(out, "\n  came      ");
    plug_show(out, to.right->spelling, SHOWN_BYTES);
    (void)fprintf(out, "\n");
}

static const char *place_text(grammar_place place)
{
    switch (place) {
    case GRAMMAR_BETWEEN:
        return "between values";
    case GRAMMAR_BEHIND:
        return "after the value";
    case GRAMMAR_STRING:
        return "in a string";
    case GRAMMAR_ESCAPE:
        return "in an escape";
    case GRAMMAR_UTF8:
        return "in a character of several bytes";
    case GRAMMAR_NUMBER:
        return "in a number";
    case GRAMMAR_LITERAL:
        return "in a literal";
    }
    return "";
}

static void explain_taken(FILE *out, jrpc_slice text, grammar_result result, const char *spelled)
{
    bool ends = result.verdict == GRAMMAR_UNFINISHED;
    (void)fprintf(out, "  at        byte %zu, %s", result.offset, place_text(result.place));
    if (!ends) {
        (void)fprintf(out, ": ");
        plug_show(out, jrpc_slice_of(text.ptr + result.offset, 1), 1);
    }
    (void)fprintf(out, "\n  expected  refused: %s\n  came      accepted",
                  ends ? "the text ends before its value does" : "no JSON text goes on like this");
    if (spelled != NULL) {
        (void)fprintf(out, ", and written as ");
        plug_show(out, jrpc_slice_str(spelled), SHOWN_BYTES);
    }
    (void)fprintf(out, "\n");
}

void plug_explain_text(FILE *out, jrpc_slice text)
{
    char *spelled = NULL;
    bool taken = plug_parse_slice(text, &spelled);
    grammar_result result = plug_grammar(text);
    tree_pool pool = {NULL};
    if (result.verdict != GRAMMAR_JSON) {
        explain_taken(out, text, result, spelled);
    } else if (!taken) {
        (void)fprintf(out, "  expected  accepted: it is JSON (RFC 8259)\n  came      refused\n");
    } else if (spelled != NULL) {
        jrpc_slice written = jrpc_slice_str(spelled);
        grammar_result again = grammar_check(written, TREE_DEPTH);
        if (again.verdict == GRAMMAR_JSON) {
            explain_change(out, &pool, text, written);
        } else if (plug_grammar(written).verdict != GRAMMAR_JSON) {
            (void)fprintf(out, "  expected  JSON of the same value\n  came      ");
            plug_show(out, written, SHOWN_BYTES);
            (void)fprintf(out, "\n            which is not JSON from byte %zu on, %s\n",
                          again.offset, place_text(again.place));
        } else {
            (void)fprintf(out, "  expected  accepted or refused\n  came      accepted\n");
        }
    } else {
        (void)fprintf(out, "  expected  accepted or refused\n  came      accepted\n");
    }
    tree_pool_done(&pool);
    free(spelled);
}
