// JSON as a plain tree, and equality by the book: the second opinion on values.
//
// Slow and simple on purpose: recursive, strings decoded, numbers compared
// as digit strings. Takes only text that grammar_check called JSON.
#ifndef JRPC_FUZZ_MODEL_TREE_H
#define JRPC_FUZZ_MODEL_TREE_H

#include "reference/base/buffer.h"
#include "reference/base/random.h"
#include "reference/base/slice.h"

#include <stdbool.h>
#include <stddef.h>

// Texts nested deeper are not made into trees: the tree is recursive.
#define TREE_DEPTH 200

// Memory of trees, freed whole.
typedef struct tree_pool {
    struct tree_chunk *chunks;
} tree_pool;

void *tree_alloc(tree_pool *pool, size_t size); // zeroed; never NULL
void tree_pool_done(tree_pool *pool);

typedef struct tree {
    char kind; // 'z' null, 'b' true or false, '0' number, 's' string, 'a' array, 'o' object
    jrpc_slice spelling;
    jrpc_slice content; // 's': decoded, lone surrogates as three bytes
    size_t count;
    struct tree **items; // elements, or values of members
    struct tree **names; // 'o': strings
} tree;

// The tree of a JSON text that is nested at most TREE_DEPTH deep; borrows from `text`.
tree *tree_read(tree_pool *pool, jrpc_slice text);
// The last member of that name, or NULL.
tree *tree_member(const tree *object, const char *name);
bool tree_is_text(const tree *string, const char *text);
bool tree_has_text(const tree *value); // a string that is not empty; false for NULL
// An integer from `least` to `most`. A number that is spelled with more than digits may be one:
// then true, and *ret_unsure is set.
bool tree_is_between(const tree *value, unsigned long least, unsigned long most, bool *ret_unsure);
// No member but those in the NULL-terminated list, none of them twice.
bool tree_has_only(const tree *object, const char *const *known);

typedef enum tree_answer {
    TREE_DIFFERENT,
    TREE_EQUAL,
    TREE_UNKNOWN, // exponents too long for this model
} tree_answer;

// Whether two values are the same JSON value, as reference/json/equal.h defines it.
tree_answer tree_equal(const tree *a, const tree *b);

// How tree_write may spell a value anew without changing what it means.
enum {
    TREE_SPACE = 1,            // white space between tokens
    TREE_ORDER = 2,            // members in another order, where names are distinct
    TREE_ESCAPE = 4,           // characters as escapes, and escapes otherwise
    TREE_NUMBER = 8,           // 1 as 1.0, 1e0, 10e-1
    TREE_UNKNOWN_MEMBERS = 16, // a member that nobody knows, in every message of a text
};

// Appends an Array or an Object without white space. `put_part` appends each element, name and
// value.
void tree_put_container(jrpc_buffer *out, const tree *container,
                        void (*put_part)(void *context, const tree *value), void *context);
// Appends the value, spelled anew.
void tree_write(jrpc_buffer *out, const tree *value, unsigned how, jrpc_random *random);

#endif
