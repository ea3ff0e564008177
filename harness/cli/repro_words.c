#include "harness/cli/repro_words.h"

#include "harness/cli/words.h"

#define WORDS_BYTES ((size_t)256 << 10)

static void append(jrpc_buffer *out, const char *word)
{
    if (out->len > 0) {
        (void)jrpc_buffer_append_char(out, ' ');
    }
    (void)jck_quote_word(out, word);
}

const char *jck_repro_words(jck_options *options, size_t at)
{
    jrpc_buffer words;
    jrpc_buffer_init(&words, jrpc_allocator_heap(), WORDS_BYTES);
    for (size_t i = 0; i < options->target_said.count; i++) {
        append(&words, options->target_said.items[i]);
    }
    if (options->behind == NULL) {
        append(&words, options->operands.items[at]);
    } else {
        append(&words, "--");
        for (char *const *word = options->behind; *word != NULL; word++) {
            append(&words, *word);
        }
    }
    jrpc_slice copy = {NULL, 0};
    bool done = !words.failed && jrpc_arena_copy(&options->arena, jrpc_buffer_slice(&words), &copy);
    jrpc_buffer_done(&words);
    return done ? copy.ptr : NULL;
}
