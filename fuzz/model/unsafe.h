// Readers of what a report writes for a text, one for each place that it may be written to: they
// take the markup's escapes away, and then the \xNN that stand for what does not show itself.
#ifndef JRPC_FUZZ_MODEL_UNSAFE_H
#define JRPC_FUZZ_MODEL_UNSAFE_H

#include "fuzz/model/tree.h"

// Takes entities (&lt; &#38;) away; fails where a `&`, a `<` or a `"` is bare.
jrpc_slice unsafe_from_markup(tree_pool *pool, jrpc_slice written);
// The same, where bytes are marked: <b>\xff</b>, <i>\x0a</i>.
jrpc_slice unsafe_from_marked(tree_pool *pool, jrpc_slice written);
// Takes \# and \\ away; fails where a `#` is bare.
jrpc_slice unsafe_from_tap(tree_pool *pool, jrpc_slice written);
// The text of a message of SARIF, section 3.11: {{0} is {0}, and \]( is ](. Fails where there is a
// placeholder or a link.
jrpc_slice unsafe_from_sarif(tree_pool *pool, jrpc_slice message);
// Takes %NN away; fails where a byte stands that no path of a URI may hold.
jrpc_slice unsafe_from_uri(tree_pool *pool, jrpc_slice written);

// The bytes that a plain text shows.
jrpc_slice unsafe_bytes(tree_pool *pool, jrpc_slice plain);
// The bytes that a sentence of an event stands for: it may hold any byte, and \xNN is one.
jrpc_slice unsafe_sentence(tree_pool *pool, jrpc_slice sentence);

#endif
