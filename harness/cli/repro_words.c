#include "harness/cli/repro_words.h"

#include "harness/cli/words.h"

#define WORDS_BYTES ((size_t)256 << 10)

static void append(jrpc_buffer *out, const char *word, bool is_header)
{
    if (out->len > 0) {
        (void)jrpc_buffer_append_char(out, ' ');
    }
    (void)jck_quote_masked(out, word, is_header);
}

static void append_project(jrpc_buffer *out, const jck_options *options)
{
    bool said = false;
    for (size_t i = 0; i < options->target_said.count; i++) {
        said =
            said || strncmp(options->target_said.items[i], "--project", strlen("--project")) == 0;
    }
    if (!said && options->project != NULL) {
        append(out, "--project", false);
        append(out, options->project, false);
    }
}

const char *jck_repro_words(jck_options *options, size_t at)
{
    jrpc_buffer words;
    jrpc_buffer_init(&words, jrpc_allocator_heap(), WORDS_BYTES);
    for (size_t i = 0; i < options->target_said.count; i++) {
        bool is_header = i > 0 && strcmp(options->target_said.items[i - 1], "--header") == 0;
        append(&words, options->target_said.items[i], is_header);
    }
    if (options->behind == NULL && at < options->operands.count) {
        append(&words, options->operands.items[at], false);
    } else if (options->behind == NULL) {
        // A project that was found is named, so that the line works everywhere.
        append_project(&words, options);
    } else {
        append(&words, "--", false);
        for (char *const *word = options->behind; *word != NULL; word++) {
            append(&words, *word, false);
        }
    }
    jrpc_slice copy = {NULL, 0};
    bool done = !words.failed && jrpc_arena_copy(&options->arena, jrpc_buffer_slice(&words), &copy);
    jrpc_buffer_done(&words);
    return done ? copy.ptr : NULL;
}
