#include "harness/cli/repro_words.h"

#include "harness/cli/commands.h"
#include "harness/cli/words.h"

#include <inttypes.h>
#include <stdio.h>

#define WORDS_BYTES ((size_t)256 << 10)

static void append(jrpc_buffer *out, const char *word, bool is_header)
{
    if (out->len > 0) {
        (void)jrpc_buffer_append_char(out, ' ');
    }
    (void)jck_quote_masked(out, word, is_header);
}

static void append_all(jrpc_buffer *out, const jck_words *said)
{
    for (size_t i = 0; i < said->count; i++) {
        append(out, said->items[i], i > 0 && strcmp(said->items[i - 1], "--header") == 0);
    }
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

static void append_target(jrpc_buffer *out, const jck_options *options, size_t at)
{
    if (options->behind == NULL && at < options->operands.count) {
        append(out, options->operands.items[at], false);
    } else if (options->behind == NULL) {
        // A project that was found is named, so that the line works in any folder.
        append_project(out, options);
    } else {
        append(out, "--", false);
        for (char *const *word = options->behind; *word != NULL; word++) {
            append(out, *word, false);
        }
    }
}

// The operands that are compared with the target.
static void append_others(jrpc_buffer *out, const jck_options *options, size_t from)
{
    for (size_t i = from; i < options->operands.count && options->against.count > 0; i++) {
        append(out, options->operands.items[i], false);
    }
}

// Copies the text into the options' arena and frees the buffer.
static const char *kept(jck_options *options, jrpc_buffer *words)
{
    jrpc_slice copy = {NULL, 0};
    bool done = !words->failed && jrpc_arena_copy(&options->arena, jrpc_buffer_slice(words), &copy);
    jrpc_buffer_done(words);
    return done ? copy.ptr : NULL;
}

const char *jck_repro_words(jck_options *options, size_t at)
{
    jrpc_buffer words;
    jrpc_buffer_init(&words, jrpc_allocator_heap(), WORDS_BYTES);
    append_all(&words, &options->target_said);
    append_target(&words, options, at);
    return kept(options, &words);
}

const char *jck_command_words(jck_options *options, uint64_t seed)
{
    const unsigned named = JCK_COMMAND_CLIENT | JCK_COMMAND_PARSER | JCK_COMMAND_FUZZ;
    unsigned command = options->command->bit;
    if ((command & (named | JCK_COMMAND_RUN)) == 0) {
        return NULL;
    }
    jrpc_buffer words;
    jrpc_buffer_init(&words, jrpc_allocator_heap(), WORDS_BYTES);
    if ((command & named) != 0) {
        append(&words, options->command->name, false);
    }
    append_all(&words, &options->run_said);
    if (!options->seeded && (command == JCK_COMMAND_FUZZ || options->fuzz_parser)) {
        char number[24];
        (void)snprintf(number, sizeof number, "%" PRIu64, seed);
        append(&words, "--seed", false);
        append(&words, number, false);
    }
    if (command == JCK_COMMAND_FUZZ && options->save != NULL) {
        append(&words, "--save", false); // reports tell from it where the findings are
        append(&words, options->save, false);
    }
    if (options->behind == NULL) {
        append_target(&words, options, 0);
        append_others(&words, options, 1);
    } else {
        append_others(&words, options, 0);
        append_target(&words, options, 0);
    }
    return kept(options, &words);
}
